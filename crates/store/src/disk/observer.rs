//! A directory that is opened only for reading. No file is created, locked or repaired.

use std::{
    io,
    path::{Path, PathBuf},
};

use super::{AppendFile, Content, Disk, read_file};

pub(crate) struct Observer(PathBuf);

impl Observer {
    pub(crate) fn at(directory: &Path) -> Self {
        Self(directory.to_owned())
    }
}

impl Disk for Observer {
    fn read(&self, name: &str) -> io::Result<Option<Content>> {
        read_file(&self.0.join(name))
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
