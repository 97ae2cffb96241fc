//! Message framing in a byte stream (RFC 3430 §2.1): each message is a BER SEQUENCE, with no other
//! framing.

use std::fmt;

/// Returns the length of the message at the start of `stream`, including its header; `None` while
/// the header is incomplete.
///
/// # Errors
/// The stream does not start with a message, or the message has more than `max` octets. The rest of
/// the stream cannot be parsed, so the session must be closed.
pub fn message_length(stream: &[u8], max: usize) -> Result<Option<usize>, FramingError> {
    let Some(&tag) = stream.first() else { return Ok(None) };
    if tag != SEQUENCE {
        return Err(FramingError::Malformed);
    }
    let Some(&first) = stream.get(1) else { return Ok(None) };
    let (header, content) = match first {
        0..=0x7f => (2, usize::from(first)),
        0x81..=0x84 => {
            let octets = usize::from(first & 0x7f);
            let Some(length) = stream.get(2..2 + octets) else { return Ok(None) };
            (2 + octets, length.iter().fold(0, |sum, &octet| sum << 8 | usize::from(octet)))
        }
        // SNMP does not allow indefinite lengths (RFC 3417 §8). A length field of more than four
        // octets stands for a length that no message may have.
        0x80 | 0x85.. => return Err(FramingError::Malformed),
    };
    match content.checked_add(header) {
        Some(length) if length <= max => Ok(Some(length)),
        _ => Err(FramingError::TooLong),
    }
}

/// An invalid message header in a stream.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum FramingError {
    /// The stream does not start with a SEQUENCE of definite length.
    Malformed,
    /// The announced message exceeds the limit.
    TooLong,
}

impl fmt::Display for FramingError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Malformed => "malformed SNMP message",
            Self::TooLong => "the length field of a message exceeds the maximum message size",
        })
    }
}

impl std::error::Error for FramingError {}

/// The BER tag of a constructed SEQUENCE.
const SEQUENCE: u8 = 0x30;

#[cfg(test)]
mod tests;
