//! Positions in a document.

use std::fmt;

/// The position of an octet in a document.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Position {
    /// Number of the line, from 1. Lines end with a line feed.
    pub line: u64,
    /// Number of the octet in its line, from 1.
    pub column: u64,
    /// Number of octets before it in the document.
    pub offset: u64,
}

impl Position {
    /// The position of the first octet of a document.
    pub const START: Self = Self { line: 1, column: 1, offset: 0 };

    /// Moves the position past `octets`, which begin at it.
    pub(crate) fn advance(&mut self, octets: &[u8]) {
        let Some(last) = memchr::memrchr(b'\n', octets) else { return self.advance_in_line(octets.len()) };
        self.line += memchr::memchr_iter(b'\n', octets).count() as u64;
        self.column = (octets.len() - last) as u64;
        self.offset += octets.len() as u64;
    }

    /// Moves the position past octets without a line feed.
    pub(crate) fn advance_in_line(&mut self, count: usize) {
        self.offset += count as u64;
        self.column += count as u64;
    }

    /// Returns the position after `octets`, which begin at this one.
    pub(crate) fn after(mut self, octets: &[u8]) -> Self {
        self.advance(octets);
        self
    }
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {}", self.line, self.column)
    }
}
