//! Errors of opening the state and of writing to it.

use std::path::PathBuf;
use std::sync::Arc;
use std::{error, fmt, io};

/// An error of opening a state directory. Damaged files are repaired and do not cause an error.
#[derive(Debug)]
pub enum OpenError {
    /// The directory cannot be created or read.
    Directory {
        /// The state directory.
        path: PathBuf,
        /// The error of the system call.
        source: io::Error,
    },
    /// Other users can change the files in the directory, or replace the directory.
    Unsafe {
        /// The state directory, or the part of its path that other users can change.
        path: PathBuf,
        /// The reason why other users can change the files.
        reason: UnsafeDirectoryReason,
    },
    /// Another process has the directory open.
    Locked {
        /// The state directory.
        path: PathBuf,
        /// The process ID of the owner, if known.
        pid: Option<u32>,
    },
    /// A file exists but cannot be read.
    Unreadable {
        /// The path of the file.
        path: PathBuf,
        /// The error of the system call.
        source: io::Error,
    },
    /// A file was written by a newer version of this program and may contain data that this version
    /// cannot interpret.
    NewerFormat {
        /// The path of the file.
        path: PathBuf,
        /// The format version of the file.
        version: u32,
    },
}

/// The reason why other users can change the files in a directory, or replace the directory.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum UnsafeDirectoryReason {
    /// The directory belongs to this user, which is neither the user of this process nor root.
    ForeignOwner(u32),
    /// The mode of the directory allows other users to write.
    WritableByOthers(u32),
    /// A parent directory belongs to this user, which is neither the user of this process nor root.
    ForeignParent(u32),
    /// The mode of a parent directory allows other users to replace the directories in it.
    WritableParent(u32),
    /// A part of the path is a symbolic link of this user, which is neither the user of this
    /// process nor root.
    ForeignLink(u32),
}

impl UnsafeDirectoryReason {
    /// Returns the words before the path that the reason is about.
    fn subject(self) -> &'static str {
        match self {
            Self::ForeignOwner(_) | Self::WritableByOthers(_) => "the state directory",
            Self::ForeignParent(_) | Self::WritableParent(_) => {
                "other users can replace the state directory: its parent"
            }
            Self::ForeignLink(_) => "other users can replace the state directory: the part of its path",
        }
    }
}

impl fmt::Display for UnsafeDirectoryReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::ForeignOwner(uid) => write!(f, "belongs to user ID {uid}; run chown on the directory"),
            Self::WritableByOthers(mode) => {
                write!(f, "can be written by other users (mode {mode:04o}); run chmod 700 on the directory")
            }
            Self::ForeignParent(uid) => {
                write!(f, "belongs to user ID {uid}, who can replace it; choose another directory")
            }
            Self::WritableParent(mode) => {
                write!(f, "can be written by other users (mode {mode:04o}); run chmod go-w on the parent")
            }
            Self::ForeignLink(uid) => {
                write!(f, "is a symbolic link of user ID {uid}; choose another directory")
            }
        }
    }
}

impl fmt::Display for OpenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Directory { path, source } => {
                write!(f, "cannot use the state directory {}: {source}", path.display())
            }
            Self::Unsafe { path, reason } => {
                write!(f, "{} {} {reason}", reason.subject(), path.display())
            }
            Self::Locked { path, pid: Some(pid) } => {
                write!(f, "the state directory {} is in use by process {pid}", path.display())
            }
            Self::Locked { path, pid: None } => {
                write!(f, "the state directory {} is in use by another process", path.display())
            }
            Self::Unreadable { path, source } => write!(f, "cannot read {}: {source}", path.display()),
            Self::NewerFormat { path, version } => write!(
                f,
                "{} has format version {version}, written by a newer version of this program; this version supports {}",
                path.display(),
                crate::format::VERSION,
            ),
        }
    }
}

impl error::Error for OpenError {
    fn source(&self) -> Option<&(dyn error::Error + 'static)> {
        match self {
            Self::Directory { source, .. } | Self::Unreadable { source, .. } => Some(source),
            Self::Unsafe { .. } | Self::Locked { .. } | Self::NewerFormat { .. } => None,
        }
    }
}

/// The reason why a batch is not durable. After a restart, none of its changes are in effect,
/// unless it [may reappear](Self::may_reappear).
#[derive(Clone, Debug)]
pub enum StoreError {
    /// A system call failed, for example because the disk is full or read-only. Later batches may
    /// succeed.
    Io(Arc<io::Error>),
    /// A system call failed, and so did all attempts to remove again what had been written. After a
    /// restart, the batch may be in effect. Later batches may succeed, and remove it.
    NotUndone {
        /// The error of the write.
        error: Arc<io::Error>,
        /// The error of the last attempt to undo it.
        undo_error: Arc<io::Error>,
    },
    /// An earlier write has panicked.
    Closed,
}

impl StoreError {
    /// Returns true if a restart may find the batch, although it is not durable.
    #[must_use]
    pub fn may_reappear(&self) -> bool {
        matches!(self, Self::NotUndone { .. })
    }
}

impl fmt::Display for StoreError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io(error) => write!(f, "cannot write the state: {error}"),
            Self::NotUndone { error, undo_error } => write!(
                f,
                "cannot write the state: {error}; cannot undo the write: {undo_error}; the change may be in effect after a restart"
            ),
            Self::Closed => f.write_str("the state files are not written any more after an internal error"),
        }
    }
}

impl error::Error for StoreError {
    fn source(&self) -> Option<&(dyn error::Error + 'static)> {
        match self {
            Self::Io(error) | Self::NotUndone { error, .. } => Some(&**error),
            Self::Closed => None,
        }
    }
}

impl From<io::Error> for StoreError {
    fn from(error: io::Error) -> Self {
        Self::Io(Arc::new(error))
    }
}

/// The reason why a group of batches is not completely durable.
#[derive(Clone, Debug)]
pub struct GroupError {
    /// The number of batches at the start of the group that are durable.
    pub durable: usize,
    /// The failure of the first batch that is not durable. If it may reappear, so may the batches
    /// after it.
    pub error: StoreError,
}

impl fmt::Display for GroupError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.error.fmt(f)
    }
}

impl error::Error for GroupError {
    fn source(&self) -> Option<&(dyn error::Error + 'static)> {
        self.error.source()
    }
}

#[cfg(test)]
mod tests;
