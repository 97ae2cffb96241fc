//! Reading elements one after another, borrowed from the message.

use std::ops::Range;

use super::{BerError, Tag, decode_i32, decode_u32};

/// A cursor over the elements of one message or of one element's content.
///
/// Positions are offsets into the outermost message, whatever the nesting, so that a caller can later write into
/// the very octets that were read.
#[derive(Clone, Debug)]
pub struct Reader<'a> {
    rest: &'a [u8],
    position: usize,
}

impl<'a> Reader<'a> {
    /// Starts at the first octet of a message.
    pub fn new(message: &'a [u8]) -> Self {
        Self { rest: message, position: 0 }
    }

    /// Starts at `position` of some message, whose octets from there on are `octets`.
    pub fn at(octets: &'a [u8], position: usize) -> Self {
        Self { rest: octets, position }
    }

    /// Offset of the next octet.
    pub fn position(&self) -> usize {
        self.position
    }

    /// Whether every octet is read.
    pub fn is_empty(&self) -> bool {
        self.rest.is_empty()
    }

    /// What is left to read.
    pub fn rest(&self) -> &'a [u8] {
        self.rest
    }

    /// The next element's tag, without reading it.
    pub fn peek_tag(&self) -> Option<Tag> {
        self.rest.first().map(|&octet| Tag(octet))
    }

    /// Reads one element of whatever type: its tag and content.
    #[inline]
    pub fn read(&mut self) -> Result<(Tag, &'a [u8]), BerError> {
        let (&tag, after_tag) = self.rest.split_first().ok_or(BerError::Truncated)?;
        let (&first, after_first) = after_tag.split_first().ok_or(BerError::Truncated)?;
        let (length, content) =
            if first < 0x80 { (usize::from(first), after_first) } else { long_length(first, after_first)? };
        let (content, rest) = content.split_at_checked(length).ok_or(BerError::Truncated)?;
        self.position += self.rest.len() - rest.len();
        self.rest = rest;
        Ok((Tag(tag), content))
    }

    /// Reads one element of the given type: its content.
    #[inline]
    pub fn expect(&mut self, tag: Tag) -> Result<&'a [u8], BerError> {
        if self.peek_tag() != Some(tag) {
            return Err(if self.rest.is_empty() { BerError::Truncated } else { BerError::UnexpectedTag });
        }
        self.read().map(|(_, content)| content)
    }

    /// Reads one element of the given type and returns a reader over its content.
    #[inline]
    pub fn enter(&mut self, tag: Tag) -> Result<Reader<'a>, BerError> {
        let content = self.expect(tag)?;
        Ok(Reader { rest: content, position: self.position - content.len() })
    }

    /// Reads one element of the given type and returns where its content lies in the message.
    pub fn range(&mut self, tag: Tag) -> Result<Range<usize>, BerError> {
        let content = self.expect(tag)?;
        Ok(self.position - content.len()..self.position)
    }

    /// Reads an INTEGER of 32 bits.
    #[inline]
    pub fn integer(&mut self) -> Result<i32, BerError> {
        decode_i32(self.expect(Tag::INTEGER)?)
    }

    /// Reads an INTEGER that must not be negative.
    pub fn unsigned(&mut self) -> Result<u32, BerError> {
        decode_u32(self.expect(Tag::INTEGER)?)
    }

    /// Reads an OCTET STRING.
    pub fn octet_string(&mut self) -> Result<&'a [u8], BerError> {
        self.expect(Tag::OCTET_STRING)
    }

    /// Insists that nothing is left.
    pub fn finish(self) -> Result<(), BerError> {
        if self.rest.is_empty() { Ok(()) } else { Err(BerError::TrailingOctets) }
    }
}

/// The long form: `first` says how many length octets follow. At most four, of which leading ones may be zero.
fn long_length(first: u8, after: &[u8]) -> Result<(usize, &[u8]), BerError> {
    let count = usize::from(first & 0x7f);
    if !(1..=4).contains(&count) {
        return Err(BerError::BadLength);
    }
    let (digits, content) = after.split_at_checked(count).ok_or(BerError::Truncated)?;
    let length = digits.iter().fold(0usize, |length, &octet| (length << 8) | usize::from(octet));
    Ok((length, content))
}
