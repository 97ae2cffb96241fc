//! Where text comes from: the disk, or whatever stands in for it.

use std::{
    ffi::OsStr,
    fs::{self, File},
    io::{self, Read},
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
};

/// Files by their paths.
pub trait FileSource {
    /// A file's text; `NotFound` where there is none.
    fn text(&self, path: &Path) -> io::Result<FileText>;

    /// Every `*.conf` of a folder, in the order of their names.
    fn folder(&self, path: &Path) -> io::Result<Vec<PathBuf>>;
}

/// A file as it was read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FileText {
    /// Octets that are no UTF-8 have become U+FFFD.
    pub text: String,
    /// Permission bits; what is above them does not matter.
    pub mode: u32,
}

/// This machine's files. A file's first mebibyte is read.
#[derive(Clone, Copy, Debug, Default)]
pub struct DiskFiles;

impl FileSource for DiskFiles {
    fn text(&self, path: &Path) -> io::Result<FileText> {
        // A pipe would make us wait for whoever writes it.
        let metadata = fs::metadata(path)?;
        if !metadata.is_file() {
            return Err(io::Error::other("it is no regular file"));
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
