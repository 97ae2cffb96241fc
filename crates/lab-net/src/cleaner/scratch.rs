//! Temporary directories.

use std::fs::DirBuilder;
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};

use super::{Cleaner, Item, NAME_PREFIX, UsageLock, nanoseconds_now, removal};
use crate::error::{Context, Result};

/// A temporary directory, which only its owner can read. It is removed on drop, or by the clean-up
/// process.
pub struct ScratchDirectory {
    path: PathBuf,
    cleaner: Cleaner,
    _lock: UsageLock,
}

impl ScratchDirectory {
    /// Creates a directory.
    ///
    /// # Errors
    /// The error of mkdir(2).
    pub fn new(cleaner: &Cleaner) -> Result<Self> {
        let name = format!("{NAME_PREFIX}{}-{}", std::process::id(), nanoseconds_now());
        let path = std::env::temp_dir().join(name);
        cleaner.add(&Item::Directory(path.clone()))?;
        let created = DirBuilder::new().mode(0o700).create(&path);
        if created.is_err() {
            // The path may belong to another user.
            cleaner.forget(&Item::Directory(path.clone()))?;
        }
        created.context(format_args!("cannot create {}", path.display()))?;
        let lock = UsageLock::new(&path).context(format_args!("cannot lock {}", path.display()))?;
        Ok(Self { path, cleaner: cleaner.clone(), _lock: lock })
    }

    /// Returns the path.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }
}

impl Drop for ScratchDirectory {
    fn drop(&mut self) {
        // If this fails, the clean-up process tries again and reports the error.
        if removal::remove_directory(&self.path).is_ok() {
            let _ = self.cleaner.forget(&Item::Directory(self.path.clone()));
        }
    }
}
