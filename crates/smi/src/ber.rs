//! The subset of BER that SNMP uses (RFC 3417 §8): definite lengths, low tag numbers.
//!
//! Reading borrows from the message and never recurses. Writing has two directions: messages grow backwards into
//! reserved headroom with [`ReverseWriter`], because a header needs the length of what follows; variable bindings
//! grow forwards with [`ForwardWriter`], because each one's length is known before it is written.

mod forward;
mod integer;
mod oid;
mod reader;
mod reverse;
mod tag;

use std::fmt;

pub use forward::ForwardWriter;
pub use integer::{decode_i32, decode_u32, decode_u64, i32_len, u64_len};
pub use oid::{check_oid, decode_oid, oid_len};
pub use reader::Reader;
pub use reverse::ReverseWriter;
pub use tag::Tag;

/// Why octets are not what was expected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BerError {
    /// The input ends inside an element, or a length points past it.
    Truncated,
    /// A length that is indefinite or longer than four octets.
    BadLength,
    /// Another tag than the one expected, or a tag SNMP does not use.
    UnexpectedTag,
    /// Content that is no value of its type.
    BadValue,
    /// Octets left over after the last element.
    TrailingOctets,
}

impl fmt::Display for BerError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Truncated => "an element is longer than what holds it",
            Self::BadLength => "a length is indefinite or of more than four octets",
            Self::UnexpectedTag => "an element has another type than expected",
            Self::BadValue => "an element's content is no value of its type",
            Self::TrailingOctets => "octets are left over after the last element",
        })
    }
}

impl std::error::Error for BerError {}

/// The writer's buffer has no room left. Nothing of the element was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BufferFullError;

impl fmt::Display for BufferFullError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the message does not fit its buffer")
    }
}

impl std::error::Error for BufferFullError {}

/// Accepts `content` only if it is empty, as the content of NULL and of the exceptions must be.
pub(crate) fn expect_empty<T>(content: &[u8], value: T) -> Result<T, BerError> {
    if content.is_empty() { Ok(value) } else { Err(BerError::BadValue) }
}

/// How many octets a header (tag and minimal length) takes before `content` octets.
pub fn header_len(content: usize) -> usize {
    match content {
        0..=0x7f => 2,
        0x80..=0xff => 3,
        0x100..=0xffff => 4,
        0x1_0000..=0xff_ffff => 5,
        _ => 6,
    }
}

#[cfg(test)]
mod tests;
