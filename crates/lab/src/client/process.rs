//! The client process, from the side of the harness.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use portreeve_lab_net::Place;

use super::ProtocolStack;
use super::job::{Attempt, AttemptJob, ClientCommand, ClientResponse, Phases};
use crate::error::{Context, Result};
use crate::peers::{Environment, on_core};
use crate::process::{log_file, register_child, unregister_child};

/// A `session-client` that waits for its next command. It exits when dropped.
pub(crate) struct ClientProcess {
    child: Child,
    stdin: Option<ChildStdin>,
    stdout: BufReader<ChildStdout>,
    log: PathBuf,
}

impl ClientProcess {
    pub(crate) fn start(command: &mut Command, log: &Path) -> Result<Self> {
        Self::adopt(prepare(command, log)?.spawn().context("the client")?, log)
    }

    /// Starts the client at a place of an experiment's network, with the addresses and credentials
    /// in a file. `directory` is for its log and for the sockets of a session broker.
    pub(crate) fn start_at(
        place: &Place,
        core: Option<usize>,
        credentials: &Path,
        directory: &Path,
        environment: Environment,
    ) -> Result<Self> {
        let mut command = on_core(core, &std::env::current_exe()?)?;
        command.arg("session-client").arg(credentials).env("XDG_RUNTIME_DIR", directory);
        command.envs(environment.iter().copied());
        let log = directory.join("client.log");
        prepare(&mut command, &log)?;
        Self::adopt(place.spawn(command)?, &log)
    }

    fn adopt(mut child: Child, log: &Path) -> Result<Self> {
        register_child(child.id());
        let stdout = child.stdout.take().ok_or("cannot read the client's output: it is not a pipe")?;
        Ok(Self { stdin: child.stdin.take(), stdout: BufReader::new(stdout), log: log.into(), child })
    }

    pub(crate) fn id(&self) -> u32 {
        self.child.id()
    }

    /// Sends a command; returns its output.
    pub(crate) fn send_command(&mut self, command: &str) -> Result<String> {
        let stdin = self.stdin.as_mut().ok_or("cannot write to the client: its input is not a pipe")?;
        let mut output = String::new();
        if writeln!(stdin, "{command}").is_err() || self.stdout.read_line(&mut output)? == 0 {
            let why = fs::read_to_string(&self.log).unwrap_or_default();
            return Err(format!("the client has exited: {}", why.trim()).into());
        }
        Ok(output.trim().to_owned())
    }

    /// Runs a job; returns the phases of each session.
    pub(crate) fn run(&mut self, job: impl Into<ClientCommand>) -> Result<Vec<Phases>> {
        match self.respond(&job.into())? {
            ClientResponse::Phases(phases) => Ok(phases),
            _ => Err("unexpected response of the client".into()),
        }
    }

    /// Runs a job whose sessions may fail; returns the result of each.
    pub(crate) fn attempt(&mut self, job: AttemptJob) -> Result<Vec<Attempt>> {
        match self.respond(&ClientCommand::Attempt(job))? {
            ClientResponse::Attempts(attempts) => Ok(attempts),
            _ => Err("unexpected response of the client".into()),
        }
    }

    /// Opens sessions and keeps them open, and sends one request in each if `use_once` is true.
    /// Returns the number of sessions that are open.
    pub(crate) fn hold(&mut self, stack: ProtocolStack, count: usize, use_once: bool) -> Result<usize> {
        self.count_open(&ClientCommand::Hold { stack: stack.id(), count, use_once })
    }

    /// Closes the sessions that are kept open.
    pub(crate) fn release(&mut self) -> Result<()> {
        self.count_open(&ClientCommand::Release).map(drop)
    }

    /// Sends GETs in the sessions that were opened with [`Self::hold`] and used once: one session
    /// after the other, with several requests in flight. Returns the seconds.
    pub(crate) fn exchange(&mut self, requests: usize) -> Result<f64> {
        self.seconds(&ClientCommand::Exchange { requests })
    }

    /// Opens and closes sessions, several in parallel, and sends one request in each if `use_once`
    /// is true. Returns the seconds.
    pub(crate) fn churn(&mut self, stack: ProtocolStack, count: usize, use_once: bool) -> Result<f64> {
        self.seconds(&ClientCommand::Churn { stack: stack.id(), count, use_once })
    }

    fn seconds(&mut self, command: &ClientCommand) -> Result<f64> {
        match self.respond(command)? {
            ClientResponse::Seconds(seconds) => Ok(seconds),
            _ => Err("unexpected response of the client".into()),
        }
    }

    fn count_open(&mut self, command: &ClientCommand) -> Result<usize> {
        match self.respond(command)? {
            ClientResponse::Open(count) => Ok(count),
            _ => Err("unexpected response of the client".into()),
        }
    }

    fn respond(&mut self, command: &ClientCommand) -> Result<ClientResponse> {
        let output = self.send_command(&serde_json::to_string(command)?)?;
        match serde_json::from_str(&output)? {
            ClientResponse::Failed(reason) => Err(reason.into()),
            response => Ok(response),
        }
    }

    /// Returns the seconds of `count` one-shots.
    pub(crate) fn one_shots(&mut self, stack: ProtocolStack, count: usize) -> Result<Vec<f64>> {
        let output = self.send_command(&format!("one-shot {} {count}", stack.id()))?;
        output.split(' ').map(|seconds| Ok(seconds.parse()?)).collect()
    }

    /// Returns the value of `name` in the output of a command.
    pub(crate) fn number(&mut self, command: &str, name: &str) -> Result<f64> {
        value(&self.send_command(command)?, name)
    }
}

impl Drop for ClientProcess {
    fn drop(&mut self) {
        // The client exits at the end of its stdin.
        self.stdin = None;
        let _ = self.child.wait();
        unregister_child(self.child.id());
    }
}

fn prepare<'c>(command: &'c mut Command, log: &Path) -> Result<&'c mut Command> {
    Ok(command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(log_file(log)?))
}

/// Returns the number after `name=` in a line.
pub(crate) fn value(line: &str, name: &str) -> Result<f64> {
    let found = line.split_whitespace().find_map(|word| word.strip_prefix(name)?.strip_prefix('='));
    Ok(found.ok_or_else(|| format!("no {name} in '{line}'"))?.parse()?)
}
