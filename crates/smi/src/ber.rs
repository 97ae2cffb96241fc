//! The subset of BER that SNMP uses (RFC 3417 §8): definite lengths, low tag numbers.
//!
//! Reading borrows from the message and never recurses. Writing works in two directions. Messages
//! grow backwards into reserved headroom with [`ReverseWriter`], because a header contains the
//! length of the content after it. Variable bindings grow forwards with [`ForwardWriter`], because
//! their lengths are known in advance.

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

/// The reason why octets cannot be decoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BerError {
    /// The input ends inside an element, or a length exceeds the input.
    Truncated,
    /// A length is indefinite, or encoded in more than four octets.
    BadLength,
    /// The tag is not the expected one, or SNMP does not use it.
    UnexpectedTag,
    /// The content is invalid for its type.
    BadValue,
    /// Octets are left over after the last element.
    TrailingOctets,
}

impl fmt::Display for BerError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Truncated => "an element is truncated",
            Self::BadLength => "a length is indefinite or longer than four octets",
            Self::UnexpectedTag => "an element has an unexpected type",
            Self::BadValue => "the content of an element is invalid for its type",
            Self::TrailingOctets => "octets are left over after the last element",
        })
    }
}

impl std::error::Error for BerError {}

/// The buffer of the writer has no room for the element. Nothing of the element was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BufferFullError;

impl fmt::Display for BufferFullError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the message does not fit into its buffer")
    }
}

impl std::error::Error for BufferFullError {}

/// Returns `value` if `content` is empty, as NULL and the exceptions require.
pub(crate) fn expect_empty<T>(content: &[u8], value: T) -> Result<T, BerError> {
    if content.is_empty() { Ok(value) } else { Err(BerError::BadValue) }
}

/// Returns the number of octets of a header (tag and minimal length) for `content` octets of
/// content.
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
