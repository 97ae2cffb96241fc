//! The client process of the experiments.

use std::fs::{self, File};
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use crate::error::{Context, Result};
use crate::process::{register_child, unregister_child};
use crate::session_client::ProtocolStack;

/// A `session-client` that waits for its next command. It exits when dropped.
pub(super) struct Client {
    child: Child,
    stdin: Option<ChildStdin>,
    stdout: BufReader<ChildStdout>,
    log: PathBuf,
}

impl Client {
    pub(super) fn start(command: &mut Command, log: &Path) -> Result<Self> {
        let file = File::create(log).context(log.display())?;
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(file)
            .spawn()
            .context("the client")?;
        register_child(child.id());
        let stdout = child.stdout.take().ok_or("cannot read the client's output: it is not a pipe")?;
        Ok(Self { stdin: child.stdin.take(), stdout: BufReader::new(stdout), log: log.into(), child })
    }

    pub(super) fn id(&self) -> u32 {
        self.child.id()
    }

    /// Sends a command; returns its output.
    pub(super) fn send_command(&mut self, command: &str) -> Result<String> {
        let stdin = self.stdin.as_mut().ok_or("cannot write to the client: its input is not a pipe")?;
        let mut output = String::new();
        if writeln!(stdin, "{command}").is_err() || self.stdout.read_line(&mut output)? == 0 {
            let why = fs::read_to_string(&self.log).unwrap_or_default();
            return Err(format!("the client has exited: {}", why.trim()).into());
        }
        Ok(output.trim().to_owned())
    }

    /// Returns the seconds of `count` one-shots.
    pub(super) fn one_shots(&mut self, stack: ProtocolStack, count: usize) -> Result<Vec<f64>> {
        let output = self.send_command(&format!("one-shot {} {count}", stack.id()))?;
        output.split(' ').map(|seconds| Ok(seconds.parse()?)).collect()
    }

    /// Returns the value of `name` in the output of a command.
    pub(super) fn number(&mut self, command: &str, name: &str) -> Result<f64> {
        value(&self.send_command(command)?, name)
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        // The client exits at the end of its stdin.
        self.stdin = None;
        let _ = self.child.wait();
        unregister_child(self.child.id());
    }
}

/// Returns the number after `name=` in a line.
pub(super) fn value(line: &str, name: &str) -> Result<f64> {
    let found = line.split_whitespace().find_map(|word| word.strip_prefix(name)?.strip_prefix('='));
    Ok(found.ok_or_else(|| format!("no {name} in '{line}'"))?.parse()?)
}
