//! A generator of reproducible numbers.

pub(crate) struct Random(u64);

impl Random {
    /// Creates a generator. Different seeds give different sequences.
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed | 1)
    }

    /// Returns a number below `bound` (xorshift).
    pub(crate) fn below(&mut self, bound: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % bound
    }
}
