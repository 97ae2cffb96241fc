//! Runs one handler program.
//!
//! The program is in a process group of its own. Its standard input is the text of
//! [`handler_input`](crate::handler_input). Its output is read to the end, but only the beginning
//! is kept. When the program ends, or when its time is over, all processes of its group are killed.
//! A handler that starts a process to outlive it must therefore start it in a session of its own,
//! for example with setsid(1).
//!
//! snmptrapd passes the command to a shell and waits for it without a timeout.

use std::{
    fmt,
    io::{self, ErrorKind, PipeReader, Read, Write},
    os::{
        fd::AsFd,
        unix::process::{CommandExt, ExitStatusExt},
    },
    process::{Child, ChildStdin, Command, Stdio},
    time::{Duration, Instant},
};

use portreeve_secret::Secret;
use rustix::{
    event::{PollFd, PollFlags, Timespec, poll},
    io::ioctl_fionbio,
    process::{Pid, Signal, WaitId, WaitIdOptions, kill_process_group, waitid},
};

use super::environment::remove_variables;
use crate::HandlerCommand;

/// The end of a handler.
#[derive(Debug)]
pub struct HandlerReport {
    /// The result.
    pub result: HandlerResult,
    /// The beginning of its standard output and standard error, without the community.
    pub output: Vec<u8>,
    /// True if more output was discarded.
    pub is_output_cut: bool,
}

/// The result of a handler.
#[derive(Debug)]
pub enum HandlerResult {
    /// The program ended with this status.
    Exited(i32),
    /// The program was terminated by this signal.
    Signaled(i32),
    /// The program was killed because its time was over.
    TimedOut(Duration),
    /// The program was killed because the receiver stops.
    Stopped,
    /// The program could not be started, or it could not be waited for.
    Failed(io::Error),
}

impl HandlerResult {
    /// Returns whether the program ended with status 0.
    pub fn is_success(&self) -> bool {
        matches!(self, Self::Exited(0))
    }
}

/// Formats as the fields of a log line, such as `status=1`.
impl fmt::Display for HandlerResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Exited(status) => write!(f, "status={status}"),
            Self::Signaled(signal) => write!(f, "signal={signal}"),
            Self::TimedOut(timeout) => write!(f, "timeout={}s", timeout.as_secs_f64()),
            Self::Stopped => f.write_str("stopped=true"),
            Self::Failed(error) => write!(f, "error={:?}", error.to_string()),
        }
    }
}

/// Runs a handler until it ends, and for `timeout` at most.
///
/// `community` is removed from the output, because handlers of SNMPv1 traps read it.
pub fn run_handler(
    command: &HandlerCommand,
    input: &[u8],
    community: Option<&Secret>,
    timeout: Duration,
) -> HandlerReport {
    run_handler_until(command, input, community, timeout, &|| false)
}

/// Like [`run_handler`], but kills the handler if `is_stopped` returns true, which is called many
/// times in a second.
pub(crate) fn run_handler_until(
    command: &HandlerCommand,
    input: &[u8],
    community: Option<&Secret>,
    timeout: Duration,
    is_stopped: &dyn Fn() -> bool,
) -> HandlerReport {
    let mut output = Output::default();
    let result = match Running::start(command) {
        Ok(running) => running.finish(input, &mut output, timeout, is_stopped),
        Err(error) => HandlerResult::Failed(error),
    };
    let Output { octets, is_cut } = output;
    let mut octets = match community.map(Secret::expose) {
        None | Some([]) => octets,
        Some(community) => without(&octets, community, is_cut),
    };
    octets.truncate(MAX_OUTPUT);
    HandlerReport { result, output: octets, is_output_cut: is_cut }
}

/// The beginning of the output.
#[derive(Default)]
struct Output {
    octets: Vec<u8>,
    is_cut: bool,
}

impl Output {
    fn push(&mut self, octets: &[u8]) {
        let room = (MAX_OUTPUT - self.octets.len()).min(octets.len());
        let (kept, discarded) = octets.split_at(room);
        self.octets.extend_from_slice(kept);
        self.is_cut |= !discarded.is_empty();
    }
}

/// Replaces each occurrence of `secret`, and the beginning of one at the end if the text is cut.
fn without(mut text: &[u8], secret: &[u8], is_cut: bool) -> Vec<u8> {
    let mut result = Vec::with_capacity(text.len());
    while let Some((first, rest)) = text.split_first() {
        if let Some(after) = text.strip_prefix(secret) {
            result.extend_from_slice(REDACTED);
            text = after;
        } else if is_cut && secret.starts_with(text) {
            break;
        } else {
            result.push(*first);
            text = rest;
        }
    }
    result
}

/// A running handler.
struct Running {
    child: Child,
    group: Pid,
    input: Option<ChildStdin>,
    output: Option<PipeReader>,
    is_reaped: bool,
}

