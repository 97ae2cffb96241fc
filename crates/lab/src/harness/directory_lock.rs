//! The lock of a run directory, so that two runs never write to the same one.

use std::fs::{File, TryLockError};
use std::path::Path;

use crate::error::{Context, Result};

/// A locked directory. The kernel removes the lock when this process ends in any way.
pub(super) struct DirectoryLock(File);

impl DirectoryLock {
    /// Locks a directory, without waiting.
    ///
    /// # Errors
    /// If another run has locked it.
    pub(super) fn new(directory: &Path) -> Result<Self> {
        let name = directory.display();
        let file = File::open(directory).context(&name)?;
        match file.try_lock() {
            Ok(()) => Ok(Self(file)),
            Err(TryLockError::WouldBlock) => {
                Err(format!("another run uses {name}\nhint: wait until it ends, or choose another directory")
                    .into())
            }
            Err(TryLockError::Error(error)) => Err(error).context(format_args!("cannot lock {name}")),
        }
    }
}

impl Drop for DirectoryLock {
    fn drop(&mut self) {
        // Closing the file would not be enough: a child process that is about to start a program
        // has it open, too.
        let _ = self.0.unlock();
    }
}
