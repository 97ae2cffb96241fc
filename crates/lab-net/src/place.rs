//! A place on the network where programs run: the manager's, the agent's or the observer's network
//! namespace.
//!
//! The namespace has no name: it exists as long as this process refers to it or a process runs in
//! it. Processes are started by a thread of the place that ends with it, and the kernel kills them
//! when that thread ends, so that they end even if this process is killed.

use std::ffi::OsStr;
use std::fs::File;
use std::io;
use std::net::IpAddr;
use std::os::fd::{AsFd, AsRawFd};
use std::panic;
use std::path::PathBuf;
use std::process::{Child, Command};
use std::sync::Arc;
use std::sync::mpsc::{self, Sender};
use std::thread::{self, JoinHandle};

use rustix::thread::{LinkNameSpaceType, move_into_link_name_space};

use crate::cleaner::Cleaner;
use crate::error::{Context, NetError, Result};

/// A network namespace, or the one in which this process runs.
pub struct Place {
    name: &'static str,
    /// `None` if programs run in the namespace of this process.
    namespace: Option<Arc<File>>,
    addresses: Vec<IpAddr>,
    starter: Sender<Job>,
    cleaner: Cleaner,
}

/// Work for the thread that starts processes.
type Job = Box<dyn FnOnce() + Send>;

impl Place {
    /// Creates a place with a network namespace of its own.
    pub(crate) fn isolated(name: &'static str, addresses: Vec<IpAddr>, cleaner: &Cleaner) -> Result<Self> {
        let (sender, created) = mpsc::channel();
        let starter = start_thread(name, move |jobs| {
            let namespace = portreeve_sys::create_network_namespace();
            let continues = namespace.is_ok();
            let _ = sender.send(namespace);
            if continues {
                run_all(jobs);
            }
        })?;
        let namespace = created.recv().map_err(io::Error::other).flatten();
        let namespace = Arc::new(namespace.context("cannot create a network namespace, which needs root")?);
        let place = Self { name, namespace: Some(namespace), addresses, starter, cleaner: cleaner.clone() };
        cleaner.watch_namespace(&place.namespace_path())?;
        Ok(place)
    }

    /// Creates a place in the network namespace of this process.
    pub(crate) fn shared(name: &'static str, addresses: Vec<IpAddr>, cleaner: &Cleaner) -> Result<Self> {
        let starter = start_thread(name, run_all)?;
        Ok(Self { name, namespace: None, addresses, starter, cleaner: cleaner.clone() })
    }

    /// Returns the name: `manager`, `agent` or `observer`.
    #[must_use]
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// Returns the IP addresses: IPv4, then IPv6 if the kernel supports it.
    #[must_use]
    pub fn addresses(&self) -> &[IpAddr] {
        &self.addresses
    }

    /// Returns true if the place has a network namespace of its own.
    #[must_use]
    pub fn is_isolated(&self) -> bool {
        self.namespace.is_some()
    }

    /// Returns the path of the namespace, which other processes can open while this place exists.
    #[must_use]
    pub fn namespace_path(&self) -> PathBuf {
        match &self.namespace {
            Some(namespace) => format!("/proc/{}/fd/{}", std::process::id(), namespace.as_raw_fd()).into(),
            None => PathBuf::from(format!("/proc/{}/ns/net", std::process::id())),
        }
    }

    /// Moves the calling thread into the namespace, for example before it starts an async runtime.
    /// Threads that it starts later begin there.
    ///
    /// # Errors
    /// The error of setns(2).
    pub fn enter(&self) -> Result<()> {
        enter(self.namespace.as_deref()).context(format_args!("cannot enter the {}'s namespace", self.name))
    }

    /// Runs `work` on a new thread in the namespace, and waits for its result.
    ///
    /// # Errors
    /// The error of setns(2).
    ///
    /// # Panics
    /// If `work` panics.
    pub fn run<T: Send>(&self, work: impl FnOnce() -> T + Send) -> Result<T> {
        let run = || self.enter().map(|()| work());
        thread::scope(|scope| scope.spawn(run).join()).unwrap_or_else(|reason| panic::resume_unwind(reason))
    }

    /// Runs `work` on a new thread in the namespace. The thread may survive the place.
    ///
    /// # Errors
    /// The error of creating a thread. The thread returns that of setns(2).
    pub fn spawn_thread<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<JoinHandle<Result<T>>> {
        let (name, namespace) = (self.name, self.namespace.clone());
        let run = move || {
            enter(namespace.as_deref()).context(format_args!("cannot enter the {name}'s namespace"))?;
            Ok(work())
        };
        thread::Builder::new().name(format!("in-{name}")).spawn(run).context("cannot start a thread")
    }

    /// Returns a command that enters the namespace, mounts its `/sys`, and then executes `program`,
    /// for callers that start and stop the process themselves. The clean-up process kills it if
    /// this process is killed. Uses the programs `nsenter`, `unshare` and `mount`.
    #[must_use]
    pub fn command(&self, program: impl AsRef<OsStr>) -> Command {
        let mut command = if self.is_isolated() {
            let mut command = Command::new("nsenter");
            command.arg(format!("--net={}", self.namespace_path().display()));
            command.args(["--", "unshare", "--mount", "--", "sh", "-c", MOUNT_AND_EXECUTE, "sh"]);
            command.arg(program);
            command
        } else {
            Command::new(program)
        };
        self.cleaner.mark(&mut command);
        command
    }

    /// Starts a process in the namespace. The kernel kills it when the place is dropped or this
    /// process ends; the processes that it starts in turn are killed by the clean-up process.
    ///
    /// # Errors
    /// The error of starting the program.
    pub fn spawn(&self, mut command: Command) -> Result<Child> {
        let program = command.get_program().to_string_lossy().into_owned();
        self.cleaner.mark(&mut command);
        let (sender, started) = mpsc::channel();
        let job = move || {
            let _ = sender.send(portreeve_sys::kill_with_parent(&mut command).spawn());
        };
        let ended = || NetError::Failed(format!("cannot start {program}: the thread has ended"));
        self.starter.send(Box::new(job)).map_err(|_| ended())?;
        let child = started.recv().map_err(|_| ended())?;
        child.context(format_args!("cannot start {program} in the {}'s namespace", self.name))
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        if self.is_isolated() {
            self.cleaner.end_namespace(&self.namespace_path());
        }
    }
}

fn enter(namespace: Option<&File>) -> io::Result<()> {
    let Some(namespace) = namespace else { return Ok(()) };
    Ok(move_into_link_name_space(namespace.as_fd(), Some(LinkNameSpaceType::Network))?)
}

/// Mounts the `/sys` that shows the interfaces of the namespace, and executes the arguments.
const MOUNT_AND_EXECUTE: &str = r#"mount -t sysfs sysfs /sys && exec "$@""#;

fn start_thread(name: &str, work: impl FnOnce(mpsc::Receiver<Job>) + Send + 'static) -> Result<Sender<Job>> {
    let (sender, jobs) = mpsc::channel();
    let thread = thread::Builder::new().name(format!("{name}-starter"));
    thread.spawn(move || work(jobs)).context("cannot start a thread")?;
    Ok(sender)
}

fn run_all(jobs: mpsc::Receiver<Job>) {
    jobs.into_iter().for_each(|job| job());
}
