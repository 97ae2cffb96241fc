//! Changes a key without revealing the new key to an observer who does not have the old key
//! (KeyChange, RFC 3414 §5).
//!
//! A KeyChange value consists of a random part and a delta of the same length. The delta is the new
//! key XOR a pad that can be computed only with the old key.

use std::error::Error;
use std::fmt;

use crate::AuthProtocol;
use crate::LocalizedKey;
use crate::hash::hash;
use crate::key_octets::KeyOctets;

/// Computes the new key that `key_change` sets in place of `old`. `protocol` is the user's
/// authentication protocol, even if the key is a privacy key.
///
/// # Errors
/// [`KeyChangeLengthError`] unless `key_change` is twice as long as `old`.
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

/// Builds the KeyChange value that sets `new` in place of `old`. `random` must be newly generated
/// for each value.
///
/// # Errors
/// [`KeyChangeLengthError`] unless `new` and `random` are as long as `old`.
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

/// The length of a KeyChange value, or of a part of it, does not match the length of the key to be
/// changed.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct KeyChangeLengthError {
    /// The required length in octets.
    pub expected: usize,
}

impl fmt::Display for KeyChangeLengthError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "wrong length of KeyChange value, expected {} octets", self.expected)
    }
}

impl Error for KeyChangeLengthError {}

/// Computes the pad from `old` and `random` and returns `octets` XOR the pad. Applying the same pad
/// again restores the octets.
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
