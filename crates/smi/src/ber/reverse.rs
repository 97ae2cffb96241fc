//! Writes elements backwards: headers are written in front of existing content.

use std::ops::Range;

use super::{
    BufferFullError, Tag, i32_len,
    oid::{first_sub_identifier, sub_identifier_len},
    u64_len,
};
use crate::OidRef;

/// Prepends elements to the content at the end of a buffer.
///
/// The content is written before its header, so lengths need not be known in advance and content is
/// never moved.
#[derive(Debug)]
pub struct ReverseWriter<'b> {
    buffer: &'b mut [u8],
    start: usize,
    end: usize,
}

impl<'b> ReverseWriter<'b> {
    /// Creates a writer that writes from the end of `buffer` towards its start.
    pub fn new(buffer: &'b mut [u8]) -> Self {
        let end = buffer.len();
        Self { buffer, start: end, end }
    }

    /// Continues in front of existing content at the range `content` of `buffer`.
    pub fn before(buffer: &'b mut [u8], content: Range<usize>) -> Self {
        let end = content.end.min(buffer.len());
        Self { start: content.start.min(end), end, buffer }
    }

    /// Returns the number of octets written, including content that existed before.
    pub fn len(&self) -> usize {
        self.end - self.start
    }

    /// Returns whether nothing has been written.
    pub fn is_empty(&self) -> bool {
        self.start == self.end
    }

    /// Returns the range of the written octets in the buffer.
    pub fn range(&self) -> Range<usize> {
        self.start..self.end
    }

    /// Returns the offset of the first written octet.
    pub fn start(&self) -> usize {
        self.start
    }

    /// Returns the octets written so far.
    pub fn written(&self) -> &[u8] {
        self.buffer.get(self.start..self.end).unwrap_or_default()
    }

    /// Returns the octets written so far, to change them in place (encryption, digests).
    pub fn written_mut(&mut self) -> &mut [u8] {
        self.buffer.get_mut(self.start..self.end).unwrap_or_default()
    }

    /// Appends `count` octets of value `octet` after the end, as padding for block ciphers.
    ///
    /// # Errors
    /// [`BufferFullError`] if the buffer has no room after the end.
    pub fn pad_end(&mut self, octet: u8, count: usize) -> Result<(), BufferFullError> {
        let end = self.end + count;
        self.buffer.get_mut(self.end..end).ok_or(BufferFullError)?.fill(octet);
        self.end = end;
        Ok(())
    }

    /// Prepends octets without a header.
    ///
    /// # Errors
    /// [`BufferFullError`] if the buffer has no room.
    #[inline]
    pub fn raw(&mut self, octets: &[u8]) -> Result<(), BufferFullError> {
        let start = self.start.checked_sub(octets.len()).ok_or(BufferFullError)?;
        self.buffer.get_mut(start..self.start).ok_or(BufferFullError)?.copy_from_slice(octets);
        self.start = start;
        Ok(())
    }

    /// Prepends the header of an element whose content is the last `content` octets written.
    ///
    /// # Errors
    /// [`BufferFullError`] if the buffer has no room.
    #[inline]
    pub fn header(&mut self, tag: Tag, content: usize) -> Result<(), BufferFullError> {
        let [.., d, c, b, a] = content.to_be_bytes();
        match content {
            0..=0x7f => self.raw(&[tag.0, a]),
            0x80..=0xff => self.raw(&[tag.0, 0x81, a]),
            0x100..=0xffff => self.raw(&[tag.0, 0x82, b, a]),
            0x1_0000..=0xff_ffff => self.raw(&[tag.0, 0x83, c, b, a]),
            _ => self.raw(&[tag.0, 0x84, d, c, b, a]),
        }
    }

    /// Wraps into one element all octets that were written after the first `since` octets.
    ///
    /// # Errors
    /// [`BufferFullError`] if the buffer has no room.
    #[inline]
    pub fn wrap(&mut self, tag: Tag, since: usize) -> Result<(), BufferFullError> {
        self.header(tag, self.len() - since)
    }

    /// Prepends an INTEGER.
    ///
    /// # Errors
    /// [`BufferFullError`] if the buffer has no room.
    #[inline]
    pub fn integer(&mut self, value: i32) -> Result<(), BufferFullError> {
        let length = i32_len(value);
        self.raw(value.to_be_bytes().get(4 - length..).unwrap_or_default())?;
        self.header(Tag::INTEGER, length)
    }

    /// Prepends an unsigned number below 2³² with the given tag, which may be INTEGER.
    ///
    /// # Errors
    /// [`BufferFullError`] if the buffer has no room.
    #[inline]
    pub fn unsigned(&mut self, tag: Tag, value: u32) -> Result<(), BufferFullError> {
        let length = u64_len(u64::from(value));
        self.raw(u64::from(value).to_be_bytes().get(8 - length..).unwrap_or_default())?;
        self.header(tag, length)
    }

    /// Prepends an OCTET STRING.
    ///
    /// # Errors
    /// [`BufferFullError`] if the buffer has no room.
    #[inline]
    pub fn octet_string(&mut self, octets: &[u8]) -> Result<(), BufferFullError> {
        self.raw(octets)?;
        self.header(Tag::OCTET_STRING, octets.len())
    }

    /// Prepends an OBJECT IDENTIFIER.
    ///
    /// # Errors
    /// [`BufferFullError`] if the buffer has no room.
    pub fn oid(&mut self, oid: &OidRef<'_>) -> Result<(), BufferFullError> {
        let since = self.len();
        match oid {
            OidRef::Encoded(content) => self.raw(content)?,
            OidRef::Arcs([root, second, rest @ ..]) => {
                rest.iter().rev().try_for_each(|&arc| self.sub_identifier(arc))?;
                self.sub_identifier(first_sub_identifier(*root, *second))?;
            }
            OidRef::Arcs([root]) => self.sub_identifier(first_sub_identifier(*root, 0))?,
            OidRef::Arcs([]) => self.sub_identifier(0)?,
        }
        self.wrap(Tag::OBJECT_IDENTIFIER, since)
    }

    fn sub_identifier(&mut self, value: u32) -> Result<(), BufferFullError> {
        let mut digits = [0; 5];
        for (position, digit) in digits.iter_mut().rev().enumerate() {
            let more = if position == 0 { 0 } else { 0x80 };
            *digit = more | (value >> (7 * position) & 0x7f) as u8;
        }
        self.raw(digits.get(digits.len() - sub_identifier_len(value)..).unwrap_or_default())
    }
}
