//! Reads files of formats 1 and 2, up to their end or to the first damaged frame.

use std::io::{self, Read};

use super::{
    FRAME_FIELDS_LEN, FRAME_HEADER_LEN, FileKind, HEADER_LEN, LAST_PART, REMOVE, REMOVE_PREFIX, RecordRef,
    SEPARATE_FRAMES, SET, VERSION, checksum,
};
use crate::disk::{Content, Input};
use crate::record::Record;

/// Checks the header of a file.
pub(super) fn check_header(kind: FileKind, head: &[u8]) -> HeaderStatus {
    let Some(head) = head.first_chunk::<HEADER_LEN>() else { return HeaderStatus::Damaged };
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
        HeaderStatus::Good(version)
    }
}

/// The result of a header check.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum HeaderStatus {
    Good(u32),
    Newer(u32),
    Damaged,
}

/// Reads one frame after another. No more than one frame is in memory.
pub(crate) struct Frames {
    input: Input,
    status: HeaderStatus,
    version: u32,
    /// The end of the last valid frame.
    offset: u64,
    checksum: u32,
    payload: Content,
}

impl Frames {
    /// Reads the header. Frames after a damaged header can be read, because each frame has its own
    /// checksum.
    pub(crate) fn new(mut input: Input, kind: FileKind) -> io::Result<Self> {
        let mut head = [0; HEADER_LEN];
        let length = read_up_to(&mut input.content, &mut head)?;
        let status = check_header(kind, head.get(..length).unwrap_or_default());
        let version = match status {
            HeaderStatus::Good(version) => version,
            HeaderStatus::Newer(_) | HeaderStatus::Damaged => VERSION,
        };
        let payload = Content::default();
        Ok(Self { input, status, version, offset: length as u64, checksum: 0, payload })
    }

    /// Reads the frames as those of format 1, if the header is damaged.
    pub(crate) fn assume_format_1(&mut self) {
        self.version = SEPARATE_FRAMES;
    }

    pub(crate) fn header(&self) -> HeaderStatus {
        self.status
    }

    /// Returns whether the file has the format that is written today.
    pub(crate) fn is_current(&self) -> bool {
        self.version == VERSION
    }

    /// Returns the length of the file.
    pub(crate) fn len(&self) -> u64 {
        self.input.length
    }

    /// Returns the end of the last valid frame, and its checksum.
    pub(crate) fn position(&self) -> (u64, u32) {
        (self.offset, self.checksum)
    }

    /// Returns whether the header is valid and the last valid frame ends at the end of the file.
    pub(crate) fn is_whole(&self) -> bool {
        matches!(self.status, HeaderStatus::Good(_)) && self.offset == self.input.length
    }

    /// Reads the next frame; `None` at the end of the file, or if the next frame is damaged.
    pub(crate) fn next(&mut self) -> io::Result<Option<Frame<'_>>> {
        let mut head = [0; FRAME_HEADER_LEN];
        let header_len = if self.is_current() { FRAME_HEADER_LEN } else { OLD_FRAME_HEADER_LEN };
        let Some(head) = head.get_mut(..header_len) else { return Ok(None) };
        if read_up_to(&mut self.input.content, head)? < header_len {
            return Ok(None);
        }
        let Some(header) = FrameHeader::parse(head) else { return Ok(None) };
        let rest = self.input.length.saturating_sub(self.offset + header_len as u64);
        // Checked before memory is allocated, because the length may be damaged.
        if u64::from(header.length) > rest {
            return Ok(None);
        }
        if !self.read_payload(header.length as usize)? || !self.is_valid(&header, head) {
            return Ok(None);
        }
        self.checksum = header.checksum;
        self.offset += header_len as u64 + u64::from(header.length);
        let FrameHeader { sequence, part, .. } = header;
        let (is_last, part) = (part & LAST_PART != 0, part & !LAST_PART);
        Ok(Some(Frame { sequence, part, is_last, payload: &self.payload }))
    }

    fn read_payload(&mut self, length: usize) -> io::Result<bool> {
        // A new buffer, because a growing one leaves unwiped copies of keys in memory.
        self.payload = Content::new(vec![0; length]);
        Ok(read_up_to(&mut self.input.content, &mut self.payload)? == length)
    }

    fn is_valid(&self, header: &FrameHeader, head: &[u8]) -> bool {
        let expected = if self.is_current() {
            checksum(self.checksum, head.get(..FRAME_FIELDS_LEN).unwrap_or_default(), &self.payload)
        } else {
            old_checksum(head.get(..OLD_FRAME_FIELDS_LEN).unwrap_or_default(), &self.payload)
        };
        header.checksum == expected && records(&self.payload).all(|record| record.is_some())
    }
}

/// One frame of a batch.
#[derive(Debug)]
pub(crate) struct Frame<'a> {
    pub(crate) sequence: u64,
    /// The number of frames before this one in its batch.
    pub(crate) part: u32,
    pub(crate) is_last: bool,
    pub(crate) payload: &'a [u8],
}

