//! The layout of the files. All numbers are big-endian.
//!
//! ```text
//! file   = magic (8) · version (4) · crc32 of both (4) · frame*
//! frame  = payload length (4) · sequence (8) · crc32 of length, sequence and payload (4) · payload
//! payload = record*
//! record = 1 · key length (4) · key · value length (4) · value     set
//!        | 2 · key length (4) · key                                remove
//! ```
//! A log contains one frame per batch, with consecutive sequence numbers. A snapshot and the
//! `engine` file each contain one frame, with the sequence number of the last batch that they
//! include.

use crate::record::Record;

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
    let mut header = kind.magic().to_vec();
    header.extend_from_slice(&VERSION.to_be_bytes());
    header.extend_from_slice(&crc32fast::hash(&header).to_be_bytes());
    header
}

/// Appends a frame. Returns `None` and appends nothing if the frame is too long for the format. For
/// a frame that contains keys, the caller reserves [`frame_len`] bytes first, because a growing
/// buffer leaves unwiped copies in memory.
pub(crate) fn push_frame<'a>(
    file: &mut Vec<u8>,
    sequence: u64,
    records: impl IntoIterator<Item = RecordRef<'a>, IntoIter: Clone>,
) -> Option<()> {
    let records = records.into_iter();
    let length = u32::try_from(frame_len(records.clone()) - FRAME_HEADER_LEN).ok()?;
    let start = file.len();
    file.extend_from_slice(&[0; FRAME_HEADER_LEN]);
    for record in records {
        match record {
            (key, Some(value)) => {
                file.push(SET);
                push_octets(file, key);
                push_octets(file, value);
            }
            (key, None) => {
                file.push(REMOVE);
                push_octets(file, key);
            }
        }
    }
    let (head, payload) = file.get_mut(start..)?.split_at_mut_checked(FRAME_HEADER_LEN)?;
    let checksum = checksum(length, sequence, payload);
    head.get_mut(..4)?.copy_from_slice(&length.to_be_bytes());
    head.get_mut(4..12)?.copy_from_slice(&sequence.to_be_bytes());
    head.get_mut(12..)?.copy_from_slice(&checksum.to_be_bytes());
    Some(())
}

/// Returns the length of the frame that [`push_frame`] appends for these records.
pub(crate) fn frame_len<'a>(records: impl IntoIterator<Item = RecordRef<'a>>) -> usize {
    let lengths = records.into_iter().map(|(key, value)| {
        let value_len = value.map_or(0, |value| LENGTH_LEN + value.len());
        1 + LENGTH_LEN + key.len() + value_len
    });
    FRAME_HEADER_LEN + lengths.sum::<usize>()
}

/// A borrowed record: a key and its new value, or `None` to remove the key.
pub(crate) type RecordRef<'a> = (&'a [u8], Option<&'a [u8]>);

/// Borrows a record.
pub(crate) fn as_ref(record: &Record) -> RecordRef<'_> {
    match record {
        Record::Set { key, value } => (key, Some(value)),
        Record::Remove { key } => (key, None),
    }
}

/// Checks the header of a file.
pub(crate) fn check_header(kind: FileKind, file: &[u8]) -> HeaderStatus {
    let Some((head, _)) = file.split_at_checked(HEADER_LEN) else { return HeaderStatus::Damaged };
    let mut input = OctetReader(head);
    let (Some(magic), Some(version), Some(crc)) = (input.take(8), input.u32(), input.u32()) else {
        return HeaderStatus::Damaged;
    };
    let covered = head.get(..HEADER_LEN - 4).unwrap_or_default();
    if magic != kind.magic() || crc != crc32fast::hash(covered) {
        HeaderStatus::Damaged
    } else if version > VERSION {
        HeaderStatus::Newer(version)
    } else {
        HeaderStatus::Good
    }
}

/// The result of a header check.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum HeaderStatus {
    Good,
    Newer(u32),
    Damaged,
}

/// Reads frames from the content of a file up to its end or the first damaged frame.
pub(crate) struct Frames<'a> {
    rest: OctetReader<'a>,
    length: usize,
}

impl<'a> Frames<'a> {
    /// Creates a reader that starts after the header of the file. The frames can be read even if
    /// the header is damaged, because each frame has its own checksum.
    pub(crate) fn new(file: &'a [u8]) -> Self {
        Self { rest: OctetReader(file.get(HEADER_LEN..).unwrap_or_default()), length: file.len() }
    }

