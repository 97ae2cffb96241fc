//! Changing a key without revealing it to who does not know the old one (KeyChange, RFC 3414 §5).
//!
//! A KeyChange value is a random part and, of the same length, a delta: the new key under a pad that only the holder
//! of the old key can compute.

use std::error::Error;
use std::fmt;

use crate::AuthProtocol;
use crate::LocalizedKey;
use crate::hash::hash;
use crate::key_octets::KeyOctets;

/// Computes the new key that `key_change` sets in place of `old`. `protocol` is the user's authentication protocol,
/// also when the key is a privacy key.
///
/// Returns [`KeyChangeLengthError`] unless `key_change` is twice as long as `old`.
pub fn apply_key_change(
    protocol: AuthProtocol,
    old: &LocalizedKey,
    key_change: &[u8],
) -> Result<LocalizedKey, KeyChangeLengthError> {
    let expected = old.expose().len() * 2;
    if key_change.len() != expected {
        return Err(KeyChangeLengthError { expected });
    }
    let (random, delta) = key_change.split_at(expected / 2);
    Ok(LocalizedKey(mask(protocol, old.expose(), random, delta)))
}

/// Builds the KeyChange value that sets `new` in place of `old`. `random` must be fresh; it and the two keys have one
/// and the same length.
///
/// Returns [`KeyChangeLengthError`] when `new` or `random` is not as long as `old`.
pub fn make_key_change(
    protocol: AuthProtocol,
    old: &LocalizedKey,
    new: &LocalizedKey,
    random: &[u8],
) -> Result<Vec<u8>, KeyChangeLengthError> {
    let len = old.expose().len();
    if new.expose().len() != len || random.len() != len {
        return Err(KeyChangeLengthError { expected: len * 2 });
    }
    let delta = mask(protocol, old.expose(), random, new.expose());
    Ok([random, delta.as_slice()].concat())
}

/// A KeyChange value, or a part for one, does not fit the key that it is to change.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct KeyChangeLengthError {
    /// Octets of a value that fits.
    pub expected: usize,
}

impl fmt::Display for KeyChangeLengthError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a KeyChange value for this key has {} octets", self.expected)
    }
}

impl Error for KeyChangeLengthError {}

/// Puts the pad made of `old` and `random` over `octets`, or takes it off again.
fn mask(protocol: AuthProtocol, old: &[u8], random: &[u8], octets: &[u8]) -> KeyOctets {
    let mut temp = KeyOctets::new(old);
    let mut masked = KeyOctets::new(&[]);
    for piece in octets.chunks(protocol.key_len()) {
        temp = hash(protocol, [temp.as_slice(), random]);
        masked.append_xor(piece, temp.as_slice());
    }
    masked
}

#[cfg(test)]
mod tests;
