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

/// A record whose key or value is malformed or has another version.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RecordError;

impl fmt::Display for RecordError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("malformed record, or a record of another version")
    }
}

impl std::error::Error for RecordError {}

fn write_hex(text: &mut String, octets: &[u8]) {
    for octet in octets {
        for digit in [octet >> 4, octet & 15] {
            text.extend(char::from_digit(digit.into(), 16));
        }
    }
}

fn read_hex(text: &str) -> Result<Vec<u8>, RecordError> {
    let digit = |digit: u8| {
        let value = char::from(digit).to_digit(16).ok_or(RecordError)?;
        u8::try_from(value).map_err(|_| RecordError)
    };
    let pair = |pair: &[u8]| match pair {
        [high, low] => Ok(digit(*high)? << 4 | digit(*low)?),
        _ => Err(RecordError),
    };
    text.as_bytes().chunks(2).map(pair).collect()
}

#[cfg(test)]
mod tests;
