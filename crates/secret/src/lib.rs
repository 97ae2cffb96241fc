//! Bytes that must not leak: passwords, keys, communities.
//!
//! A [`Secret`] is wiped when it is dropped. It is compared in constant time. It does not implement
//! `Debug`, `Display`, `Serialize` or `Clone`. It therefore cannot be logged, included in an error
//! or copied by accident. Other crates read and store secrets, and derive keys from them.

use std::fmt;

use subtle::ConstantTimeEq;
use zeroize::{Zeroize, Zeroizing};

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
}

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
