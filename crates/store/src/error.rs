//! Why the state cannot be opened, and why a write is not durable.

use std::path::PathBuf;
use std::sync::Arc;
use std::{error, fmt, io};

/// Why a state directory cannot be opened. Damage in its files is no reason.
#[derive(Debug)]
pub enum OpenError {
    /// The directory can be neither made nor read.
    Directory {
        /// The state directory.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// Another process has it open.
    Locked {
        /// The state directory.
        path: PathBuf,
        /// Who, as far as known.
        pid: Option<u32>,
    },
    /// A file is there and cannot be read.
    Unreadable {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// A file was written by a later version of this program, which may mean more by it than we know.
    NewerFormat {
        /// The file.
        path: PathBuf,
        /// Its format version.
        version: u32,
    },
}

impl fmt::Display for OpenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Directory { path, source } => {
                write!(f, "cannot use the state directory {}: {source}", path.display())
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
                "{} has format version {version}, written by a later version of this program; this one knows {}",
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
            Self::Locked { .. } | Self::NewerFormat { .. } => None,
        }
    }
}

/// Why a batch is not durable. None of it will be seen after a restart.
#[derive(Clone, Debug)]
pub enum StoreError {
    /// The system refused; disk full and read-only disk are the usual reasons. A later batch is tried afresh.
    Io(Arc<io::Error>),
    /// Too many batches wait already.
    Busy,
    /// The writer has ended.
    Closed,
}

impl fmt::Display for StoreError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io(error) => write!(f, "the state cannot be written: {error}"),
            Self::Busy => f.write_str("too many changes wait for the disk"),
            Self::Closed => f.write_str("the state has been closed"),
        }
    }
}

impl error::Error for StoreError {
    fn source(&self) -> Option<&(dyn error::Error + 'static)> {
        match self {
            Self::Io(error) => Some(&**error),
            Self::Busy | Self::Closed => None,
        }
    }
}

impl From<io::Error> for StoreError {
    fn from(error: io::Error) -> Self {
        Self::Io(Arc::new(error))
    }
}
