//! Reading small files whose permissions matter.

use std::{
    fmt,
    fs::{self, File},
    io::{self, Read},
    os::unix::fs::MetadataExt,
    path::{Path, PathBuf},
};

/// Reads a text file of at most `limit` octets.
///
/// # Errors
/// When it cannot be read, is longer, or is no text.
pub(crate) fn read_text(file: File, limit: u64) -> io::Result<String> {
    String::from_utf8(read_octets(file, limit)?).map_err(|_| io::Error::other("no text in UTF-8"))
}

/// Reads a file of at most `limit` octets.
///
/// # Errors
/// When it cannot be read, or is longer.
pub(crate) fn read_octets(file: File, limit: u64) -> io::Result<Vec<u8>> {
    // Room for a key and its like, so that they are read in one go.
    let mut octets = Vec::with_capacity(INITIAL_CAPACITY);
    let read = file.take(limit + 1).read_to_end(&mut octets)?;
    if read as u64 > limit {
        return Err(io::Error::other(format!("longer than {limit} octets")));
    }
    Ok(octets)
}

/// Octets: more than most of these files have.
const INITIAL_CAPACITY: usize = 4096;

/// Sees to it that only its owner can read a private key.
///
/// # Errors
/// When others can, or the file cannot be looked at.
pub fn require_private(path: &Path) -> Result<(), KeyFileError> {
    let metadata = fs::metadata(path).map_err(|error| KeyFileError::new(path, error.to_string()))?;
    if metadata.mode() & 0o077 != 0 {
        return Err(KeyFileError {
            hint: Some("allow its owner alone: chmod 600"),
            ..KeyFileError::new(path, READABLE_BY_OTHERS)
        });
    }
    Ok(())
}

/// What is found of a private key's file that is not its owner's alone.
pub(crate) const READABLE_BY_OTHERS: &str = "a private key that others can read";

/// A file of keys that cannot be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeyFileError {
    /// Which one.
    pub path: PathBuf,
    /// What is wrong with it.
    pub problem: String,
    /// What to do about it, where that is known.
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
            Some(cure) => write!(f, "\nhint: {cure}"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for KeyFileError {}
