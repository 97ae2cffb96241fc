//! Reads pass phrases where other users cannot see them: from a file or an open file descriptor.

use std::{
    ffi::{OsStr, OsString},
    fs::File,
    io::Read,
    os::unix::ffi::OsStrExt,
    path::Path,
};

use portreeve_secret::Secret;

use super::FlagError;

/// Reads the first line of a file, without the line ending.
pub(super) fn from_file(path: &OsStr) -> Result<Secret, FlagError> {
    let name = path.to_string_lossy();
    let mut octets = Vec::with_capacity(MAX_READ_LEN);
    let read =
        File::open(Path::new(path)).and_then(|file| file.take(MAX_READ_LEN as u64).read_to_end(&mut octets));
    let all = Secret::new(octets);
    read.map_err(|error| FlagError::Message(format!("{name}: {error}")))?;
    let line = all.expose().split(|octet| *octet == b'\n').next().unwrap_or_default();
    let line = line.strip_suffix(b"\r").unwrap_or(line);
    if line.is_empty() {
        return Err(FlagError::Message(format!("{name}: the first line is empty: expected a pass phrase")));
    }
    Ok(Secret::from(line))
}

/// Reads the first line from a file descriptor.
pub(super) fn from_descriptor(number: &OsStr) -> Result<Secret, FlagError> {
    if number.is_empty() || !number.as_bytes().iter().all(u8::is_ascii_digit) {
        return Err(FlagError::Message(format!("invalid file descriptor: {}", number.to_string_lossy())));
    }
    let mut path = OsString::from("/dev/fd/");
    path.push(number);
    from_file(&path)
}

/// Maximum number of bytes that are read.
const MAX_READ_LEN: usize = 4096;
