//! The layout of the files, format 2. All numbers are big-endian.
//!
//! ```text
//! file   = magic (8) · version (4) · crc32 of both (4) · frame*
//! frame  = payload length (4) · sequence (8) · part (4) · crc32 (4) · payload
//! payload = record*
//! record = 1 · key length (4) · key · value length (4) · value     set
//!        | 2 · key length (4) · key                                remove
//!        | 3 · prefix length (4) · prefix                          remove all keys with the prefix
//! ```
//! A log contains batches with consecutive sequence numbers. A snapshot and the `engine` file each
//! contain one batch, with the sequence number of the last batch that they include. A batch is one
//! frame or several, so that a large batch needs no large buffer. `part` counts the frames of a
//! batch; its highest bit marks the last one. A batch without its last frame is unfinished and has
//! no effect.
//!
//! The checksum of a frame covers the checksum of the frame before it, then the rest of the frame.
//! Therefore frames that remain from a batch that was overwritten never complete another batch.
//!
//! Format 1 is read but not written: its frames have no `part`, and their checksums are separate.

mod read;
mod write;

use crate::record::Record;

pub(crate) use read::{Frames, HeaderStatus, LogReader};
pub use read::{LogContents, read_log};
pub(crate) use write::{FrameWriter, create_file, encoded_len};

/// The type of a file, identified by its magic.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum FileKind {
    Log,
    Snapshot,
    Engine,
}

impl FileKind {
    fn magic(self) -> &'static [u8; 8] {
        match self {
            Self::Log => b"portrvLG",
            Self::Snapshot => b"portrvSN",
            Self::Engine => b"portrvEN",
        }
    }
}

/// Returns the header of a file.
pub(crate) fn header(kind: FileKind) -> Vec<u8> {
    header_of(kind, VERSION)
}

fn header_of(kind: FileKind, version: u32) -> Vec<u8> {
    let mut header = kind.magic().to_vec();
    header.extend_from_slice(&version.to_be_bytes());
    header.extend_from_slice(&crc32fast::hash(&header).to_be_bytes());
    header
}

/// A borrowed record.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum RecordRef<'a> {
    /// Sets `key` to `value`.
    Set {
        /// The key.
        key: &'a [u8],
        /// The value.
        value: &'a [u8],
    },
    /// Removes `key`.
    Remove {
        /// The key to remove.
        key: &'a [u8],
    },
    /// Removes all keys that begin with `prefix`.
    RemovePrefix {
        /// The prefix.
        prefix: &'a [u8],
    },
}

impl<'a> RecordRef<'a> {
    /// Returns the key or the prefix.
    pub(crate) fn key(self) -> &'a [u8] {
        match self {
            Self::Set { key, .. } | Self::Remove { key } | Self::RemovePrefix { prefix: key } => key,
        }
    }
}

impl<'a> From<&'a Record> for RecordRef<'a> {
    fn from(record: &'a Record) -> Self {
        match record {
            Record::Set { key, value } => Self::Set { key, value },
            Record::Remove { key } => Self::Remove { key },
            Record::RemovePrefix { prefix } => Self::RemovePrefix { prefix },
        }
    }
}

impl From<RecordRef<'_>> for Record {
    fn from(record: RecordRef<'_>) -> Self {
        match record {
            RecordRef::Set { key, value } => Self::set(key, value),
            RecordRef::Remove { key } => Self::remove(key),
            RecordRef::RemovePrefix { prefix } => Self::remove_prefix(prefix),
        }
    }
}

/// Computes the checksum of a frame of format 2 from the fields before the checksum. `previous` is
/// the checksum of the frame before it, and 0 for the first frame of a file.
fn checksum(previous: u32, fields: &[u8], payload: &[u8]) -> u32 {
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(&previous.to_be_bytes());
    hasher.update(fields);
    hasher.update(payload);
    hasher.finalize()
}

/// The format version of written files, and the newest version that can be read.
pub(crate) const VERSION: u32 = 2;

/// The version whose frames have no `part`.
const SEPARATE_FRAMES: u32 = 1;

/// The length of a file header in bytes.
pub(crate) const HEADER_LEN: usize = 16;

/// The length of a frame header in bytes, and of the fields in it before the checksum.
const FRAME_HEADER_LEN: usize = 20;
const FRAME_FIELDS_LEN: usize = 16;

/// The bit of `part` that marks the last frame of a batch.
const LAST_PART: u32 = 1 << 31;

/// The length of a length field in bytes.
const LENGTH_LEN: usize = 4;

const SET: u8 = 1;
const REMOVE: u8 = 2;
const REMOVE_PREFIX: u8 = 3;

#[cfg(test)]
mod tests;
