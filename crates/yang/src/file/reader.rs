//! Reads the items of a schema file.

use super::{FileReason, Item};
use crate::{MAX_LIST, SchemaError};

/// The octets of a schema file that are not read yet.
pub(super) struct Reader<'a> {
    rest: &'a [u8],
}

impl<'a> Reader<'a> {
    pub(super) fn new(octets: &'a [u8]) -> Self {
        Self { rest: octets }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.rest.is_empty()
    }

    /// Reads a list whose length is limited, and hands each item on before it reads the next.
    pub(super) fn items<T: Item>(
        &mut self,
        items: &'static str,
        max: usize,
        mut accept: impl FnMut(T),
    ) -> Result<(), SchemaError> {
        let count = self.length().map_err(SchemaError::File)?;
        if count > max {
            return Err(SchemaError::TooMany { items, max });
        }
        for _ in 0..count {
            accept(T::read(self).map_err(SchemaError::File)?);
        }
        Ok(())
    }

    /// Reads a list. An item has at least one octet, so that the rest of the file limits its
    /// length as well.
    pub(super) fn list<T: Item>(&mut self) -> Result<Vec<T>, FileReason> {
        let count = self.length()?;
        if count > self.rest.len() {
            return Err(FileReason::Truncated);
        }
        if count > MAX_LIST {
            return Err(FileReason::ListTooLong);
        }
        // Not `with_capacity`: an item takes more memory than the octet that it has at least.
        (0..count).map(|_| T::read(self)).collect()
    }

    /// Reads a text.
    pub(super) fn text(&mut self) -> Result<&'a str, FileReason> {
        let length = self.length()?;
        let (text, rest) = self.rest.split_at_checked(length).ok_or(FileReason::Truncated)?;
        self.rest = rest;
        str::from_utf8(text).map_err(|_| FileReason::InvalidItem)
    }

    /// Reads octets of a fixed number.
    pub(super) fn octets<const N: usize>(&mut self) -> Result<[u8; N], FileReason> {
        let (octets, rest) = self.rest.split_first_chunk().ok_or(FileReason::Truncated)?;
        self.rest = rest;
        Ok(*octets)
    }

    fn length(&mut self) -> Result<usize, FileReason> {
        Ok(u32::from_be_bytes(self.octets()?) as usize)
    }
}
