//! Reads small files whose permissions matter.

use std::{
    fmt,
    fs::{self, File},
    io::{self, Read},
    os::unix::fs::MetadataExt,
    path::{Path, PathBuf},
};

/// Reads a text file of at most `limit` bytes.
///
/// # Errors
/// Fails if the file cannot be read, is too long, or is not UTF-8.
pub(crate) fn read_text(file: File, limit: u64) -> io::Result<String> {
    String::from_utf8(read_octets(file, limit)?).map_err(|_| io::Error::other("not UTF-8 text"))
}

/// Reads a file of at most `limit` bytes.
///
/// # Errors
/// Fails if the file cannot be read or is too long.
pub(crate) fn read_octets(file: File, limit: u64) -> io::Result<Vec<u8>> {
    // Large enough to read a typical key file in one call.
    let mut octets = Vec::with_capacity(INITIAL_CAPACITY);
    let read = file.take(limit + 1).read_to_end(&mut octets)?;
    if read as u64 > limit {
        return Err(io::Error::other(format!("longer than {limit} bytes")));
    }
    Ok(octets)
}

/// Initial buffer capacity in bytes: more than the size of most key files.
const INITIAL_CAPACITY: usize = 4096;

/// Checks that a private key file is accessible to its owner only.
///
/// # Errors
/// Fails if others can access the file, or if its metadata cannot be read.
pub fn require_private(path: &Path) -> Result<(), KeyFileError> {
    let metadata = fs::metadata(path).map_err(|error| KeyFileError::new(path, error.to_string()))?;
    if metadata.mode() & 0o077 != 0 {
        return Err(KeyFileError {
            hint: Some("make the key accessible to its owner only: chmod 600"),
            ..KeyFileError::new(path, READABLE_BY_OTHERS)
        });
    }
    Ok(())
}

/// Problem with a private key file that other users can access.
pub(crate) const READABLE_BY_OTHERS: &str = "private key accessible by other users";

/// Error for a key file that cannot be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeyFileError {
    /// The path of the file.
    pub path: PathBuf,
    /// A description of the problem.
    pub problem: String,
    /// A hint on how to fix it, if known.
    pub hint: Option<&'static str>,
}

impl KeyFileError {
    pub(crate) fn new(path: &Path, found: impl Into<String>) -> Self {
        Self { path: path.to_owned(), problem: found.into(), hint: None }
    }
}

impl fmt::Display for KeyFileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.path.display(), self.problem)?;
        match self.hint {
            Some(hint) => write!(f, "\nhint: {hint}"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for KeyFileError {}
