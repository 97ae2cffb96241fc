//! Runs `portreeve-yang` as a child process, because it contains a C library.
//!
//! The child has an empty environment, no standard input and a process group of its own. Its time
//! and its output are limited; it limits its memory and processor time itself.

use std::{
    fmt,
    io::{self, Read},
    os::unix::process::CommandExt,
    path::{Path, PathBuf},
    process::{Child, Command, ExitStatus, Stdio},
    thread,
    time::{Duration, Instant},
};

use portreeve_yang::MAX_FILE;
use rustix::process::{Pid, Signal, kill_process_group};

/// The limits of one run of the compiler.
#[derive(Clone, Copy, Debug)]
pub(super) struct Limits {
    pub(super) time: Duration,
    /// The length of the schema file, in bytes.
    pub(super) output: usize,
    /// The length of all messages, in bytes. More is discarded.
    pub(super) messages: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self { time: Duration::from_secs(60), output: MAX_FILE, messages: 64 * 1024 }
    }
}

/// The reason why modules were not compiled.
#[derive(Debug)]
pub(crate) enum CompileError {
    /// The messages of the compiler: `FILE:LINE: MESSAGE`.
    Rejected(Vec<String>),
    /// The compiler took too long.
    TimedOut(Duration),
    /// The schema file would be too long.
    TooLong(usize),
    /// The compiler was killed, and its messages.
    Killed(ExitStatus, Vec<String>),
    /// The compiler could not be run.
    NotRun(PathBuf, io::Error),
}

/// Compiles modules together with the shipped ones, and returns the octets of the schema file. The
/// paths of the modules must be absolute.
pub(super) fn compile(program: &Path, modules: &[PathBuf], limits: Limits) -> Result<Vec<u8>, CompileError> {
    let mut command = Command::new(program);
    command.args(["compile", "--shipped", "--out", "-", "--"]).args(modules);
    let not_run = |error| CompileError::NotRun(program.to_owned(), error);
    let mut child = command
        .env_clear()
        .current_dir("/")
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .process_group(0)
        .spawn()
        .map_err(not_run)?;
    let (stdout, stderr) = (child.stdout.take(), child.stderr.take());
    let output = thread::spawn(move || stdout.map_or(Ok(Vec::new()), |pipe| read(pipe, limits.output)));
    let messages = thread::spawn(move || stderr.map_or(Ok(Vec::new()), |pipe| read(pipe, limits.messages)));
    let status = wait(&mut child, limits.time);
    if !matches!(status, Ok(Some(_))) {
        kill(&mut child);
    }
    let joined = |thread: thread::JoinHandle<io::Result<Vec<u8>>>| {
        thread.join().unwrap_or_else(|_| Err(io::Error::other("a thread has failed")))
    };
    let (output, messages) = (joined(output), lines(&joined(messages).unwrap_or_default()));
    match status.map_err(not_run)? {
        None => Err(CompileError::TimedOut(limits.time)),
        Some(status) if status.success() => match output.map_err(not_run)? {
            output if output.len() > limits.output => Err(CompileError::TooLong(limits.output)),
            output => Ok(output),
        },
        Some(status) if status.code().is_none() => Err(CompileError::Killed(status, messages)),
        Some(_) => Err(CompileError::Rejected(messages)),
    }
}

/// Reads a pipe to its end, and keeps one octet more than the limit at most.
fn read(mut pipe: impl Read, limit: usize) -> io::Result<Vec<u8>> {
    let mut octets = Vec::new();
    pipe.by_ref().take(limit as u64 + 1).read_to_end(&mut octets)?;
    // A full pipe would stop the child.
    io::copy(&mut pipe, &mut io::sink())?;
    Ok(octets)
}

/// Waits for the end of the child; returns `None` if it takes too long.
fn wait(child: &mut Child, time: Duration) -> io::Result<Option<ExitStatus>> {
    let start = Instant::now();
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(Some(status));
        }
        if start.elapsed() >= time {
            return Ok(None);
        }
        thread::sleep(POLL);
    }
}

/// Kills the child with all of its own processes, and waits for its end.
fn kill(child: &mut Child) {
    // The child is not waited for yet, so that its number still is its own.
    if let Some(group) = i32::try_from(child.id()).ok().and_then(Pid::from_raw) {
        let _ = kill_process_group(group, Signal::KILL);
    }
    let _ = child.kill();
    let _ = child.wait();
}

/// Returns the lines of messages without control characters.
fn lines(messages: &[u8]) -> Vec<String> {
    let text = String::from_utf8_lossy(messages);
    let clean = |line: &str| line.replace(char::is_control, " ");
    text.lines().filter(|line| !line.trim().is_empty()).map(clean).collect()
}

impl fmt::Display for CompileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Rejected(messages) if messages.is_empty() => f.write_str("the modules cannot be compiled"),
            Self::Rejected(messages) => f.write_str(&messages.join("\n")),
            Self::TimedOut(time) => write!(
                f,
                "compiling the modules takes longer than {} seconds\nhint: `portreeve yang check` shows which \
                 module it is",
                time.as_secs()
            ),
            Self::TooLong(max) => {
                write!(f, "the compiled modules have more than {} MiB", max / (1024 * 1024))
            }
            Self::Killed(status, messages) => {
                write!(f, "compiling the modules takes too much memory or processor time: {status}")?;
                messages.iter().try_for_each(|line| write!(f, "\n{line}"))
            }
            Self::NotRun(program, error) => write!(f, "{}: {error}", program.display()),
        }
    }
}

/// The time between two looks at the child.
const POLL: Duration = Duration::from_millis(5);
