//! The two stages of a key: derived from a pass phrase, then bound to one engine (RFC 3414 §2.6).

use std::error::Error;
use std::fmt;

use portreeve_secret::ct_eq;

use crate::AuthProtocol;
use crate::hash::hash;
use crate::key_octets::{KeyOctets, MAX_KEY_LEN};

/// A user's key before it is bound to an engine (Ku). Whoever holds it is that user on every engine.
pub struct MasterKey {
    protocol: AuthProtocol,
    octets: KeyOctets,
}

impl MasterKey {
    /// Takes a key that was derived elsewhere; it has `protocol.key_len()` octets.
    pub fn from_octets(protocol: AuthProtocol, octets: &[u8]) -> Result<Self, KeyLengthError> {
        KeyLengthError::check(protocol.key_len(), octets.len())?;
        Ok(Self::new(protocol, KeyOctets::new(octets)))
    }

    /// Binds the key to the engine `engine_id` (Kul): the user's authentication key there.
    pub fn localize(&self, engine_id: &[u8]) -> LocalizedKey {
        let octets = self.expose();
        LocalizedKey(hash(self.protocol, [octets, engine_id, octets]))
    }

    /// Lends the octets. Every call is a place to review.
    pub fn expose(&self) -> &[u8] {
        self.octets.as_slice()
    }

    pub(crate) fn protocol(&self) -> AuthProtocol {
        self.protocol
    }

    pub(crate) fn new(protocol: AuthProtocol, octets: KeyOctets) -> Self {
        Self { protocol, octets }
    }
}

/// A user's key on one engine: what an agent stores, and what messages are signed or encrypted with.
pub struct LocalizedKey(pub(crate) KeyOctets);

impl LocalizedKey {
    /// Takes the octets of a key that was localized elsewhere, at most 64.
    pub fn from_octets(octets: &[u8]) -> Result<Self, KeyLengthError> {
        KeyLengthError::check(octets.len().min(MAX_KEY_LEN), octets.len())?;
        Ok(Self(KeyOctets::new(octets)))
    }

    /// Lends the octets. Every call is a place to review.
    pub fn expose(&self) -> &[u8] {
        self.0.as_slice()
    }

    /// Makes a second copy, on purpose.
    pub fn duplicate(&self) -> Self {
        Self(KeyOctets::new(self.expose()))
    }
}

/// Takes a time that does not depend on where two keys of equal length differ.
impl PartialEq for LocalizedKey {
    fn eq(&self, other: &Self) -> bool {
        ct_eq(self.expose(), other.expose())
    }
}

impl Eq for LocalizedKey {}

/// A key has not the length that its protocol wants; nothing of the key is told.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct KeyLengthError {
    /// Octets wanted.
    pub expected: usize,
    /// Octets found.
    pub found: usize,
}

impl KeyLengthError {
    pub(crate) fn check(expected: usize, found: usize) -> Result<(), Self> {
        if expected == found { Ok(()) } else { Err(Self { expected, found }) }
    }
}

impl fmt::Display for KeyLengthError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "key of {} octets, expected {}", self.found, self.expected)
    }
}

impl Error for KeyLengthError {}

#[cfg(test)]
mod tests;
