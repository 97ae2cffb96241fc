//! Writes elements forwards. The length of each element must be known before its content is
//! written.

use super::{
    BufferFullError, Tag, header_len,
    oid::{first_sub_identifier, oid_len, sub_identifier_len},
};
use crate::{OidRef, Value};

/// Appends elements to a buffer from its start.
#[derive(Debug)]
pub struct ForwardWriter<'b> {
    buffer: &'b mut [u8],
    length: usize,
}

impl<'b> ForwardWriter<'b> {
    /// Creates a writer that starts at the beginning of `buffer`.
    pub fn new(buffer: &'b mut [u8]) -> Self {
        Self { buffer, length: 0 }
    }

    /// Continues after the first `length` octets, which are already written.
    pub fn resume(buffer: &'b mut [u8], length: usize) -> Self {
        let length = length.min(buffer.len());
        Self { buffer, length }
    }

    /// Returns the number of octets written.
    pub fn len(&self) -> usize {
        self.length
    }

    /// Returns whether nothing has been written.
    pub fn is_empty(&self) -> bool {
        self.length == 0
    }

    /// Returns the number of octets that still fit.
    pub fn room(&self) -> usize {
        self.buffer.len() - self.length
    }

    /// Removes the octets written after the first `length`.
    pub fn truncate(&mut self, length: usize) {
        self.length = self.length.min(length);
    }

    /// Returns the octets written so far.
    pub fn written(&self) -> &[u8] {
        self.buffer.get(..self.length).unwrap_or_default()
    }

    /// Writes one complete variable binding, or nothing.
    ///
    /// # Errors
    /// [`BufferFullError`] if the buffer has no room for the binding.
    #[inline]
    pub fn var_bind(&mut self, name: &[u32], value: &Value<'_>) -> Result<(), BufferFullError> {
        let name_len = oid_len(name);
        let value_len = value.content_len();
        let content = header_len(name_len) + name_len + header_len(value_len) + value_len;
        let total = header_len(content) + content;
        let end = self.length + total;
        let slot = self.buffer.get_mut(self.length..end).ok_or(BufferFullError)?;
        let mut sink = Sink(slot);
        sink.header(Tag::SEQUENCE, content);
        sink.header(Tag::OBJECT_IDENTIFIER, name_len);
        sink.arcs(name);
        sink.header(value.tag(), value_len);
        sink.value(value, value_len);
        self.length = end;
        Ok(())
    }

    /// Copies octets that are already encoded.
    ///
    /// # Errors
    /// [`BufferFullError`] if the buffer has no room for the octets.
    pub fn raw(&mut self, octets: &[u8]) -> Result<(), BufferFullError> {
        let end = self.length + octets.len();
        self.buffer.get_mut(self.length..end).ok_or(BufferFullError)?.copy_from_slice(octets);
        self.length = end;
        Ok(())
    }
}

/// A part of the buffer that has the computed size of an element. Octets that do not fit would be
/// dropped silently, but the computed size rules this out.
struct Sink<'b>(&'b mut [u8]);

impl Sink<'_> {
    #[inline]
    fn octet(&mut self, octet: u8) {
        if let Some((first, rest)) = std::mem::take(&mut self.0).split_first_mut() {
            *first = octet;
            self.0 = rest;
        }
    }

    #[inline]
    fn slice(&mut self, octets: &[u8]) {
        if let Some((head, rest)) = std::mem::take(&mut self.0).split_at_mut_checked(octets.len()) {
            head.copy_from_slice(octets);
            self.0 = rest;
        }
    }

    #[inline]
    fn header(&mut self, tag: Tag, length: usize) {
        self.octet(tag.0);
        let [.., d, c, b, a] = length.to_be_bytes();
        match header_len(length) {
            2 => self.octet(a),
            3 => self.slice(&[0x81, a]),
            4 => self.slice(&[0x82, b, a]),
            5 => self.slice(&[0x83, c, b, a]),
            _ => self.slice(&[0x84, d, c, b, a]),
        }
    }

    #[inline]
    fn arcs(&mut self, arcs: &[u32]) {
        let rest = match arcs {
            [root, second, rest @ ..] => {
                self.sub_identifier(first_sub_identifier(*root, *second));
                rest
            }
            [root] => return self.octet(u8::try_from(root.saturating_mul(40)).unwrap_or(80)),
            [] => return self.octet(0),
        };
        for &arc in rest {
            self.sub_identifier(arc);
        }
    }

    #[inline]
    fn sub_identifier(&mut self, value: u32) {
        if value < 0x80 {
            return self.octet(value as u8);
        }
        for digit in (1..sub_identifier_len(value)).rev() {
            self.octet(0x80 | (value >> (7 * digit)) as u8);
        }
        self.octet((value & 0x7f) as u8);
    }

    #[inline]
    fn value(&mut self, value: &Value<'_>, length: usize) {
        match value {
            Value::Integer(number) => self.slice(number.to_be_bytes().get(4 - length..).unwrap_or_default()),
            Value::Counter32(number) | Value::Gauge32(number) | Value::TimeTicks(number) => {
                self.unsigned(u64::from(*number), length);
            }
            Value::Counter64(number) => self.unsigned(*number, length),
            Value::OctetString(octets) | Value::Opaque(octets) | Value::ObjectId(OidRef::Encoded(octets)) => {
                self.slice(octets);
            }
            Value::ObjectId(OidRef::Arcs(arcs)) => self.arcs(arcs),
            Value::IpAddress(address) => self.slice(address),
            Value::Null | Value::NoSuchObject | Value::NoSuchInstance | Value::EndOfMibView => {}
        }
    }

    #[inline]
    fn unsigned(&mut self, number: u64, length: usize) {
        let octets = number.to_be_bytes();
        if length == 9 {
            self.octet(0);
            self.slice(&octets);
        } else {
            self.slice(octets.get(8 - length..).unwrap_or_default());
        }
    }
}
