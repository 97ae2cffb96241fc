//! Capture files in the format of libpcap.
//!
//! ```text
//! file header: magic number, version 2.4, …, maximum frame length, link type
//! for each frame: seconds, micro- or nanoseconds, captured length, length; octets
//! ```
//! The magic number gives the byte order and the unit of timestamps. A file may come from a user:
//! at most [`MAX_FRAME_LEN`] octets are allocated for a frame, whatever the file states. Files in
//! the newer format pcapng are recognized and rejected.

mod read;
mod write;

pub use read::{PcapError, PcapFrame, PcapReader};
pub use write::PcapWriter;

/// The maximum captured length of a frame.
pub const MAX_FRAME_LEN: u32 = 262_144;

/// Magic numbers for timestamps in microseconds and nanoseconds.
const MICROSECONDS: u32 = 0xa1b2_c3d4;
const NANOSECONDS: u32 = 0xa1b2_3c4d;

/// Lengths of the headers of the file and of a frame.
const FILE_HEADER_LEN: usize = 24;
const FRAME_HEADER_LEN: usize = 16;

#[cfg(test)]
mod tests;
