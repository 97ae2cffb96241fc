//! Marks what a run uses, for processes that do not see the run's process ID because they are in
//! another PID namespace, such as that of a container.

use std::fs::{File, TryLockError};
use std::io;
use std::path::Path;

/// A directory or control group that this process uses. The kernel removes the mark when the
/// process ends in any way.
pub(crate) struct UsageLock {
    _file: File,
}

impl UsageLock {
    /// Marks a directory.
    pub(crate) fn new(path: &Path) -> io::Result<Self> {
        let file = File::open(path)?;
        // Waits only while another process looks for the mark.
        file.lock()?;
        Ok(Self { _file: file })
    }
}

/// Returns true if a process has marked the directory.
pub(super) fn is_used(path: &Path) -> bool {
    File::open(path).is_ok_and(|file| matches!(file.try_lock(), Err(TryLockError::WouldBlock)))
}
