//! Programs we start: found, waited for, and ended with us.

use std::fs::{self, File};
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Mutex;
use std::time::{Duration, Instant};
use std::{env, thread};

use crate::failure::{Context, Result};

/// A child that is ended when this is dropped: SIGTERM, and SIGKILL if that is not heard.
pub(crate) struct Server {
    child: Child,
    name: String,
}

impl Server {
    /// Starts `command` in the background; its stdout is dropped, its stderr goes to `log`.
    pub(crate) fn start(name: &str, command: &mut Command, log: &Path) -> Result<Self> {
        let log = File::create(log).context(log.display())?;
        let child = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(log).spawn().context(name)?;
        note_running(child.id());
        Ok(Self { child, name: name.to_owned() })
    }

    /// As [`Self::start`], and waits until it prints `ready`.
    pub(crate) fn start_ready(name: &str, command: &mut Command, log: &Path) -> Result<Self> {
        let file = File::create(log).context(log.display())?;
        let command = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(file);
        let mut child = command.spawn().context(name)?;
        note_running(child.id());
        let stdout = child.stdout.take();
        let server = Self { child, name: name.to_owned() };
        let mut line = String::new();
        BufReader::new(stdout.ok_or("no pipe from the server")?).read_line(&mut line)?;
        if line.trim() != "ready" {
            return Err(
                format!("{name} is not ready: {}", fs::read_to_string(log).unwrap_or_default()).into()
            );
        }
        Ok(server)
    }

    /// Its process id.
    pub(crate) fn id(&self) -> u32 {
        self.child.id()
    }

    /// An error if it has ended by itself.
    pub(crate) fn check(&mut self) -> Result<()> {
        match self.child.try_wait()? {
            Some(status) => Err(format!("{} ended: {status}", self.name).into()),
            None => Ok(()),
        }
    }

    /// Asks it to end and waits; its exit status.
    pub(crate) fn stop(mut self) -> Result<std::process::ExitStatus> {
        self.terminate()
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
        note_ended(self.child.id());
    }
}

/// Remembers a child that [`end_all`] must end.
pub(crate) fn note_running(id: u32) {
    if let Ok(mut running) = RUNNING.lock() {
        running.push(id);
    }
}

/// Forgets a child that has been waited for: its id may be another's by now.
pub(crate) fn note_ended(id: u32) {
    if let Ok(mut running) = RUNNING.lock() {
        running.retain(|known| *known != id);
    }
}

/// Ends every child that is still running, when we are interrupted.
pub(crate) fn end_all() {
    let running = RUNNING.lock().map(|running| running.clone()).unwrap_or_default();
    for id in running {
        let _ = signal(id, "TERM");
    }
}

/// Sends a signal by name to a process of ours.
pub(crate) fn signal(id: u32, name: &str) -> Result<()> {
    // The shell's own: a small system has no kill program.
    output(Command::new("sh").arg("-c").arg(format!("kill -{name} {id}"))).map(drop)
}

/// Runs a command to its end; its stdout, or what it said on stderr as the failure.
pub(crate) fn output(command: &mut Command) -> Result<String> {
    let name = format!("{command:?}");
    let done = command.stdin(Stdio::null()).output().context(&name)?;
    if !done.status.success() {
        let stderr = String::from_utf8_lossy(&done.stderr);
        return Err(format!("{name}: {}: {}", done.status, stderr.trim()).into());
    }
    Ok(String::from_utf8_lossy(&done.stdout).into_owned())
}

/// Whether a program is in the search path.
pub(crate) fn is_installed(program: &str) -> bool {
    let path = env::var_os("PATH").unwrap_or_default();
    env::split_paths(&path).chain(SBIN.map(PathBuf::from)).any(|folder| folder.join(program).is_file())
}

/// A program that is built beside this one: `portreeved`, `portreeve`.
pub(crate) fn sibling(name: &str) -> Result<PathBuf> {
    let path = env::current_exe()?.with_file_name(name);
    if path.is_file() { Ok(path) } else { Err(format!("{} is not built", path.display()).into()) }
}

static RUNNING: Mutex<Vec<u32>> = Mutex::new(Vec::new());

const STOP_TIMEOUT: Duration = Duration::from_secs(5);

/// Where daemons are, and the search path of a plain user does not look.
const SBIN: [&str; 2] = ["/usr/sbin", "/usr/local/sbin"];
