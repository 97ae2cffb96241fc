//! Bytes that must not leak: passwords, keys, communities.
//!
//! A [`Secret`] is wiped when it is dropped. It is compared in constant time. It does not implement
//! `Debug`, `Display`, `Serialize` or `Clone`. It therefore cannot be logged, included in an error
//! or copied by accident. Other crates read and store secrets, and derive keys from them.

use std::fmt;

use subtle::ConstantTimeEq;
use zeroize::{Zeroize, ZeroizeOnDrop, Zeroizing};

/// Secret bytes that are wiped when dropped.
pub struct Secret(Zeroizing<Vec<u8>>);

impl Secret {
    /// Takes ownership of `octets` without copying them.
    pub fn new(octets: Vec<u8>) -> Self {
        Self(Zeroizing::new(octets))
    }

    /// Returns the bytes. Every use of this function must be reviewed.
    pub fn expose(&self) -> &[u8] {
        &self.0
    }

    /// Copies the secret. Copying is explicit, because each copy is another secret in memory.
    pub fn duplicate(&self) -> Self {
        Self::from(self.expose())
    }

    /// The number of bytes; a length is not secret.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Returns `true` if the secret is empty.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns the bytes without copying them. They are still wiped when dropped.
    pub fn into_octets(self) -> Zeroizing<Vec<u8>> {
        self.0
    }
}

impl ZeroizeOnDrop for Secret {}

impl From<&[u8]> for Secret {
    fn from(octets: &[u8]) -> Self {
        Self::new(octets.to_vec())
    }
}

impl From<&str> for Secret {
    fn from(text: &str) -> Self {
        Self::from(text.as_bytes())
    }
}

impl From<String> for Secret {
    fn from(text: String) -> Self {
        Self::new(text.into_bytes())
    }
}

/// Compares in a time that does not depend on where two secrets of equal length differ.
impl PartialEq for Secret {
    fn eq(&self, other: &Self) -> bool {
        ct_eq(self.expose(), other.expose())
    }
}

impl Eq for Secret {}

/// Collects the bytes of a secret. A vector that grows leaves copies in freed memory; this buffer
/// wipes what it leaves.
#[derive(Default)]
pub struct SecretBuffer(Zeroizing<Vec<u8>>);

impl SecretBuffer {
    /// Creates an empty buffer with room for `capacity` bytes.
    pub fn with_capacity(capacity: usize) -> Self {
        Self(Zeroizing::new(Vec::with_capacity(capacity)))
    }

    /// Appends bytes.
    pub fn extend(&mut self, octets: &[u8]) {
        let length = self.0.len() + octets.len();
        if length > self.0.capacity() {
            let mut larger = Self::with_capacity(length.max(2 * self.0.capacity()));
            larger.0.extend_from_slice(&self.0);
            *self = larger;
        }
        self.0.extend_from_slice(octets);
    }

    /// Returns the bytes as a secret, without copying them.
    pub fn into_secret(self) -> Secret {
        Secret(self.0)
    }
}

impl ZeroizeOnDrop for SecretBuffer {}

/// Returns `true` if `a` and `b` are equal, in a time that depends on their lengths only.
pub fn ct_eq(a: &[u8], b: &[u8]) -> bool {
    a.ct_eq(b).into()
}

/// Wipes the bytes of a secret in a buffer that the caller owns.
pub fn wipe(octets: &mut [u8]) {
    octets.zeroize();
}

/// A placeholder for a secret in the `Debug` output of the type that contains it.
///
/// ```
/// use portreeve_secret::Redacted;
///
/// assert_eq!(format!("{Redacted:?}"), "(secret)");
/// ```
#[derive(Clone, Copy)]
pub struct Redacted;

impl fmt::Debug for Redacted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("(secret)")
    }
}

#[cfg(test)]
mod tests;
