//! Files of `/proc`, which are read as a whole.

use std::{
    fs::File,
    io::{self, Read},
};

/// Appends a file to `text`, up to [`MAX_SIZE`] bytes.
pub(crate) fn append(path: &str, text: &mut String) -> io::Result<()> {
    File::open(path)?.take(MAX_SIZE).read_to_string(text).map(drop)
}

/// Replaces `text` by a file that `read` appends. A missing file counts as empty: a kernel without
/// IPv6 does not have the files for it.
pub(crate) fn replace(
    text: &mut String,
    read: impl FnOnce(&mut String) -> io::Result<()>,
) -> io::Result<&str> {
    text.clear();
    match read(text) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => text.clear(),
        other => other?,
    }
    Ok(text)
}

/// The maximum size of a file in bytes. It is enough for the maximum number of sockets, because a
/// line contains about 150 bytes.
const MAX_SIZE: u64 = 16 << 20;
