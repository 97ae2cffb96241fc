//! Derives structured values from the fuzzer's octets: every input is a valid value, and a small
//! change of the input is a small change of the value.

/// The octets that have not been used yet.
pub(crate) struct Input<'a>(&'a [u8]);

impl<'a> Input<'a> {
    /// Creates an input of which no octets have been used.
    pub(crate) fn new(octets: &'a [u8]) -> Self {
        Self(octets)
    }

    /// Returns true if all octets have been used.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns the next octet, or 0 at the end.
    pub(crate) fn octet(&mut self) -> u8 {
        self.octets(1).first().copied().unwrap_or(0)
    }

    /// Returns the next octets, at most `count`.
    pub(crate) fn octets(&mut self, count: usize) -> &'a [u8] {
        let (taken, rest) = self.0.split_at(count.min(self.0.len()));
        self.0 = rest;
        taken
    }

    /// Returns a number of up to eight octets. The next octet is their count, so small and large
    /// numbers are equally likely.
    pub(crate) fn number(&mut self) -> u64 {
        let count = usize::from(self.octet() % 9);
        self.octets(count).iter().fold(0, |number, octet| number << 8 | u64::from(*octet))
    }
}
