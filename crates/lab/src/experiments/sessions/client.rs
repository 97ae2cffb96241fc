//! The client's process, as seen from here.

use std::fs::{self, File};
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use crate::failure::{Context, Result};
use crate::process::{note_ended, note_running};
use crate::session_client::Way;

/// A `session-client` that waits for its next command. Dropped, it ends.
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
        note_running(child.id());
        let stdout = child.stdout.take().ok_or("no pipe from the client")?;
        Ok(Self { stdin: child.stdin.take(), stdout: BufReader::new(stdout), log: log.into(), child })
    }

    pub(super) fn id(&self) -> u32 {
        self.child.id()
    }

    /// Has it do something; what it says of that.
    pub(super) fn say(&mut self, command: &str) -> Result<String> {
        let stdin = self.stdin.as_mut().ok_or("no pipe to the client")?;
        let mut said = String::new();
        if writeln!(stdin, "{command}").is_err() || self.stdout.read_line(&mut said)? == 0 {
            let why = fs::read_to_string(&self.log).unwrap_or_default();
            return Err(format!("the client has ended: {}", why.trim()).into());
        }
        Ok(said.trim().to_owned())
    }

    /// Seconds of `count` one-shots.
    pub(super) fn one_shots(&mut self, way: Way, count: usize) -> Result<Vec<f64>> {
        let said = self.say(&format!("one-shot {} {count}", way.word()))?;
        said.split(' ').map(|seconds| Ok(seconds.parse()?)).collect()
    }

    /// The value of `name` in what it says to a command.
    pub(super) fn number(&mut self, command: &str, name: &str) -> Result<f64> {
        value(&self.say(command)?, name)
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        // It ends with its stdin.
        self.stdin = None;
        let _ = self.child.wait();
        note_ended(self.child.id());
    }
}

/// The number behind `name=` in a line.
pub(super) fn value(line: &str, name: &str) -> Result<f64> {
    let found = line.split_whitespace().find_map(|word| word.strip_prefix(name)?.strip_prefix('='));
    Ok(found.ok_or_else(|| format!("no {name} in '{line}'"))?.parse()?)
}
