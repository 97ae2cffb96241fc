//! Comparison of protocol names in Net-SNMP's spellings, with or without dashes, in upper or lower
//! case.

use std::error::Error;
use std::fmt;

/// Error for an unknown name of a protocol.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct UnknownProtocolError {
    /// The accepted names, for an error message.
    pub expected: &'static str,
}

impl fmt::Display for UnknownProtocolError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "unknown protocol; expected one of {}", self.expected)
    }
}

impl Error for UnknownProtocolError {}

/// Returns whether `written` is a spelling of `name`; `name` is in capitals and without dashes.
pub(crate) fn matches_name(written: &str, name: &str) -> bool {
    let letters = written.bytes().filter(|&letter| letter != b'-');
    letters.map(|letter| letter.to_ascii_uppercase()).eq(name.bytes())
}
