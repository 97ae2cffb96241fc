//! Framing of NETCONF messages over SSH and TLS (RFC 6242 §4).
//!
//! ```text
//! octets ─▶ FrameReader ─▶ Frame::Payload, … Frame::End of one message ─▶ XML tokenizer
//! octets ◀─ FrameWriter ◀─ pieces of one message ◀─ XML writer
//! ```
//! A session starts with [`Framing::EndOfMessage`]. After both hellos, it continues with
//! [`Framing::Chunked`] if both peers announced `:base:1.1` (RFC 6242 §4.1).

mod error;
mod reader;
mod writer;

#[cfg(test)]
mod tests;

pub use error::{FramingError, FramingErrorReason};
pub use reader::{Frame, FrameReader, MAX_EXTRA_LINE_FEEDS};
pub use writer::{FrameWriter, MAX_CHUNK_OCTETS};

/// The mechanism that separates messages.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Framing {
    /// Each message is followed by `]]>]]>` (RFC 6242 §4.3): hellos, and sessions of `:base:1.0`.
    //= rfc6242#4.1-p1
    #[default]
    EndOfMessage,
    /// Each message consists of chunks with their lengths (RFC 6242 §4.2).
    Chunked,
}

/// The octets after each message with [`Framing::EndOfMessage`].
const DELIMITER: &[u8] = b"]]>]]>";

/// The octets after the chunks of each message with [`Framing::Chunked`].
const END_OF_CHUNKS: &[u8] = b"\n##\n";
