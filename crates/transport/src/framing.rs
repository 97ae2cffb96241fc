//! Where a message in a byte stream ends (RFC 3430 §2.1): a message is its own BER SEQUENCE, nothing else frames it.

use std::fmt;

/// How many octets the message at the start of `stream` has, header included; `None` while too little of it is
/// there to know.
///
/// # Errors
/// When this is no message, or one of more than `max` octets. The stream cannot be understood any further then:
/// the session must be closed.
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
        // Indefinite lengths are not SNMP's (RFC 3417 §8); longer than four octets is longer than any message.
        0x80 | 0x85.. => return Err(FramingError::Malformed),
    };
    match content.checked_add(header) {
        Some(length) if length <= max => Ok(Some(length)),
        _ => Err(FramingError::TooLong),
    }
}

/// Why a stream cannot be cut into messages.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum FramingError {
    /// It does not begin with a SEQUENCE of definite length.
    Malformed,
    /// The announced message exceeds the bound.
    TooLong,
}

impl fmt::Display for FramingError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Malformed => "the stream does not continue with a message",
            Self::TooLong => "the announced message is longer than allowed",
        })
    }
}

impl std::error::Error for FramingError {}

/// BER's tag of SEQUENCE, constructed.
const SEQUENCE: u8 = 0x30;

#[cfg(test)]
mod tests;
