//! A directory in the file system, locked by one process at a time.
//!
//! Its files are opened relative to the open directory, so that a later change of its path has no
//! effect.

use std::fs::{File, Metadata, TryLockError};
use std::io::{self, Read, Write};
use std::os::fd::AsFd;
use std::os::unix::fs::{FileExt, MetadataExt, PermissionsExt};
use std::path::Path;

use rustix::fs::{AtFlags, OFlags, renameat, unlinkat};

use super::{AppendFile, Disk, Input, open_file, path, read_file};
use crate::error::{OpenError, UnsafeDirectoryReason};

/// An open, locked state directory. The lock is released when it is dropped.
#[derive(Debug)]
pub(crate) struct Directory {
    handle: File,
}

impl Directory {
    /// Opens and locks the directory, and creates it if necessary (mode 0700). Refuses a directory
    /// that other users can change or replace.
    pub(crate) fn open(path: &Path) -> Result<Self, OpenError> {
        let failed = |source| OpenError::Directory { path: path.to_owned(), source };
        if let Some((path, reason)) = path::find_unsafe_parent(path).map_err(failed)? {
            return Err(OpenError::Unsafe { path, reason });
        }
        path::create(path, |parent| File::open(parent)?.sync_all()).map_err(failed)?;
        let directory = Self { handle: File::open(path).map_err(failed)? };
        if let Some(reason) = unsafe_reason(&directory.handle.metadata().map_err(failed)?) {
            return Err(OpenError::Unsafe { path: path.to_owned(), reason });
        }
        match directory.handle.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                return Err(OpenError::Locked { path: path.to_owned(), pid: directory.owner() });
            }
            Err(TryLockError::Error(source)) => return Err(failed(source)),
        }
        // The content of the lock file is used only in the error message above. Errors are ignored,
        // because the lock does not depend on the content.
        let _ = directory.write_new(LOCK).and_then(|mut file| writeln!(file, "{}", std::process::id()));
        Ok(directory)
    }

    /// Returns whether other users have access to the directory.
    pub(crate) fn is_accessible_by_others(&self) -> bool {
        self.handle.metadata().is_ok_and(|metadata| metadata.permissions().mode() & 0o077 != 0)
    }

    /// Returns the process ID of the process that has the directory locked, if known.
    fn owner(&self) -> Option<u32> {
        let mut text = String::new();
        self.read(LOCK).ok()??.content.take(20).read_to_string(&mut text).ok()?;
        text.trim().parse().ok()
    }

    pub(super) fn write_new(&self, name: &str) -> io::Result<File> {
        open_file(self.handle.as_fd(), name, OFlags::WRONLY | OFlags::CREATE | OFlags::TRUNC)
    }
}

/// Returns the reason why other users can change the files in a directory; `None` if they cannot.
fn unsafe_reason(directory: &Metadata) -> Option<UnsafeDirectoryReason> {
    let mode = directory.mode() & 0o7777;
    if !path::is_trusted(directory.uid()) {
        return Some(UnsafeDirectoryReason::ForeignOwner(directory.uid()));
    }
    (mode & 0o022 != 0).then_some(UnsafeDirectoryReason::WritableByOthers(mode))
}

impl Disk for Directory {
    fn read(&self, name: &str) -> io::Result<Option<Input>> {
        read_file(self.handle.as_fd(), name)
    }

    fn create(&self, name: &str) -> io::Result<Box<dyn AppendFile>> {
        Ok(Box::new(self.write_new(name)?))
    }

    fn open(&self, name: &str) -> io::Result<Box<dyn AppendFile>> {
        Ok(Box::new(open_file(self.handle.as_fd(), name, OFlags::WRONLY)?))
    }

    fn rename(&self, from: &str, to: &str) -> io::Result<()> {
        Ok(renameat(&self.handle, from, &self.handle, to)?)
    }

    fn remove(&self, name: &str) -> io::Result<()> {
        match unlinkat(&self.handle, name, AtFlags::empty()).map_err(io::Error::from) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
            _ => Ok(()),
        }
    }

    fn sync_names(&self) -> io::Result<()> {
        self.handle.sync_all()
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