    /// Returns the length of the file up to the end of the last valid frame, including the header.
    pub(crate) fn good_octets(&self) -> usize {
        self.length - self.rest.0.len()
    }

    /// Returns whether the last valid frame ends at the end of the file.
    pub(crate) fn is_at_end(&self) -> bool {
        self.rest.0.is_empty() && self.length >= HEADER_LEN
    }
}

impl<'a> Iterator for Frames<'a> {
    type Item = Frame<'a>;

    fn next(&mut self) -> Option<Frame<'a>> {
        let mut input = OctetReader(self.rest.0);
        let length = input.u32()?;
        let sequence = input.u64()?;
        let crc = input.u32()?;
        let payload = input.take(usize::try_from(length).ok()?)?;
        if crc != checksum(length, sequence, payload) {
            return None;
        }
        let records = read_records(payload)?;
        self.rest = input;
        Some(Frame { sequence, records })
    }
}

/// One batch, or the content of a snapshot.
#[derive(Debug)]
pub(crate) struct Frame<'a> {
    pub(crate) sequence: u64,
    pub(crate) records: Vec<RecordRef<'a>>,
}

/// Parses a log for inspection, in the same way as recovery. Accepts arbitrary content.
#[must_use]
pub fn read_log(octets: &[u8]) -> LogContents {
    let mut frames = Frames::new(octets);
    let mut batches = Vec::new();
    for frame in &mut frames {
        let owned = frame.records.iter().map(|&(key, value)| match value {
            Some(value) => Record::set(key, value),
            None => Record::remove(key),
        });
        batches.push((frame.sequence, owned.collect()));
    }
    LogContents {
        batches,
        good_octets: frames.good_octets(),
        is_whole: frames.is_at_end() && check_header(FileKind::Log, octets) == HeaderStatus::Good,
    }
}

/// The result of [`read_log`].
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct LogContents {
    /// Each valid batch with its sequence number.
    pub batches: Vec<(u64, Vec<Record>)>,
    /// The length up to the end of the last valid batch.
    pub good_octets: usize,
    /// True if nothing at the end is damaged or missing.
    pub is_whole: bool,
}

fn read_records(payload: &[u8]) -> Option<Vec<RecordRef<'_>>> {
    let mut input = OctetReader(payload);
    let mut records = Vec::new();
    while let Some(kind) = input.take(1) {
        let key = input.octets()?;
        match kind {
            [SET] => records.push((key, Some(input.octets()?))),
            [REMOVE] => records.push((key, None)),
            _ => return None,
        }
    }
    Some(records)
}

fn checksum(length: u32, sequence: u64, payload: &[u8]) -> u32 {
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(&length.to_be_bytes());
    hasher.update(&sequence.to_be_bytes());
    hasher.update(payload);
    hasher.finalize()
}

fn push_octets(file: &mut Vec<u8>, octets: &[u8]) {
    // The value cannot be longer, because frames that are too long were already rejected.
    let length = u32::try_from(octets.len()).unwrap_or(u32::MAX);
    file.extend_from_slice(&length.to_be_bytes());
    file.extend_from_slice(octets);
}

/// A cursor over the remaining bytes.
struct OctetReader<'a>(&'a [u8]);

impl<'a> OctetReader<'a> {
    fn take(&mut self, count: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.0.split_at_checked(count)?;
        self.0 = rest;
        Some(taken)
    }

    fn u32(&mut self) -> Option<u32> {
        self.take(4)?.try_into().ok().map(u32::from_be_bytes)
    }

    fn u64(&mut self) -> Option<u64> {
        self.take(8)?.try_into().ok().map(u64::from_be_bytes)
    }

    fn octets(&mut self) -> Option<&'a [u8]> {
        let length = self.u32()?;
        self.take(usize::try_from(length).ok()?)
    }
}

/// The format version of written files, and the newest version that can be read.
pub(crate) const VERSION: u32 = 1;

/// The length of a file header in bytes.
pub(crate) const HEADER_LEN: usize = 16;

const FRAME_HEADER_LEN: usize = 16;

/// The length of a length field in bytes.
const LENGTH_LEN: usize = 4;

const SET: u8 = 1;
const REMOVE: u8 = 2;

#[cfg(test)]
mod tests;
