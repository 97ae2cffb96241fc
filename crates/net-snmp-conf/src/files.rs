//! The source of configuration files: the disk, or files in memory for tests.

use std::{
    ffi::OsStr,
    fs::{self, File},
    io::{self, Read},
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
};

/// A source of files, which are found by path.
pub trait FileSource {
    /// Returns the content of a file.
    ///
    /// # Errors
    /// Returns `NotFound` if the file does not exist, and other errors if it cannot be read.
    fn text(&self, path: &Path) -> io::Result<FileText>;

    /// Returns all `*.conf` files of a directory, sorted by name.
    ///
    /// # Errors
    /// Returns an error if the directory cannot be read.
    fn folder(&self, path: &Path) -> io::Result<Vec<PathBuf>>;
}

/// The content of a file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FileText {
    /// The text. Octets that are not valid UTF-8 have been replaced by U+FFFD.
    pub text: String,
    /// The permission bits of the file. Higher bits are ignored.
    pub mode: u32,
}

/// The files on disk. Only the first mebibyte of a file is read.
#[derive(Clone, Copy, Debug, Default)]
pub struct DiskFiles;

impl FileSource for DiskFiles {
    fn text(&self, path: &Path) -> io::Result<FileText> {
        // Checks the type first, because opening a pipe would block until a process writes to it.
        let metadata = fs::metadata(path)?;
        if !metadata.is_file() {
            return Err(io::Error::other("not a regular file"));
        }
        let mut octets = Vec::new();
        File::open(path)?.take(MAX_FILE_SIZE).read_to_end(&mut octets)?;
        let text = String::from_utf8_lossy(&octets).into_owned();
        Ok(FileText { text, mode: metadata.permissions().mode() & 0o7777 })
    }

    fn folder(&self, path: &Path) -> io::Result<Vec<PathBuf>> {
        let entries = fs::read_dir(path)?.flatten().map(|entry| entry.path());
        let mut files: Vec<PathBuf> =
            entries.filter(|path| path.extension() == Some(OsStr::new("conf"))).collect();
        files.sort();
        Ok(files)
    }
}

const MAX_FILE_SIZE: u64 = 1 << 20;
