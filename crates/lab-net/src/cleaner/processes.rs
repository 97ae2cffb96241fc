//! Finds and kills the processes of the lab.

use std::fs::{self, File};
use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{Pid, PidfdFlags, Signal, pidfd_open, pidfd_send_signal};

use super::MARKER;

/// A network namespace that stays identifiable while this value exists.
pub(super) struct Namespace {
    /// Keeps the number from being assigned to another namespace.
    _file: File,
    identity: (u64, u64),
}

impl Namespace {
    /// Opens a namespace.
    pub(super) fn open(path: &Path) -> io::Result<Self> {
        let file = File::open(path)?;
        let metadata = file.metadata()?;
        Ok(Self { identity: (metadata.dev(), metadata.ino()), _file: file })
    }
}

/// A process other than this one.
pub(super) struct Process(Pid);

impl Process {
    /// Returns true if the process runs in the namespace.
    pub(super) fn is_in(&self, namespace: &Namespace) -> bool {
        let metadata = fs::metadata(format!("/proc/{}/ns/net", self.0.as_raw_nonzero()));
        metadata.is_ok_and(|metadata| (metadata.dev(), metadata.ino()) == namespace.identity)
    }

    /// Returns true if the process has the PID namespace of this one.
    pub(super) fn is_in_own_pid_namespace(&self) -> bool {
        let namespace = |process: &str| fs::read_link(format!("/proc/{process}/ns/pid")).ok();
        let own = namespace("self");
        own.is_some() && namespace(&self.0.as_raw_nonzero().to_string()) == own
    }

    /// Returns the process ID.
    pub(super) fn id(&self) -> u32 {
        self.0.as_raw_nonzero().get().cast_unsigned()
    }

    /// Returns the marker with which the process was started, or the process that started it.
    pub(super) fn marker(&self) -> Option<String> {
        let environment = fs::read(format!("/proc/{}/environ", self.0.as_raw_nonzero())).ok()?;
        let mut variables = environment.split(|octet| *octet == 0);
        let value =
            variables.find_map(|variable| variable.strip_prefix(MARKER.as_bytes())?.strip_prefix(b"="))?;
        String::from_utf8(value.to_vec()).ok()
    }

    /// Kills the process if `matches` is still true for it. The descriptor refers to one process,
    /// even if its number is assigned to another one.
    fn kill(&self, matches: impl Fn(&Self) -> bool) -> Option<OwnedFd> {
        let descriptor = pidfd_open(self.0, PidfdFlags::empty()).ok()?;
        if !matches(self) {
            return None;
        }
        pidfd_send_signal(&descriptor, Signal::KILL).ok()?;
        Some(descriptor)
    }
}

/// Kills all processes for which `matches` is true, and waits until they have ended. Repeats this,
/// because a process may have started another one in the mean time.
pub(super) fn kill_all(matches: impl Fn(&Process) -> bool) {
    for _ in 0..MAX_ROUNDS {
        let found: Vec<Process> = all().filter(&matches).collect();
        if found.is_empty() {
            return;
        }
        let killed: Vec<OwnedFd> = found.iter().filter_map(|process| process.kill(&matches)).collect();
        for descriptor in &killed {
            let timeout = Timespec::try_from(EXIT_TIMEOUT).ok();
            // The descriptor becomes readable when the process has ended.
            let _ = poll(&mut [PollFd::new(descriptor, PollFlags::IN)], timeout.as_ref());
        }
    }
}

/// Returns all processes except this one.
pub(super) fn all() -> impl Iterator<Item = Process> {
    let entries = fs::read_dir("/proc").into_iter().flatten().flatten();
    let numbers = entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok());
    let own = std::process::id().cast_signed();
    numbers.filter(move |number| *number != own).filter_map(Pid::from_raw).map(Process)
}

/// The number of times that processes are searched for, so that processes that cannot be killed do
/// not keep this one running.
const MAX_ROUNDS: usize = 50;

/// The time for a killed process to end.
const EXIT_TIMEOUT: Duration = Duration::from_secs(1);
