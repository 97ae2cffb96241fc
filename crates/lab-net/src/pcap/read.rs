//! Reads capture files.

use std::io::{self, Read};
use std::time::Duration;
use std::{error, fmt};

use super::{FILE_HEADER_LEN, FRAME_HEADER_LEN, MAX_FRAME_LEN, MICROSECONDS, NANOSECONDS};
use crate::packet::{DecodeError, LinkType, Packet};

/// Reads a capture file, one frame after the other.
#[derive(Debug)]
pub struct PcapReader<R> {
    file: R,
    /// The number of octets that have been read.
    position: u64,
    is_big_endian: bool,
    /// Nanoseconds for each unit of the timestamps.
    unit: u32,
    link: LinkType,
    buffer: Vec<u8>,
}

/// A frame of a capture file.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PcapFrame<'a> {
    /// The time of the capture, since the Unix epoch.
    pub at: Duration,
    /// The link layer.
    pub link: LinkType,
    /// The octets that were captured.
    pub octets: &'a [u8],
    /// The length of the frame on the wire.
    pub length: usize,
}

impl PcapFrame<'_> {
    /// Decodes the headers.
    ///
    /// # Errors
    /// See [`Packet::decode`].
    pub fn decode(&self) -> Result<Packet, DecodeError> {
        Packet::decode(self.link, self.octets, self.length)
    }
}

/// The reason why a capture file cannot be read.
#[derive(Debug)]
pub enum PcapError {
    /// Reading the file failed.
    Io(io::Error),
    /// The file is in the format pcapng.
    NextGeneration,
    /// The file is compressed.
    Compressed,
    /// The file does not begin like a capture file.
    NotCapture,
    /// The link layer with this number cannot be decoded.
    LinkType(u32),
    /// The file ends within the header of the file, or within the frame at this position.
    Truncated(u64),
    /// The frame that begins at this position has an invalid length or timestamp.
    Malformed(u64),
}

impl<R: Read> PcapReader<R> {
    /// Reads the header of the file.
    ///
    /// # Errors
    /// The file is in another format, or contains frames of an unknown link layer.
    pub fn new(mut file: R) -> Result<Self, PcapError> {
        let mut header = [0; FILE_HEADER_LEN];
        let length = read_fully(&mut file, &mut header)?;
        let mut fields = header.as_chunks::<4>().0.iter().copied();
        let magic = fields.next().unwrap_or_default();
        let (is_big_endian, unit) = byte_order_and_unit(magic)?;
        if length < FILE_HEADER_LEN {
            return Err(PcapError::Truncated(0));
        }
        // The upper bits may state the length of the frames' checksums.
        let link = number(fields.next_back().unwrap_or_default(), is_big_endian) & 0x0fff_ffff;
        let link = LinkType::from_number(link).ok_or(PcapError::LinkType(link))?;
        let position = FILE_HEADER_LEN as u64;
        Ok(Self { file, position, is_big_endian, unit, link, buffer: Vec::new() })
    }

    /// Returns the link layer of the frames.
    pub fn link(&self) -> LinkType {
        self.link
    }

    /// Reads the next frame; returns `None` at the end of the file.
    ///
    /// # Errors
    /// The frame is incomplete or malformed. Later frames cannot be found then.
    pub fn next_frame(&mut self) -> Result<Option<PcapFrame<'_>>, PcapError> {
        let start = self.position;
        let mut header = [0; FRAME_HEADER_LEN];
        match read_fully(&mut self.file, &mut header)? {
            0 => return Ok(None),
            FRAME_HEADER_LEN => {}
            _ => return Err(PcapError::Truncated(start)),
        }
        let mut fields = header.as_chunks::<4>().0.iter().map(|field| number(*field, self.is_big_endian));
        let mut next = || fields.next().unwrap_or_default();
        let (seconds, fraction, captured, length) = (next(), next(), next(), next());
        let nanoseconds = fraction.checked_mul(self.unit).filter(|value| *value < 1_000_000_000);
        let nanoseconds = nanoseconds.ok_or(PcapError::Malformed(start))?;
        if captured > MAX_FRAME_LEN {
            return Err(PcapError::Malformed(start));
        }
        self.buffer.resize(captured as usize, 0);
        if read_fully(&mut self.file, &mut self.buffer)? < self.buffer.len() {
            return Err(PcapError::Truncated(start));
        }
        self.position = start + FRAME_HEADER_LEN as u64 + u64::from(captured);
        let at = Duration::new(seconds.into(), nanoseconds);
        Ok(Some(PcapFrame {
            at,
            link: self.link,
            octets: &self.buffer,
            length: length.max(captured) as usize,
        }))
    }
}

fn byte_order_and_unit(magic: [u8; 4]) -> Result<(bool, u32), PcapError> {
    for is_big_endian in [false, true] {
        match number(magic, is_big_endian) {
            MICROSECONDS => return Ok((is_big_endian, 1000)),
            NANOSECONDS => return Ok((is_big_endian, 1)),
            _ => {}
        }
    }
    Err(match magic {
        [0x0a, 0x0d, 0x0d, 0x0a] => PcapError::NextGeneration,
        // gzip, Zstandard, and xz.
        [0x1f, 0x8b, ..] | [0x28, 0xb5, 0x2f, 0xfd] | [0xfd, b'7', b'z', b'X'] => PcapError::Compressed,
        _ => PcapError::NotCapture,
    })
}

fn number(octets: [u8; 4], is_big_endian: bool) -> u32 {
    if is_big_endian { u32::from_be_bytes(octets) } else { u32::from_le_bytes(octets) }
}

/// Reads until the buffer is full or the file ends; returns the number of octets.
fn read_fully(file: &mut impl Read, buffer: &mut [u8]) -> Result<usize, PcapError> {
    let mut length = 0;
    while let Some(rest) = buffer.get_mut(length..).filter(|rest| !rest.is_empty()) {
        match file.read(rest) {
            Ok(0) => break,
            Ok(number) => length += number,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(PcapError::Io(error)),
        }
    }
    Ok(length)
}

impl fmt::Display for PcapError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io(error) => write!(f, "cannot read the capture file: {error}"),
            Self::NextGeneration => f.write_str(
                "capture files in the format pcapng are not supported: convert the file with \
                 `editcap -F pcap IN OUT`",
            ),
            Self::Compressed => f.write_str("the capture file is compressed: decompress it first"),
            Self::NotCapture => f.write_str("not a capture file in the format pcap"),
            Self::LinkType(number) => write!(
                f,
                "frames of link type {number} are not supported: capture on an Ethernet interface, \
                 or with `tcpdump -i any`"
            ),
            Self::Truncated(position) => {
                write!(f, "the capture file ends within the header or frame at offset {position}")
            }
            Self::Malformed(position) => {
                write!(f, "the frame at offset {position} of the capture file is malformed")
            }
        }
    }
}

impl error::Error for PcapError {}
