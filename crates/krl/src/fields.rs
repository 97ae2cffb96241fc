//! SSH data types (RFC 4251 §5), as far as revocation lists use them.

/// The part of the input that has not been read yet.
pub(crate) struct FieldReader<'l>(pub(crate) &'l [u8]);

impl<'l> FieldReader<'l> {
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(crate) fn expect_end(&self) -> Option<()> {
        self.is_empty().then_some(())
    }

    pub(crate) fn read_u8(&mut self) -> Option<u8> {
        let (first, rest) = self.0.split_first()?;
        self.0 = rest;
        Some(*first)
    }

    pub(crate) fn read_u32(&mut self) -> Option<u32> {
        let (first, rest) = self.0.split_first_chunk()?;
        self.0 = rest;
        Some(u32::from_be_bytes(*first))
    }

    pub(crate) fn read_u64(&mut self) -> Option<u64> {
        let (first, rest) = self.0.split_first_chunk()?;
        self.0 = rest;
        Some(u64::from_be_bytes(*first))
    }

    pub(crate) fn read_string(&mut self) -> Option<&'l [u8]> {
        let length = usize::try_from(self.read_u32()?).ok()?;
        let (string, rest) = self.0.split_at_checked(length)?;
        self.0 = rest;
        Some(string)
    }

    /// Calls `take` with each string until the end.
    pub(crate) fn for_each_string(mut self, mut take: impl FnMut(&'l [u8]) -> Option<()>) -> Option<()> {
        while !self.is_empty() {
            take(self.read_string()?)?;
        }
        Some(())
    }
}

/// Appends a string, preceded by its length.
pub(crate) fn put_string(string: &[u8], into: &mut Vec<u8>) {
    // Strings too long for the length field do not occur, because readers limit the size of a list.
    into.extend(u32::try_from(string.len()).unwrap_or(u32::MAX).to_be_bytes());
    into.extend(string);
}