impl Running {
    fn start(command: &HandlerCommand) -> io::Result<Self> {
        let (reader, writer) = io::pipe()?;
        ioctl_fionbio(&reader, true)?;
        let mut builder = Command::new(&command.program);
        builder
            .args(&command.arguments)
            .current_dir("/")
            .stdin(Stdio::piped())
            .stdout(writer.try_clone()?)
            .stderr(writer)
            .process_group(0);
        remove_variables(&mut builder);
        let mut child = builder.spawn()?;
        // The builder has duplicates of the pipe, which would hide the end of the output.
        drop(builder);
        let group = i32::try_from(child.id()).ok().and_then(Pid::from_raw);
        let group = group.ok_or_else(|| io::Error::other("invalid process number"))?;
        let input = child.stdin.take();
        let running = Self { child, group, input, output: Some(reader), is_reaped: false };
        if let Some(input) = &running.input {
            ioctl_fionbio(input, true)?;
        }
        Ok(running)
    }

    fn finish(
        mut self,
        mut input: &[u8],
        output: &mut Output,
        timeout: Duration,
        is_stopped: &dyn Fn() -> bool,
    ) -> HandlerResult {
        let deadline = Instant::now() + timeout;
        let mut pause = MIN_PAUSE;
        loop {
            self.write(&mut input);
            let has_ended = self.has_ended();
            // Checked before, so that this reads all that a program has written when it ends.
            let has_read = self.read(output);
            match has_ended {
                Ok(true) => break,
                Ok(false) => {}
                Err(error) => return HandlerResult::Failed(error),
            }
            let now = Instant::now();
            if now >= deadline {
                return HandlerResult::TimedOut(timeout);
            }
            if is_stopped() {
                return HandlerResult::Stopped;
            }
            pause = if has_read { MIN_PAUSE } else { (pause * 2).min(MAX_PAUSE) };
            self.wait(pause.min(deadline - now));
        }
        self.kill_group();
        self.is_reaped = true;
        match self.child.wait() {
            Ok(status) => match status.code() {
                Some(code) => HandlerResult::Exited(code),
                None => HandlerResult::Signaled(status.signal().unwrap_or_default()),
            },
            Err(error) => HandlerResult::Failed(error),
        }
    }

    /// Writes as much input as the pipe accepts. A handler that has closed its standard input needs
    /// no more.
    fn write(&mut self, input: &mut &[u8]) {
        while let Some(pipe) = &mut self.input {
            if input.is_empty() {
                self.input = None;
                return;
            }
            match pipe.write(input) {
                Ok(written) => *input = input.get(written..).unwrap_or_default(),
                Err(error) if error.kind() == ErrorKind::WouldBlock => return,
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(_) => self.input = None,
            }
        }
    }

    /// Reads the output that is available, a mebibyte at most, so that the caller checks the
    /// deadline. Returns whether there was any.
    fn read(&mut self, output: &mut Output) -> bool {
        let mut buffer = [0; 16 * 1024];
        let mut read = 0;
        while let Some(pipe) = &mut self.output {
            match pipe.read(&mut buffer) {
                Ok(0) => self.output = None,
                Ok(length) => {
                    output.push(buffer.get(..length).unwrap_or_default());
                    read += length;
                    if read >= MAX_READ {
                        break;
                    }
                }
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) if error.kind() == ErrorKind::WouldBlock => break,
                Err(_) => self.output = None,
            }
        }
        read > 0
    }

    /// Returns whether the program has ended. It stays a zombie, so that its number still is that
    /// of its group.
    fn has_ended(&self) -> io::Result<bool> {
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT | WaitIdOptions::NOHANG;
        match waitid(WaitId::Pid(self.group), options) {
            Ok(status) => Ok(status.is_some()),
            Err(rustix::io::Errno::INTR) => Ok(false),
            Err(error) => Err(error.into()),
        }
    }

    /// Waits until a pipe is ready. The end of the program is noticed after `pause` at most.
    fn wait(&self, pause: Duration) {
        let mut pipes = Vec::with_capacity(2);
        if let Some(input) = &self.input {
            pipes.push(PollFd::from_borrowed_fd(input.as_fd(), PollFlags::OUT));
        }
        if let Some(output) = &self.output {
            pipes.push(PollFd::from_borrowed_fd(output.as_fd(), PollFlags::IN));
        }
        let pause = Timespec { tv_sec: 0, tv_nsec: pause.subsec_nanos().into() };
        let _ = poll(&mut pipes, Some(&pause));
    }

    fn kill_group(&self) {
        let _ = kill_process_group(self.group, Signal::KILL);
    }
}

/// Kills and reaps the group if the handler has not ended.
impl Drop for Running {
    fn drop(&mut self) {
        if !self.is_reaped {
            self.kill_group();
            let _ = self.child.wait();
        }
    }
}

/// The maximum length of the output that is kept, in octets.
const MAX_OUTPUT: usize = 4096;
/// The maximum length of the output that is read before the deadline is checked, in octets.
const MAX_READ: usize = 1 << 20;
/// The pauses between two checks for the end of a program that uses neither pipe.
const MIN_PAUSE: Duration = Duration::from_millis(1);
const MAX_PAUSE: Duration = Duration::from_millis(50);
const REDACTED: &[u8] = b"(secret)";

#[cfg(test)]
mod tests;
