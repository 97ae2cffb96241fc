//! How rows and scalars are written for the state directory.
//!
//! A record's key names the row, such as `usm/user/80000000…/6f7073`; its value is one line of text that begins with
//! its version: `1;storage=3;status=1;missing=0;securityName=6f7073;…`. Octets are in hexadecimal. A newer version's
//! lines are refused, never guessed at.

mod fields;
mod key;
mod record;

pub use fields::{FieldWriter, Fields};
pub use key::{KeyReader, KeyWriter, RowKey};
use key::{RecordKeyReader, RecordKeyWriter};
pub(crate) use record::{read_into, record_key, row_value, scalar_records};

use std::fmt;

/// A record that does not say what its key promises.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RecordError;

impl fmt::Display for RecordError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("not a record of this version")
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
