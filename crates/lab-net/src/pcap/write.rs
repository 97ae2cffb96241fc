//! Writes capture files.

use std::io::{self, Write};
use std::time::Duration;

use super::{MAX_FRAME_LEN, NANOSECONDS};

/// Writes a capture file of Ethernet frames with timestamps in nanoseconds.
pub struct PcapWriter<W>(W);

impl<W: Write> PcapWriter<W> {
    /// Writes the header of the file.
    ///
    /// # Errors
    /// The error of writing.
    pub fn new(mut file: W) -> io::Result<Self> {
        let version = 2u32 | 4 << 16;
        // Time zone and accuracy are always 0.
        for field in [NANOSECONDS, version, 0, 0, MAX_FRAME_LEN, ETHERNET] {
            file.write_all(&field.to_le_bytes())?;
        }
        Ok(Self(file))
    }

    /// Writes a frame. `octets` is the captured part, and `length` the length on the wire. Octets
    /// above the maximum frame length are not written.
    ///
    /// # Errors
    /// The error of writing.
    pub fn write(&mut self, at: Duration, octets: &[u8], length: usize) -> io::Result<()> {
        let octets = octets.get(..MAX_FRAME_LEN as usize).unwrap_or(octets);
        let captured = u32::try_from(octets.len()).unwrap_or(MAX_FRAME_LEN);
        // The format ends in 2106.
        let seconds = u32::try_from(at.as_secs()).unwrap_or(u32::MAX);
        let length = u32::try_from(length).unwrap_or(u32::MAX);
        for field in [seconds, at.subsec_nanos(), captured, length] {
            self.0.write_all(&field.to_le_bytes())?;
        }
        self.0.write_all(octets)
    }

    /// Writes buffered data and returns the file.
    ///
    /// # Errors
    /// The error of writing.
    pub fn finish(mut self) -> io::Result<W> {
        self.0.flush()?;
        Ok(self.0)
    }
}

/// The number of Ethernet in the registry of link types.
const ETHERNET: u32 = 1;
