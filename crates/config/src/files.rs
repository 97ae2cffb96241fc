//! Access to files that the configuration refers to.

use std::{
    fs, io,
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
};

use portreeve_secret::Secret;

/// Reads files that the configuration refers to.
pub trait Files {
    /// Returns the content of a file of at most 64 KiB.
    ///
    /// # Errors
    /// If the file cannot be read or is too long.
    fn read(&self, path: &Path) -> io::Result<Secret>;

    /// Returns true if users other than the file's owner may read it.
    fn is_open_to_others(&self, path: &Path) -> bool;

    /// Returns true if users other than the file's owner may change it.
    fn is_writable_by_others(&self, path: &Path) -> bool;
}

/// Files on this machine; relative paths start from a given directory.
pub struct DiskFiles {
    directory: PathBuf,
}

impl DiskFiles {
    /// Resolves relative paths from the directory of `file`.
    pub fn beside(file: &Path) -> Self {
        Self { directory: file.parent().unwrap_or(Path::new("")).to_owned() }
    }

    fn has_any_mode(&self, path: &Path, bits: u32) -> bool {
        fs::metadata(self.directory.join(path)).is_ok_and(|data| data.permissions().mode() & bits != 0)
    }
}

impl Files for DiskFiles {
    fn read(&self, path: &Path) -> io::Result<Secret> {
        let path = self.directory.join(path);
        if fs::metadata(&path)?.len() > MAX_SECRET_FILE_LEN {
            return Err(io::Error::other("file is larger than 64 KiB"));
        }
        fs::read(path).map(Secret::new)
    }

    fn is_open_to_others(&self, path: &Path) -> bool {
        self.has_any_mode(path, 0o077)
    }

    fn is_writable_by_others(&self, path: &Path) -> bool {
        self.has_any_mode(path, 0o022)
    }
}

/// Provides no files: for configuration text that does not come from a file.
pub struct NoFiles;

impl Files for NoFiles {
    fn read(&self, _: &Path) -> io::Result<Secret> {
        Err(io::ErrorKind::Unsupported.into())
    }

    fn is_open_to_others(&self, _: &Path) -> bool {
        false
    }

    fn is_writable_by_others(&self, _: &Path) -> bool {
        false
    }
}

const MAX_SECRET_FILE_LEN: u64 = 64 * 1024;
