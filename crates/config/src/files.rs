//! Files that the configuration names.

use std::{
    fs, io,
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
};

use portreeve_secret::Secret;

/// Where named files are read from.
pub trait Files {
    /// The content of a file, of at most 64 KiB.
    fn read(&self, path: &Path) -> io::Result<Secret>;

    /// Whether anybody but the file's owner may read it.
    fn is_open_to_others(&self, path: &Path) -> bool;
}

/// Files on this machine; relative paths start from a directory.
pub struct DiskFiles {
    directory: PathBuf,
}

impl DiskFiles {
    /// Looks relative paths up from the directory that `file` is in.
    pub fn beside(file: &Path) -> Self {
        Self { directory: file.parent().unwrap_or(Path::new("")).to_owned() }
    }
}

impl Files for DiskFiles {
    fn read(&self, path: &Path) -> io::Result<Secret> {
        let path = self.directory.join(path);
        if fs::metadata(&path)?.len() > MAX_SECRET_FILE_LEN {
            return Err(io::Error::other("a file for one secret is not longer than 64 KiB"));
        }
        fs::read(path).map(Secret::new)
    }

    fn is_open_to_others(&self, path: &Path) -> bool {
        fs::metadata(self.directory.join(path)).is_ok_and(|data| data.permissions().mode() & 0o077 != 0)
    }
}

/// No file can be read: for text that comes from elsewhere.
pub struct NoFiles;

impl Files for NoFiles {
    fn read(&self, _: &Path) -> io::Result<Secret> {
        Err(io::ErrorKind::Unsupported.into())
    }

    fn is_open_to_others(&self, _: &Path) -> bool {
        false
    }
}

const MAX_SECRET_FILE_LEN: u64 = 64 * 1024;
