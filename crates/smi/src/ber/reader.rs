//! Reads elements one after another. Their content is borrowed from the message.

use std::ops::Range;

use super::{BerError, Tag, decode_i32, decode_u32};

/// A cursor over the elements of a message or over the content of one element.
///
/// Positions are offsets into the outermost message at every level of nesting, so that a caller can
/// later write to the octets that were read.
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

    /// Starts at `position` of a message. `octets` are the octets of the message from that position
    /// to the end.
    pub fn at(octets: &'a [u8], position: usize) -> Self {
        Self { rest: octets, position }
    }

    /// Returns the offset of the next octet.
    pub fn position(&self) -> usize {
        self.position
    }

    /// Returns whether all octets have been read.
    pub fn is_empty(&self) -> bool {
        self.rest.is_empty()
    }

    /// Returns the octets that have not been read.
    pub fn rest(&self) -> &'a [u8] {
        self.rest
    }

    /// Returns the tag of the next element without reading it.
    pub fn peek_tag(&self) -> Option<Tag> {
        self.rest.first().map(|&octet| Tag(octet))
    }

    /// Reads one element of any type and returns its tag and content.
    ///
    /// # Errors
    /// [`BerError::Truncated`] or [`BerError::BadLength`] if no complete element follows.
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

    /// Reads one element of the given type and returns its content.
    ///
    /// # Errors
    /// [`BerError::UnexpectedTag`] for another type, or the errors of [`Self::read`].
    #[inline]
    pub fn expect(&mut self, tag: Tag) -> Result<&'a [u8], BerError> {
        if self.peek_tag() != Some(tag) {
            return Err(if self.rest.is_empty() { BerError::Truncated } else { BerError::UnexpectedTag });
        }
        self.read().map(|(_, content)| content)
    }

    /// Reads one element of the given type and returns a reader for its content.
    ///
    /// # Errors
    /// See [`Self::expect`].
    #[inline]
    pub fn enter(&mut self, tag: Tag) -> Result<Reader<'a>, BerError> {
        let content = self.expect(tag)?;
        Ok(Reader { rest: content, position: self.position - content.len() })
    }

    /// Reads one element of the given type and returns the range of its content in the message.
    ///
    /// # Errors
    /// See [`Self::expect`].
    pub fn range(&mut self, tag: Tag) -> Result<Range<usize>, BerError> {
        let content = self.expect(tag)?;
        Ok(self.position - content.len()..self.position)
    }

    /// Reads an INTEGER of 32 bits.
    ///
    /// # Errors
    /// [`BerError::BadValue`] if it is out of range, or the errors of [`Self::expect`].
    #[inline]
    pub fn integer(&mut self) -> Result<i32, BerError> {
        decode_i32(self.expect(Tag::INTEGER)?)
    }

    /// Reads a non-negative INTEGER below 2³².
    ///
    /// # Errors
    /// [`BerError::BadValue`] if it is out of range, or the errors of [`Self::expect`].
    pub fn unsigned(&mut self) -> Result<u32, BerError> {
        decode_u32(self.expect(Tag::INTEGER)?)
    }

    /// Reads an OCTET STRING.
    ///
    /// # Errors
    /// See [`Self::expect`].
    pub fn octet_string(&mut self) -> Result<&'a [u8], BerError> {
        self.expect(Tag::OCTET_STRING)
    }

    /// Checks that all octets have been read.
    ///
    /// # Errors
    /// [`BerError::TrailingOctets`] if octets are left.
    pub fn finish(self) -> Result<(), BerError> {
        if self.rest.is_empty() { Ok(()) } else { Err(BerError::TrailingOctets) }
    }
}

/// Parses the long form of a length. `first` contains the number of length octets that follow. At
/// most four are accepted, and leading zero octets are allowed.
fn long_length(first: u8, after: &[u8]) -> Result<(usize, &[u8]), BerError> {
    let count = usize::from(first & 0x7f);
    if !(1..=4).contains(&count) {
        return Err(BerError::BadLength);
    }
    let (digits, content) = after.split_at_checked(count).ok_or(BerError::Truncated)?;
    let length = digits.iter().fold(0usize, |length, &octet| (length << 8) | usize::from(octet));
    Ok((length, content))
}
