//! The octets of one key, whatever key it is.

use zeroize::{Zeroize, ZeroizeOnDrop};

/// Room for any key of any protocol, wiped on drop, on the stack.
#[derive(Zeroize, ZeroizeOnDrop)]
pub(crate) struct KeyOctets {
    octets: [u8; MAX_KEY_LEN],
    len: usize,
}

impl KeyOctets {
    /// Keeps at most [`MAX_KEY_LEN`] octets of `source`.
    pub(crate) fn new(source: &[u8]) -> Self {
        let mut key = Self { octets: [0; MAX_KEY_LEN], len: 0 };
        key.append(source, MAX_KEY_LEN);
        key
    }

    /// Appends octets of `source` until there are `limit` in all, or no more of them.
    pub(crate) fn append(&mut self, source: &[u8], limit: usize) {
        let room = self.octets.iter_mut().take(limit).skip(self.len);
        for (to, from) in room.zip(source) {
            *to = *from;
            self.len += 1;
        }
    }

    /// Appends `source` under `pad`, as far as both go.
    pub(crate) fn append_xor(&mut self, source: &[u8], pad: &[u8]) {
        let room = self.octets.iter_mut().skip(self.len);
        for (to, (from, pad)) in room.zip(source.iter().zip(pad)) {
            *to = from ^ pad;
            self.len += 1;
        }
    }

    pub(crate) fn as_slice(&self) -> &[u8] {
        self.octets.get(..self.len).unwrap_or_default()
    }
}

/// The longest key: the output of SHA-512.
pub(crate) const MAX_KEY_LEN: usize = 64;
