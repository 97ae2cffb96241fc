//! Writes batches as frames of bounded size.

use std::io;

use super::{
    FRAME_FIELDS_LEN, FRAME_HEADER_LEN, FileKind, HEADER_LEN, LAST_PART, LENGTH_LEN, REMOVE, REMOVE_PREFIX,
    RecordRef, SET, checksum, header,
};
use crate::disk::{AppendFile, Content, Disk};

/// Creates a file that contains only a header. Neither its content nor its name is durable.
pub(crate) fn create_file(disk: &dyn Disk, name: &str, kind: FileKind) -> io::Result<Box<dyn AppendFile>> {
    let mut file = disk.create(name)?;
    file.write_at(0, &header(kind))?;
    Ok(file)
}

/// Returns the number of bytes that a batch occupies if it fits into one frame.
pub(crate) fn encoded_len<'a>(records: impl IntoIterator<Item = RecordRef<'a>>) -> usize {
    FRAME_HEADER_LEN + records.into_iter().map(record_len).sum::<usize>()
}

fn record_len(record: RecordRef<'_>) -> usize {
    1 + LENGTH_LEN
        + match record {
            RecordRef::Set { key, value } => key.len() + LENGTH_LEN + value.len(),
            RecordRef::Remove { key } => key.len(),
            RecordRef::RemovePrefix { prefix } => prefix.len(),
        }
}

/// Appends frames to a file. Several small batches become one write.
pub(crate) struct FrameWriter<'a> {
    file: &'a mut dyn AppendFile,
    /// The offset in the file at which the buffer will be written.
    offset: u64,
    /// The checksum of the frame before the open one.
    checksum: u32,
    /// Complete frames, then the open frame. It never grows, because a growing buffer leaves
    /// unwiped copies of keys in memory.
    buffer: Content,
    /// The start of the open frame in the buffer.
    frame_start: usize,
    sequence: u64,
    part: u32,
}

impl<'a> FrameWriter<'a> {
    /// Creates a writer that continues `file` at `offset`, where `checksum` is that of the last
    /// frame before the offset. `expected_len` is the number of bytes to write, if known.
    pub(crate) fn new(
        file: &'a mut dyn AppendFile,
        offset: u64,
        checksum: u32,
        expected_len: Option<usize>,
    ) -> Self {
        let capacity = expected_len.unwrap_or(MAX_BUFFER).min(MAX_BUFFER);
        let buffer = Content::new(Vec::with_capacity(capacity));
        Self { file, offset, checksum, buffer, frame_start: 0, sequence: 0, part: 0 }
    }

    /// Creates a writer for the first frame of a file.
    pub(crate) fn first(file: &'a mut dyn AppendFile, expected_len: Option<usize>) -> Self {
        Self::new(file, HEADER_LEN as u64, 0, expected_len)
    }

    /// Writes one batch.
    pub(crate) fn batch<'r>(
        &mut self,
        sequence: u64,
        records: impl IntoIterator<Item = RecordRef<'r>>,
    ) -> io::Result<()> {
        self.begin(sequence)?;
        records.into_iter().try_for_each(|record| self.record(record))?;
        self.end()
    }

    /// Begins a batch.
    pub(crate) fn begin(&mut self, sequence: u64) -> io::Result<()> {
        (self.sequence, self.part) = (sequence, 0);
        self.make_room(FRAME_HEADER_LEN)?;
        self.open_frame();
        Ok(())
    }

    /// Adds a record to the batch.
    pub(crate) fn record(&mut self, record: RecordRef<'_>) -> io::Result<()> {
        let length = record_len(record);
        if self.buffer.len() + length > self.buffer.capacity() {
            if self.buffer.len() > self.frame_start + FRAME_HEADER_LEN {
                self.close_frame(false)?;
            } else {
                self.buffer.truncate(self.frame_start);
            }
            self.make_room(FRAME_HEADER_LEN + length)?;
            self.open_frame();
        }
        match record {
            RecordRef::Set { key, value } => {
                self.push(&[SET]);
                self.push_octets(key)?;
                self.push_octets(value)
            }
            RecordRef::Remove { key } => {
                self.push(&[REMOVE]);
                self.push_octets(key)
            }
            RecordRef::RemovePrefix { prefix } => {
                self.push(&[REMOVE_PREFIX]);
                self.push_octets(prefix)
            }
        }
    }

    /// Ends the batch.
    pub(crate) fn end(&mut self) -> io::Result<()> {
        self.close_frame(true)
    }

    /// Writes what is in the buffer. Returns the end of the file and the checksum of its last
    /// frame.
    pub(crate) fn finish(mut self) -> io::Result<(u64, u32)> {
        self.flush()?;
        Ok((self.offset, self.checksum))
    }

    fn open_frame(&mut self) {
        self.frame_start = self.buffer.len();
        self.push(&[0; FRAME_HEADER_LEN]);
    }

    fn close_frame(&mut self, is_last: bool) -> io::Result<()> {
        let frame = self.buffer.get_mut(self.frame_start..).unwrap_or_default();
        let too_large = || io::Error::from(io::ErrorKind::FileTooLarge);
        let (head, payload) = frame.split_at_mut_checked(FRAME_HEADER_LEN).ok_or_else(too_large)?;
        let (fields, crc) = head.split_at_mut(FRAME_FIELDS_LEN);
        let length = u32::try_from(payload.len()).map_err(|_| too_large())?;
        if self.part >= LAST_PART {
            return Err(too_large());
        }
        let part = if is_last { self.part | LAST_PART } else { self.part };
        let values = [&length.to_be_bytes()[..], &self.sequence.to_be_bytes(), &part.to_be_bytes()];
        fields.copy_from_slice(&values.concat());
        self.checksum = checksum(self.checksum, fields, payload);
        crc.copy_from_slice(&self.checksum.to_be_bytes());
        self.part += 1;
        self.frame_start = self.buffer.len();
        Ok(())
    }

    /// Makes sure that `length` bytes fit into the buffer, which contains only complete frames.
    fn make_room(&mut self, length: usize) -> io::Result<()> {
        if self.buffer.len() + length > self.buffer.capacity() {
            self.flush()?;
        }
        if length > self.buffer.capacity() {
            // A single record that is larger than the buffer.
            self.buffer = Content::new(Vec::with_capacity(length));
        }
        Ok(())
    }

    fn flush(&mut self) -> io::Result<()> {
        if !self.buffer.is_empty() {
            self.file.write_at(self.offset, &self.buffer)?;
            self.offset += self.buffer.len() as u64;
            self.buffer.clear();
        }
        Ok(())
    }

    fn push_octets(&mut self, octets: &[u8]) -> io::Result<()> {
        let length = u32::try_from(octets.len()).map_err(|_| io::ErrorKind::FileTooLarge)?;
        self.push(&length.to_be_bytes());
        self.push(octets);
        Ok(())
    }

    fn push(&mut self, octets: &[u8]) {
        let room = self.buffer.capacity() - self.buffer.len();
        debug_assert!(octets.len() <= room, "a growing buffer leaves unwiped copies of keys");
        self.buffer.extend_from_slice(octets);
    }
}

/// The size of the buffer, and thereby of a frame, unless a single record is larger.
const MAX_BUFFER: usize = 256 << 10;
