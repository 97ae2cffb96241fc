//! The forms in which a user's key can be given.

use std::{error::Error, fmt};

use portreeve_crypto::{KeyLengthError, PasswordTooShortError};
use portreeve_secret::Secret;

/// One form of a key (RFC 3414 §2.6).
#[derive(Clone, Copy)]
pub enum KeyMaterial<'k> {
    /// A pass phrase of at least eight octets, from which the key is derived.
    PassPhrase(&'k Secret),
    /// The key before localization (Ku), as long as the authentication protocol's hash.
    Master(&'k Secret),
    /// The key localized to the queried engine (Kul), at least as long as its protocol requires.
    Localized(&'k Secret),
}

impl KeyMaterial<'_> {
    pub(super) fn is_same_pass_phrase(self, other: KeyMaterial<'_>) -> bool {
        match (self, other) {
            (Self::PassPhrase(one), KeyMaterial::PassPhrase(another)) => one == another,
            _ => false,
        }
    }
}

/// The reason why a key cannot be created. This error contains no key material.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KeyMaterialError {
    /// The pass phrase is too short.
    PassPhrase(PasswordTooShortError),
    /// The key does not have the length that its protocol requires.
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
