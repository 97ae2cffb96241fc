//! Structured values out of the fuzzer's octets: every input is some value, and small changes stay small.

/// The octets not yet used.
pub(crate) struct Input<'a>(&'a [u8]);

impl<'a> Input<'a> {
    /// All of them.
    pub(crate) fn new(octets: &'a [u8]) -> Self {
        Self(octets)
    }

    /// Whether they are used up.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The next octet, 0 at the end.
    pub(crate) fn octet(&mut self) -> u8 {
        self.octets(1).first().copied().unwrap_or(0)
    }

    /// Up to `count` octets.
    pub(crate) fn octets(&mut self, count: usize) -> &'a [u8] {
        let (taken, rest) = self.0.split_at(count.min(self.0.len()));
        self.0 = rest;
        taken
    }

    /// A number of up to eight octets, as many as the next octet says: small numbers are as likely as large ones.
    pub(crate) fn number(&mut self) -> u64 {
        let count = usize::from(self.octet() % 9);
        self.octets(count).iter().fold(0, |number, octet| number << 8 | u64::from(*octet))
    }
}
