//! Reading PEM files, and saying what is wrong with them.

use std::{
    fmt, fs,
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
};

use rustls_pki_types::pem::{self, PemObject};

/// All objects of one kind in a PEM file; at least one.
pub(crate) fn read_pem<T: PemObject>(path: &Path, what: &'static str) -> Result<Vec<T>, FileError> {
    let problem = |found: String, cure| FileError { path: path.to_owned(), cause: found, hint: cure };
    let octets = fs::read(path).map_err(|error| {
        problem(error.to_string(), "name a file that exists and that this program may read")
    })?;
    let objects: Result<Vec<T>, pem::Error> = T::pem_slice_iter(&octets).collect();
    match objects {
        Ok(objects) if !objects.is_empty() => Ok(objects),
        Ok(_) => Err(problem(format!("no {what} in it"), "expected PEM, which begins with -----BEGIN")),
        Err(error) => {
            Err(problem(format!("no {what}: {error}"), "expected PEM, which begins with -----BEGIN"))
        }
    }
}

/// A private key is nobody else's business.
pub(crate) fn require_private(path: &Path) -> Result<(), FileError> {
    let problem = |found: String, cure| FileError { path: path.to_owned(), cause: found, hint: cure };
    let mode = fs::metadata(path)
        .map_err(|error| {
            problem(error.to_string(), "name a file that exists and that this program may read")
        })?
        .permissions()
        .mode();
    if mode & 0o077 == 0 {
        return Ok(());
    }
    Err(problem(
        format!("others may use this private key (mode {:04o})", mode & 0o7777),
        "chmod 600 the file",
    ))
}

/// A file that cannot be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileError {
    /// Which file.
    pub path: PathBuf,
    /// What is wrong with it.
    pub cause: String,
    /// What to do.
    pub hint: &'static str,
}

impl fmt::Display for FileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}\nhint: {}", self.path.display(), self.cause, self.hint)
    }
}

impl std::error::Error for FileError {}
