//! A real directory, locked by one process at a time.

use std::fs::{self, DirBuilder, File, OpenOptions, TryLockError};
use std::io::{self, Write};
use std::os::unix::fs::{DirBuilderExt, FileExt, OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};

use super::{AppendFile, Disk};
use crate::error::OpenError;

/// An open, locked state directory. The lock is released when the process ends.
#[derive(Debug)]
pub(crate) struct Directory {
    path: PathBuf,
    /// The directory itself, which is locked, and synced after a rename.
    handle: File,
}

impl Directory {
    /// Opens and locks `path`, and creates it if necessary (mode 0700).
    pub(crate) fn open(path: &Path) -> Result<Self, OpenError> {
        let failed = |source| OpenError::Directory { path: path.to_owned(), source };
        DirBuilder::new().recursive(true).mode(0o700).create(path).map_err(failed)?;
        let handle = File::open(path).map_err(failed)?;
        match handle.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                let pid = fs::read_to_string(path.join(LOCK)).ok().and_then(|text| text.trim().parse().ok());
                return Err(OpenError::Locked { path: path.to_owned(), pid });
            }
            Err(TryLockError::Error(source)) => return Err(failed(source)),
        }
        let directory = Self { path: path.to_owned(), handle };
        // Only for the error message above; the lock does not depend on it.
        let _ = directory.create(LOCK).and_then(|mut file| writeln!(file, "{}", std::process::id()));
        Ok(directory)
    }

    /// Returns true if other users have access to the directory.
    pub(crate) fn is_accessible_by_others(&self) -> bool {
        self.handle.metadata().is_ok_and(|metadata| metadata.permissions().mode() & 0o077 != 0)
    }

    fn create(&self, name: &str) -> io::Result<File> {
        OpenOptions::new().write(true).create(true).truncate(true).mode(0o600).open(self.path.join(name))
    }
}

impl Disk for Directory {
    fn read(&self, name: &str) -> io::Result<Option<Vec<u8>>> {
        match fs::read(self.path.join(name)) {
            Ok(content) => Ok(Some(content)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }

    fn write(&mut self, name: &str, content: &[u8]) -> io::Result<()> {
        let mut file = self.create(name)?;
        file.write_all(content)?;
        file.sync_data()
    }

    fn rename(&mut self, from: &str, to: &str) -> io::Result<()> {
        fs::rename(self.path.join(from), self.path.join(to))?;
        self.handle.sync_all()
    }

    fn remove(&mut self, name: &str) -> io::Result<()> {
        match fs::remove_file(self.path.join(name)) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
            _ => Ok(()),
        }
    }

    fn open(&mut self, name: &str) -> io::Result<Box<dyn AppendFile>> {
        Ok(Box::new(OpenOptions::new().write(true).open(self.path.join(name))?))
    }
}

impl AppendFile for File {
    fn write_at(&mut self, offset: u64, content: &[u8]) -> io::Result<()> {
        self.write_all_at(content, offset)
    }

    fn sync(&mut self) -> io::Result<()> {
        self.sync_data()
    }

    fn truncate(&mut self, length: u64) -> io::Result<()> {
        self.set_len(length)
    }
}

const LOCK: &str = "lock";
