//! A directory that is opened only for reading. No file is created, locked or repaired.

use std::fs::File;
use std::io;
use std::os::fd::AsFd;
use std::path::Path;

use super::{AppendFile, Disk, Input, read_file};

/// An open directory; `None` if it does not exist.
pub(crate) struct Observer(Option<File>);

impl Observer {
    pub(crate) fn open(directory: &Path) -> io::Result<Self> {
        match File::open(directory) {
            Ok(handle) => Ok(Self(Some(handle))),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Self(None)),
            Err(error) => Err(error),
        }
    }
}

impl Disk for Observer {
    fn read(&self, name: &str) -> io::Result<Option<Input>> {
        self.0.as_ref().map_or(Ok(None), |handle| read_file(handle.as_fd(), name))
    }

    fn create(&self, _: &str) -> io::Result<Box<dyn AppendFile>> {
        read_only_error()
    }

    fn open(&self, _: &str) -> io::Result<Box<dyn AppendFile>> {
        read_only_error()
    }

    fn rename(&self, _: &str, _: &str) -> io::Result<()> {
        read_only_error()
    }

    fn remove(&self, _: &str) -> io::Result<()> {
        read_only_error()
    }

    fn sync_names(&self) -> io::Result<()> {
        read_only_error()
    }

    fn is_owned(&self) -> bool {
        false
    }
}

fn read_only_error<T>() -> io::Result<T> {
    Err(io::ErrorKind::ReadOnlyFilesystem.into())
}
