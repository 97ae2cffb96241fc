//! From what a user's key comes.

use std::{error::Error, fmt};

use portreeve_crypto::{KeyLengthError, PasswordTooShortError};
use portreeve_secret::Secret;

/// One of the forms in which a key is handed over (RFC 3414 §2.6).
#[derive(Clone, Copy)]
pub enum KeyMaterial<'k> {
    /// Eight octets or more, from which the key is derived.
    PassPhrase(&'k Secret),
    /// The key before it is bound to an engine (Ku), as long as the authentication protocol's hash.
    Master(&'k Secret),
    /// The key on the one engine that is asked (Kul), as long as its protocol wants or longer.
    Localized(&'k Secret),
}

impl KeyMaterial<'_> {
    pub(super) fn is_same_pass_phrase(self, other: KeyMaterial<'_>) -> bool {
        match (self, other) {
            (Self::PassPhrase(ours), KeyMaterial::PassPhrase(theirs)) => ours == theirs,
            _ => false,
        }
    }
}

/// Why no key can be made; nothing of the key is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KeyMaterialError {
    /// The pass phrase is too short.
    PassPhrase(PasswordTooShortError),
    /// The key is no key of its protocol.
    Length(KeyLengthError),
}

impl fmt::Display for KeyMaterialError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::PassPhrase(error) => error.fmt(f),
            Self::Length(error) => error.fmt(f),
        }
    }
}

impl Error for KeyMaterialError {}
