//! A directory in the file system, locked by one process at a time.

use std::fs::{self, DirBuilder, File, Metadata, TryLockError};
use std::io::{self, Write};
use std::os::unix::fs::{DirBuilderExt, FileExt, MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};

use rustix::process::geteuid;

use super::{AppendFile, Content, Disk, open_options, read_file};
use crate::error::{OpenError, UnsafeDirectoryReason};

/// An open, locked state directory. The lock is released when the process ends.
#[derive(Debug)]
pub(crate) struct Directory {
    path: PathBuf,
    /// The directory itself, which is locked, and synced after a rename.
    handle: File,
}

impl Directory {
    /// Opens and locks `path`, and creates it if necessary (mode 0700). Refuses a directory whose
    /// files other users can change.
    pub(crate) fn open(path: &Path) -> Result<Self, OpenError> {
        let failed = |source| OpenError::Directory { path: path.to_owned(), source };
        create(path, sync).map_err(failed)?;
        let handle = File::open(path).map_err(failed)?;
        if let Some(reason) = unsafe_reason(&handle.metadata().map_err(failed)?) {
            return Err(OpenError::Unsafe { path: path.to_owned(), reason });
        }
        match handle.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                let pid = fs::read_to_string(path.join(LOCK)).ok().and_then(|text| text.trim().parse().ok());
                return Err(OpenError::Locked { path: path.to_owned(), pid });
            }
            Err(TryLockError::Error(source)) => return Err(failed(source)),
        }
        let directory = Self { path: path.to_owned(), handle };
        // The content of the lock file is used only in the error message above. Errors are ignored,
        // because the lock does not depend on the content.
        let _ = directory.create(LOCK).and_then(|mut file| writeln!(file, "{}", std::process::id()));
        Ok(directory)
    }

    /// Returns whether other users have access to the directory.
    pub(crate) fn is_accessible_by_others(&self) -> bool {
        self.handle.metadata().is_ok_and(|metadata| metadata.permissions().mode() & 0o077 != 0)
    }

    fn create(&self, name: &str) -> io::Result<File> {
        open_options().write(true).create(true).truncate(true).open(self.path.join(name))
    }
}

/// Creates the missing directories of `path`, and makes their names durable by calling `sync` with
/// the parent of each new directory.
fn create(path: &Path, sync: impl Fn(&Path) -> io::Result<()>) -> io::Result<()> {
    let missing: Vec<&Path> = path.ancestors().take_while(|path| !is_present(path)).collect();
    DirBuilder::new().recursive(true).mode(0o700).create(path)?;
    missing.iter().filter_map(|path| path.parent()).try_for_each(|parent| {
        let is_relative_start = parent.as_os_str().is_empty();
        sync(if is_relative_start { Path::new(".") } else { parent })
    })
}

/// Returns whether a path exists. The empty path, with which a relative path starts, always exists.
fn is_present(path: &Path) -> bool {
    path.as_os_str().is_empty() || path.exists()
}

fn sync(directory: &Path) -> io::Result<()> {
    File::open(directory)?.sync_all()
}

/// Returns the reason why other users can change the files in a directory; `None` if they cannot.
fn unsafe_reason(directory: &Metadata) -> Option<UnsafeDirectoryReason> {
    let (owner, mode) = (directory.uid(), directory.mode() & 0o7777);
    if owner != 0 && owner != geteuid().as_raw() {
        return Some(UnsafeDirectoryReason::ForeignOwner(owner));
    }
    (mode & 0o022 != 0).then_some(UnsafeDirectoryReason::WritableByOthers(mode))
}

impl Disk for Directory {
    fn read(&self, name: &str) -> io::Result<Option<Content>> {
        read_file(&self.path.join(name))
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
        Ok(Box::new(open_options().write(true).open(self.path.join(name))?))
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

#[cfg(test)]
mod tests;
