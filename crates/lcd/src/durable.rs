//! The format in which rows and scalars are stored in the state directory.
//!
//! The key of a record identifies the row, for example `usm/user/80000000…/6f7073`. The value is
//! one line of text that begins with the format version:
//! `1;storage=3;status=1;missing=0;securityName=6f7073;…`. Octets are written in hexadecimal.
//! Values of another format version are rejected.

mod fields;
mod key;
mod record;

pub use fields::{FieldWriter, Fields};
pub use key::{KeyReader, KeyWriter, RowKey};
use key::{RecordKeyReader, RecordKeyWriter};
pub(crate) use record::{read_into, record_key, row_value, scalar_records};

use std::fmt;

use portreeve_secret::{Secret, SecretBuffer};

/// A record whose key or value is malformed or has another version.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RecordError;

impl fmt::Display for RecordError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("malformed record, or a record of another version")
    }
}

impl std::error::Error for RecordError {}

/// Returns the two hexadecimal digits of each octet.
fn hex_digits(octets: &[u8]) -> impl Iterator<Item = [u8; 2]> {
    let digit = |value: u8| if value < 10 { b'0' + value } else { b'a' + value - 10 };
    octets.iter().map(move |octet| [digit(octet >> 4), digit(octet & 15)])
}

/// Reads octets in hexadecimal, which may be a key.
fn read_hex(text: &str) -> Result<Secret, RecordError> {
    let digit = |digit: u8| {
        let value = char::from(digit).to_digit(16).ok_or(RecordError)?;
        u8::try_from(value).map_err(|_| RecordError)
    };
    let mut octets = SecretBuffer::with_capacity(text.len() / 2);
    for pair in text.as_bytes().chunks(2) {
        let [high, low] = pair else { return Err(RecordError) };
        octets.extend(&[digit(*high)? << 4 | digit(*low)?]);
    }
    Ok(octets.into_secret())
}

#[cfg(test)]
mod tests;
