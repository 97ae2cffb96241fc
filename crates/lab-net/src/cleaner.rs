//! Removes all traces of the lab when it ends: normally, by Ctrl-C, by a panic, or by `kill -9`.
//!
//! ```text
//! lab ──"add directory /tmp/…"──▶ clean-up process      (acknowledged before the directory exists)
//!  ✗  ────── end of the pipe ────▶ ends processes, removes control groups and directories
//! ```
//! The clean-up process has a session of its own and ignores the signals by which a terminal or a
//! supervisor stops all processes of the lab. Network namespaces need no removal: the kernel
//! removes them with their interfaces and rules when the last process in them has ended.

mod item;
mod leftovers;
mod process;
mod processes;
mod removal;
mod scratch;
mod usage_lock;

use std::io::{self, BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{SystemTime, UNIX_EPOCH};

pub use leftovers::Leftovers;
pub use process::run_clean_up_process;
pub use scratch::ScratchDirectory;

pub(crate) use item::{Item, NAME_PREFIX};
pub(crate) use removal::remove_group;
pub(crate) use usage_lock::UsageLock;

use crate::error::{Context, NetError, Result};

/// The connection to the clean-up process. When the last clone is dropped, or this process ends in
/// any way, the clean-up process removes everything and exits.
#[derive(Clone)]
pub struct Cleaner(Arc<Shared>);

struct Shared {
    /// `None` after [`Cleaner::finish`].
    connection: Mutex<Option<Connection>>,
    /// The value of [`MARKER`] in the environment of all processes that the lab starts.
    marker: String,
}

struct Connection {
    child: Child,
    /// `None` while the connection is dropped.
    requests: Option<ChildStdin>,
    responses: BufReader<ChildStdout>,
}

impl Cleaner {
    /// The hidden argument with which a program calls [`run_clean_up_process`].
    pub const ARGUMENT: &str = "clean-up";

    /// Starts this program again as the clean-up process, with [`Self::ARGUMENT`].
    ///
    /// # Errors
    /// The program cannot be started or does not respond.
    pub fn start_own() -> Result<Self> {
        let program = std::env::current_exe().context("cannot find this program")?;
        let mut command = Command::new(program);
        command.arg(Self::ARGUMENT);
        Self::start(command)
    }

    /// Starts the clean-up process. `command` is a program that calls [`run_clean_up_process`].
    ///
    /// # Errors
    /// The program cannot be started or does not respond.
    pub fn start(mut command: Command) -> Result<Self> {
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .context("cannot start the clean-up process")?;
        let (Some(requests), Some(responses)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(NetError::Failed("the clean-up process has no pipes".to_owned()));
        };
        let connection = Connection { child, requests: Some(requests), responses: BufReader::new(responses) };
        let marker = format!("{}-{}", std::process::id(), nanoseconds_now());
        let shared = Shared { connection: Mutex::new(Some(connection)), marker: marker.clone() };
        let cleaner = Self(Arc::new(shared));
        cleaner.add(&Item::Marker(marker))?;
        Ok(cleaner)
    }

    /// Removes everything now, and waits until it is done; later registrations fail. For a handler
    /// of signals that ends this process.
    pub fn finish(&self) {
        let connection = self.0.connection.lock().unwrap_or_else(PoisonError::into_inner).take();
        drop(connection);
    }

    /// Marks a process that `command` will start as belonging to the lab, with all processes that
    /// it starts in turn.
    pub(crate) fn mark(&self, command: &mut Command) {
        command.env(MARKER, &self.0.marker);
    }

    /// Registers something to be removed. Returns when the clean-up process has recorded it.
    pub(crate) fn add(&self, item: &Item) -> Result<()> {
        self.request("add", item)
    }

    /// Removes a registration, after the item itself has been removed.
    pub(crate) fn forget(&self, item: &Item) -> Result<()> {
        self.request("forget", item)
    }

    /// Registers a network namespace: the processes in it are killed when the lab ends.
    pub(crate) fn watch_namespace(&self, path: &Path) -> Result<()> {
        self.add(&Item::Namespace(path.to_owned()))
    }

    /// Kills the processes in a network namespace, and removes its registration.
    pub(crate) fn end_namespace(&self, path: &Path) {
        if let Ok(namespace) = processes::Namespace::open(path) {
            processes::kill_all(|process| process.is_in(&namespace));
        }
        let _ = self.forget(&Item::Namespace(path.to_owned()));
    }

    fn request(&self, action: &str, item: &Item) -> Result<()> {
        let mut connection = self.0.connection.lock().unwrap_or_else(PoisonError::into_inner);
        let connection = connection
            .as_mut()
            .ok_or_else(|| NetError::Failed("the clean-up process has been stopped".to_owned()))?;
        let line = item.to_line().context("cannot register for removal")?;
        let response = connection.request(&format!("{action} {line}\n"));
        match response.context("the clean-up process does not respond")?.trim_end() {
            "ok" => Ok(()),
            error => Err(NetError::Failed(format!("the clean-up process cannot {action} {line}: {error}"))),
        }
    }
}

impl Connection {
    fn request(&mut self, line: &str) -> io::Result<String> {
        let requests = self.requests.as_mut().ok_or(io::ErrorKind::NotConnected)?;
        requests.write_all(line.as_bytes())?;
        let mut response = String::new();
        if self.responses.read_line(&mut response)? == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        Ok(response)
    }
}

impl Drop for Connection {
    fn drop(&mut self) {
        // Closing the pipe starts the removal.
        drop(self.requests.take());
        let _ = self.child.wait();
    }
}

fn nanoseconds_now() -> u128 {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_nanos()
}

/// The environment variable by which processes of the lab are found.
pub(crate) const MARKER: &str = "PORTREEVE_LAB";
