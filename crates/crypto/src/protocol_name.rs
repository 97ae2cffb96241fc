//! How the names of protocols are read: Net-SNMP's spellings, with or without dashes, in either case.

use std::error::Error;
use std::fmt;

/// A protocol name nobody knows.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct UnknownProtocolError {
    /// The names that would have been accepted, for a message to a person.
    pub expected: &'static str,
}

impl fmt::Display for UnknownProtocolError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "unknown protocol; expected one of {}", self.expected)
    }
}

impl Error for UnknownProtocolError {}

/// Says whether `written` matches_name `name`; `name` is in capitals and without dashes.
pub(crate) fn matches_name(written: &str, name: &str) -> bool {
    let letters = written.bytes().filter(|&letter| letter != b'-');
    letters.map(|letter| letter.to_ascii_uppercase()).eq(name.bytes())
}
