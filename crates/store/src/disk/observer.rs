//! A directory that is opened for reading only: nothing is created, locked or repaired.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use super::{AppendFile, Disk};

pub(crate) struct Observer(PathBuf);

impl Observer {
    pub(crate) fn at(directory: &Path) -> Self {
        Self(directory.to_owned())
    }
}

impl Disk for Observer {
    fn read(&self, name: &str) -> io::Result<Option<Vec<u8>>> {
        match fs::read(self.0.join(name)) {
            Ok(content) => Ok(Some(content)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }

    fn write(&mut self, _: &str, _: &[u8]) -> io::Result<()> {
        read_only_error()
    }

    fn rename(&mut self, _: &str, _: &str) -> io::Result<()> {
        read_only_error()
    }

    fn remove(&mut self, _: &str) -> io::Result<()> {
        read_only_error()
    }

    fn open(&mut self, _: &str) -> io::Result<Box<dyn AppendFile>> {
        read_only_error()
    }
}

fn read_only_error<T>() -> io::Result<T> {
    Err(io::ErrorKind::ReadOnlyFilesystem.into())
}
