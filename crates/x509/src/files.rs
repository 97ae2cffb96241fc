//! Reads PEM files, and reports the files that cannot be used.

use std::{
    fmt, fs,
    io::{self, Read},
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
};

use portreeve_sys::open_file;
use rustls_pki_types::pem::{self, PemObject};

/// Reads all objects of one kind in a PEM file. A file without such an object is an error.
pub(crate) fn read_pem<T: PemObject>(path: &Path, what: &'static str) -> Result<Vec<T>, FileError> {
    let file_error = |cause: String, hint| FileError { path: path.to_owned(), cause, hint };
    let octets = read_file(path).map_err(|error| {
        file_error(error.to_string(), "specify an existing file that this program can read")
    })?;
    let objects: Result<Vec<T>, pem::Error> = T::pem_slice_iter(&octets).collect();
    match objects {
        Ok(objects) if !objects.is_empty() => Ok(objects),
        Ok(_) => Err(file_error(format!("contains no {what}"), "expected PEM, which starts with -----BEGIN")),
        Err(error) => {
            Err(file_error(format!("invalid {what}: {error}"), "expected PEM, which starts with -----BEGIN"))
        }
    }
}

/// Reads a file that is regular, or `/dev/null`.
pub(crate) fn read_file(path: &Path) -> io::Result<Vec<u8>> {
    let mut octets = Vec::new();
    open_file(path)?.read_to_end(&mut octets)?;
    Ok(octets)
}

/// Checks that a private key file is private to its owner.
pub(crate) fn require_private(path: &Path) -> Result<(), FileError> {
    let file_error = |cause: String, hint| FileError { path: path.to_owned(), cause, hint };
    let mode = fs::metadata(path)
        .map_err(|error| {
            file_error(error.to_string(), "specify an existing file that this program can read")
        })?
        .permissions()
        .mode();
    if mode & 0o077 == 0 {
        return Ok(());
    }
    Err(file_error(
        format!("other users can read this private key (mode {:04o})", mode & 0o7777),
        "run chmod 600 on the file",
    ))
}

/// Error for a file that cannot be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileError {
    /// The path of the file.
    pub path: PathBuf,
    /// The reason why the file cannot be used.
    pub cause: String,
    /// A hint on how to fix it.
    pub hint: &'static str,
}

impl fmt::Display for FileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}\nhint: {}", self.path.display(), self.cause, self.hint)
    }
}

impl std::error::Error for FileError {}
