//! Octets that must not leak: passwords, keys, communities.
//!
//! A [`Secret`] is wiped when it is dropped, is compared in constant time, and has neither `Debug`, `Display`,
//! `Serialize` nor `Clone`: it cannot reach a log, an error message or a second place by accident.
//! How a secret is read, stored or turned into a key is decided elsewhere.

use std::fmt;

use subtle::ConstantTimeEq;
use zeroize::{Zeroize, Zeroizing};

/// Owned secret octets.
pub struct Secret(Zeroizing<Vec<u8>>);

impl Secret {
    /// Takes over `octets`, without copying them.
    pub fn new(octets: Vec<u8>) -> Self {
        Self(Zeroizing::new(octets))
    }

    /// Lends the octets. Every call is a place to review.
    pub fn expose(&self) -> &[u8] {
        &self.0
    }

    /// Makes a second copy, on purpose.
    pub fn duplicate(&self) -> Self {
        Self::from(self.expose())
    }

    /// How many octets there are; a length is no secret.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there is nothing in it.
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

/// Takes a time that does not depend on where two secrets of equal length differ.
impl PartialEq for Secret {
    fn eq(&self, other: &Self) -> bool {
        ct_eq(self.expose(), other.expose())
    }
}

impl Eq for Secret {}

/// Says whether `a` and `b` are equal, in a time that depends on their lengths only.
pub fn ct_eq(a: &[u8], b: &[u8]) -> bool {
    a.ct_eq(b).into()
}

/// Overwrites octets of a secret that are in somebody else's buffer.
pub fn wipe(octets: &mut [u8]) {
    octets.zeroize();
}

/// Stands in for a secret where a `Debug` of the thing around it is wanted.
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