impl<'a> Frame<'a> {
    /// Returns the records, which [`Frames::next`] has checked.
    pub(crate) fn records(&self) -> impl Iterator<Item = RecordRef<'a>> {
        records(self.payload).flatten()
    }
}

struct FrameHeader {
    length: u32,
    sequence: u64,
    part: u32,
    checksum: u32,
}

impl FrameHeader {
    /// Reads a frame header of the format that its length shows.
    fn parse(head: &[u8]) -> Option<Self> {
        let is_old = head.len() == OLD_FRAME_HEADER_LEN;
        let mut input = OctetReader(head);
        let (length, sequence) = (input.u32()?, input.u64()?);
        let part = if is_old { LAST_PART } else { input.u32()? };
        Some(Self { length, sequence, part, checksum: input.u32()? })
    }
}

/// Reads the batches of a log.
pub(crate) struct LogReader {
    frames: Frames,
    /// The end of the last complete batch, and the checksum of its last frame.
    position: (u64, u32),
}

impl LogReader {
    pub(crate) fn new(frames: Frames) -> Self {
        let position = frames.position();
        Self { frames, position }
    }

    /// Reads the next complete batch. Unfinished batches are skipped.
    pub(crate) fn next(&mut self) -> io::Result<Option<(u64, Vec<Record>)>> {
        let mut batch = Vec::new();
        // The batch and the number of the frame that continues it.
        let mut expected = None;
        while let Some(frame) = self.frames.next()? {
            if frame.part == 0 {
                batch.clear();
            } else if expected != Some((frame.sequence, frame.part)) {
                expected = None;
                continue;
            }
            batch.extend(frame.records().map(Record::from));
            expected = Some((frame.sequence, frame.part + 1));
            if frame.is_last {
                let sequence = frame.sequence;
                self.position = self.frames.position();
                return Ok(Some((sequence, batch)));
            }
        }
        Ok(None)
    }

    pub(crate) fn frames(&self) -> &Frames {
        &self.frames
    }

    /// Returns the end of the last complete batch, where the log can be continued, and the checksum
    /// of its last frame.
    pub(crate) fn position(&self) -> (u64, u32) {
        self.position
    }

    /// Returns whether the file has a valid header and ends with a complete batch.
    pub(crate) fn is_whole(&self) -> bool {
        self.frames.is_whole() && self.position.0 == self.frames.len()
    }
}

/// Parses a log for inspection, in the same way as recovery. Accepts arbitrary content.
#[must_use]
pub fn read_log(octets: &[u8]) -> LogContents {
    let mut contents = LogContents { batches: Vec::new(), good_octets: 0, is_whole: false };
    let Ok(frames) = Frames::new(Input::from_octets(octets.to_vec()), FileKind::Log) else { return contents };
    let mut log = LogReader::new(frames);
    while let Ok(Some(batch)) = log.next() {
        contents.batches.push(batch);
    }
    contents.good_octets = usize::try_from(log.position().0).unwrap_or_default();
    contents.is_whole = log.is_whole();
    contents
}

/// The result of [`read_log`].
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct LogContents {
    /// Each complete batch with its sequence number.
    pub batches: Vec<(u64, Vec<Record>)>,
    /// The length up to the end of the last complete batch.
    pub good_octets: usize,
    /// True if nothing at the end is damaged, missing or unfinished.
    pub is_whole: bool,
}

/// Returns the records of a payload. A malformed record is `None`, and is the last.
fn records(payload: &[u8]) -> impl Iterator<Item = Option<RecordRef<'_>>> {
    let mut input = OctetReader(payload);
    std::iter::from_fn(move || {
        let [kind] = input.take(1)? else { return None };
        let record = read_record(*kind, &mut input);
        if record.is_none() {
            input = OctetReader(&[]);
        }
        Some(record)
    })
}

fn read_record<'a>(kind: u8, input: &mut OctetReader<'a>) -> Option<RecordRef<'a>> {
    let key = input.octets()?;
    match kind {
        SET => Some(RecordRef::Set { key, value: input.octets()? }),
        REMOVE => Some(RecordRef::Remove { key }),
        REMOVE_PREFIX => Some(RecordRef::RemovePrefix { prefix: key }),
        _ => None,
    }
}

fn old_checksum(fields: &[u8], payload: &[u8]) -> u32 {
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(fields);
    hasher.update(payload);
    hasher.finalize()
}

/// Fills the buffer as far as the input reaches. Returns the number of octets read.
fn read_up_to(input: &mut dyn Read, mut buffer: &mut [u8]) -> io::Result<usize> {
    let mut count = 0;
    while !buffer.is_empty() {
        match input.read(buffer) {
            Ok(0) => break,
            Ok(read) => {
                count += read;
                buffer = buffer.get_mut(read..).unwrap_or_default();
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(count)
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

/// The length of a frame header of format 1, and of the fields in it before the checksum.
const OLD_FRAME_HEADER_LEN: usize = 16;
const OLD_FRAME_FIELDS_LEN: usize = 12;
