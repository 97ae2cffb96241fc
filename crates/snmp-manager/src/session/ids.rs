//! The numbers that match a response with its request: request-id and msgID.

/// A sequence of the numbers 1 ..= 2³¹-1 with a random start. Numbers repeat only after all have
/// been used.
#[derive(Debug)]
pub(crate) struct IdSequence(u32);

impl IdSequence {
    pub(crate) fn starting_at(seed: u32) -> Self {
        Self(seed)
    }

    pub(crate) fn next(&mut self) -> i32 {
        self.0 = self.0.wrapping_add(1) & MAX;
        self.0 = self.0.max(1);
        // The number has at most 31 bits, so it is positive.
        self.0 as i32
    }
}

const MAX: u32 = 0x7fff_ffff;
