//! Child processes: finding programs, waiting, and stopping them.

use std::fs::{self, File};
use std::io::{BufRead, BufReader};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Mutex;
use std::time::{Duration, Instant};
use std::{env, thread};

use portreeve_lab_net::Place;
use portreeve_sys::{find_own_file, kill_with_parent};

use crate::error::{Context, Result};

/// A child process that is stopped on drop: by SIGTERM, then by SIGKILL if it does not exit. The
/// kernel kills it if this process is killed.
pub struct Server {
    child: Child,
    name: String,
}

impl Server {
    /// Starts `command` in the background; discards its stdout and writes its stderr to `log`.
    pub fn start(name: &str, command: &mut Command, log: &Path) -> Result<Self> {
        let log = log_file(log)?;
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(log);
        Ok(Self::adopt(name, kill_with_parent(command).spawn().context(name)?))
    }

    /// Starts `command` like [`Self::start`], and waits until the process prints the line `ready`.
    pub fn start_ready(name: &str, command: &mut Command, log: &Path) -> Result<Self> {
        let command = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(log_file(log)?);
        Self::wait_until_ready(name, kill_with_parent(command).spawn().context(name)?, log)
    }

    /// Like [`Self::start_ready`], at a place of an experiment's network.
    pub fn start_ready_at(place: &Place, name: &str, mut command: Command, log: &Path) -> Result<Self> {
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(log_file(log)?);
        Self::wait_until_ready(name, place.spawn(command).context(name)?, log)
    }

    /// Takes over a process that has been started.
    pub fn adopt(name: &str, child: Child) -> Self {
        register_child(child.id());
        Self { child, name: name.to_owned() }
    }

    fn wait_until_ready(name: &str, mut child: Child, log: &Path) -> Result<Self> {
        let stdout = child.stdout.take();
        let server = Self::adopt(name, child);
        let mut line = String::new();
        BufReader::new(stdout.ok_or("cannot read the server's output: it is not a pipe")?)
            .read_line(&mut line)?;
        if line.trim() != "ready" {
            return Err(
                format!("{name} is not ready: {}", fs::read_to_string(log).unwrap_or_default()).into()
            );
        }
        Ok(server)
    }

    /// Returns the process ID.
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// Returns an error if the process has exited.
    pub fn check(&mut self) -> Result<()> {
        match self.child.try_wait()? {
            Some(status) => Err(format!("{} exited: {status}", self.name).into()),
            None => Ok(()),
        }
    }

    /// Stops the process; returns its exit status.
    pub fn stop(mut self) -> Result<std::process::ExitStatus> {
        self.terminate()
    }

    /// Ends the process with SIGKILL and waits until it has exited.
    pub fn kill(mut self) -> Result<()> {
        self.child.kill()?;
        self.child.wait()?;
        Ok(())
    }

    fn terminate(&mut self) -> Result<std::process::ExitStatus> {
        signal(self.child.id(), "TERM")?;
        let deadline = Instant::now() + STOP_TIMEOUT;
        while Instant::now() < deadline {
            if let Some(status) = self.child.try_wait()? {
                return Ok(status);
            }
            thread::sleep(Duration::from_millis(10));
        }
        self.child.kill()?;
        Ok(self.child.wait()?)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        if matches!(self.child.try_wait(), Ok(None)) {
            let _ = self.terminate();
        }
        unregister_child(self.child.id());
    }
}

/// Creates the log of a server.
pub fn log_file(log: &Path) -> Result<File> {
    File::create(log).context(log.display())
}

/// Registers a child for [`end_all`].
pub fn register_child(id: u32) {
    if let Ok(mut running) = RUNNING.lock() {
        running.push(id);
    }
}

/// Unregisters a child whose status has been read, because another process may now get its ID.
pub fn unregister_child(id: u32) {
    if let Ok(mut running) = RUNNING.lock() {
        running.retain(|known| *known != id);
    }
}

/// Stops all registered children after an interrupt.
pub fn end_all() {
    let running = RUNNING.lock().map(|running| running.clone()).unwrap_or_default();
    for id in running {
        let _ = signal(id, "TERM");
    }
}

/// Sends a signal by name to a child process.
pub fn signal(id: u32, name: &str) -> Result<()> {
    // Uses the shell's builtin, because a small system may have no kill program.
    output(Command::new("sh").arg("-c").arg(format!("kill -{name} {id}"))).map(drop)
}

/// Runs a command until it exits; returns its stdout, or its stderr as the error. Ctrl-C does not
/// end it: the first one ends a run after the current measurement.
pub fn output(command: &mut Command) -> Result<String> {
    let name = format!("{command:?}");
    let command = kill_with_parent(command.stdin(Stdio::null()).process_group(0));
    let done = command.output().context(&name)?;
    if !done.status.success() {
        let stderr = String::from_utf8_lossy(&done.stderr);
        return Err(format!("{name}: {}: {}", done.status, stderr.trim()).into());
    }
    Ok(String::from_utf8_lossy(&done.stdout).into_owned())
}

/// Runs a command at a place until it exits; returns its stdout.
pub fn read_output(place: &Place, mut command: Command, log: &Path) -> Result<String> {
    let name = command.get_program().to_string_lossy().into_owned();
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(log_file(log)?);
    let done = place.spawn(command).context(&name)?.wait_with_output()?;
    if done.status.success() {
        return Ok(String::from_utf8_lossy(&done.stdout).into_owned());
    }
    let reason = fs::read_to_string(log).unwrap_or_default();
    Err(format!("{name}: {}: {}", done.status, reason.trim()).into())
}

/// Returns true if a program is in the search path.
pub fn is_installed(program: &str) -> bool {
    find(program).is_some()
}

/// Returns the path of a program in the search path.
pub fn find(program: &str) -> Option<PathBuf> {
    let path = env::var_os("PATH").unwrap_or_default();
    let folders = env::split_paths(&path).chain(SBIN.map(PathBuf::from));
    folders.map(|folder| folder.join(program)).find(|file| file.is_file())
}

/// Returns the path of one of our programs, such as `portreeved`, of the same build or
/// installation.
pub fn own_program(name: &str) -> Result<PathBuf> {
    Ok(find_own_file(name).ok_or_else(|| format!("{name} is neither built nor installed"))?)
}

static RUNNING: Mutex<Vec<u32>> = Mutex::new(Vec::new());

const STOP_TIMEOUT: Duration = Duration::from_secs(5);

/// Directories of daemons. They are not in the search path of ordinary users.
const SBIN: [&str; 2] = ["/usr/sbin", "/usr/local/sbin"];
