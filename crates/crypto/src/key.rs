//! The two stages of a key: derived from a pass phrase, then localized to one engine (RFC 3414
//! §2.6).

use std::error::Error;
use std::fmt;

use portreeve_secret::ct_eq;

use crate::AuthProtocol;
use crate::hash::hash;
use crate::key_octets::{KeyOctets, MAX_KEY_LEN};

/// A user's key before it is localized to an engine (Ku). It grants access as that user on every
/// engine.
pub struct MasterKey {
    protocol: AuthProtocol,
    octets: KeyOctets,
}

impl MasterKey {
    /// Creates a key from octets that were derived elsewhere.
    ///
    /// # Errors
    /// [`KeyLengthError`] unless `octets` has the length `protocol.key_len()`.
    pub fn from_octets(protocol: AuthProtocol, octets: &[u8]) -> Result<Self, KeyLengthError> {
        KeyLengthError::check(protocol.key_len(), octets.len())?;
        Ok(Self::new(protocol, KeyOctets::new(octets)))
    }

    /// Localizes the key to the engine `engine_id` (Kul). The result is the user's authentication
    /// key on that engine.
    pub fn localize(&self, engine_id: &[u8]) -> LocalizedKey {
        let octets = self.expose();
        LocalizedKey(hash(self.protocol, [octets, engine_id, octets]))
    }

    /// Exposes the octets of the key. Every use of this function must be reviewed.
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

/// A user's key on one engine. Agents store this key; messages are signed or encrypted with it.
pub struct LocalizedKey(pub(crate) KeyOctets);

impl LocalizedKey {
    /// Creates a key from octets that were localized elsewhere.
    ///
    /// # Errors
    /// [`KeyLengthError`] for more than 64 octets.
    pub fn from_octets(octets: &[u8]) -> Result<Self, KeyLengthError> {
        KeyLengthError::check(octets.len().min(MAX_KEY_LEN), octets.len())?;
        Ok(Self(KeyOctets::new(octets)))
    }

    /// Exposes the octets of the key. Every use of this function must be reviewed.
    pub fn expose(&self) -> &[u8] {
        self.0.as_slice()
    }

    /// Copies the key. Copying is explicit, because each copy is another secret in memory.
    pub fn duplicate(&self) -> Self {
        Self(KeyOctets::new(self.expose()))
    }
}

/// The time of the comparison does not depend on the position at which two keys of equal length
/// differ.
impl PartialEq for LocalizedKey {
    fn eq(&self, other: &Self) -> bool {
        ct_eq(self.expose(), other.expose())
    }
}

impl Eq for LocalizedKey {}

/// The key does not have the length that its protocol requires. The error contains no part of the
/// key.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct KeyLengthError {
    /// The required length in octets.
    pub expected: usize,
    /// The actual length in octets.
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
