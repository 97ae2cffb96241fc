//! The buffer that holds the octets of a key.

use zeroize::{Zeroize, ZeroizeOnDrop};

/// A buffer for any key of any protocol, stored inline and wiped on drop.
#[derive(Zeroize, ZeroizeOnDrop)]
pub(crate) struct KeyOctets {
    octets: [u8; MAX_KEY_LEN],
    len: usize,
}

impl KeyOctets {
    /// Copies at most [`MAX_KEY_LEN`] octets of `source`.
    pub(crate) fn new(source: &[u8]) -> Self {
        let mut key = Self { octets: [0; MAX_KEY_LEN], len: 0 };
        key.append(source, MAX_KEY_LEN);
        key
    }

    /// Appends octets of `source` until the key has `limit` octets or `source` ends.
    pub(crate) fn append(&mut self, source: &[u8], limit: usize) {
        let room = self.octets.iter_mut().take(limit).skip(self.len);
        for (to, from) in room.zip(source) {
            *to = *from;
            self.len += 1;
        }
    }

    /// Appends `source` XOR `pad`, up to the end of the shorter of the two.
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

/// The maximum length of a key: the output of SHA-512.
pub(crate) const MAX_KEY_LEN: usize = 64;
