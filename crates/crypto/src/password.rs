//! Derives keys from pass phrases (RFC 3414 §2.6 and A.2, RFC 7860 §9.3).
//!
//! The derivation hashes a mebibyte on purpose, so that guessing is slow. Derive keys when
//! credentials are read, never while a message is processed.

use std::error::Error;
use std::fmt;
use std::iter;

use portreeve_secret::Secret;
use zeroize::Zeroizing;

use crate::AuthProtocol;
use crate::MasterKey;
use crate::hash::hash;
use crate::key_octets::KeyOctets;

/// Derives a user's key from `password`.
///
/// # Errors
/// [`PasswordTooShortError`] for fewer than eight octets.
///
/// ```
/// use portreeve_crypto::{AuthProtocol, password_to_key};
/// use portreeve_secret::Secret;
///
/// assert!(password_to_key(AuthProtocol::HmacSha256_192, &Secret::from("seven77")).is_err());
/// ```
pub fn password_to_key(
    protocol: AuthProtocol,
    password: &Secret,
) -> Result<MasterKey, PasswordTooShortError> {
    PassPhrase::check(password)?;
    Ok(MasterKey::new(protocol, stretch(protocol, password.expose())))
}

/// A pass phrase that is long enough to derive a key. The key may be derived later, or not at all.
pub struct PassPhrase(Secret);

impl PassPhrase {
    /// Checks a pass phrase without deriving a key.
    ///
    /// # Errors
    /// [`PasswordTooShortError`] for fewer than eight octets.
    pub fn new(password: Secret) -> Result<Self, PasswordTooShortError> {
        Self::check(&password)?;
        Ok(Self(password))
    }

    /// Derives the user's key, like [`password_to_key`].
    pub fn to_key(&self, protocol: AuthProtocol) -> MasterKey {
        MasterKey::new(protocol, stretch(protocol, self.expose()))
    }

    /// Exposes the octets of the pass phrase. Every use of this function must be reviewed.
    pub fn expose(&self) -> &[u8] {
        self.0.expose()
    }

    fn check(password: &Secret) -> Result<(), PasswordTooShortError> {
        if password.len() < MIN_PASSWORD_LEN { Err(PasswordTooShortError) } else { Ok(()) }
    }
}

/// The pass phrase has fewer than eight octets (RFC 3414 §11.2).
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct PasswordTooShortError;

impl fmt::Display for PasswordTooShortError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "pass phrase is shorter than {MIN_PASSWORD_LEN} octets")
    }
}

impl Error for PasswordTooShortError {}

/// Hashes `phrase`, repeated to [`STRETCHED_LEN`] octets. `phrase` must not be empty.
pub(crate) fn stretch(protocol: AuthProtocol, phrase: &[u8]) -> KeyOctets {
    // Complete repetitions are hashed in runs of about 4 KiB, because the hash functions are
    // fastest on long inputs.
    let run = Zeroizing::new(phrase.repeat(RUN_LEN.div_ceil(phrase.len().max(1))));
    let whole_runs = STRETCHED_LEN.checked_div(run.len()).unwrap_or(0);
    let rest = run.get(..STRETCHED_LEN.checked_rem(run.len()).unwrap_or(0));
    let octets = iter::repeat_n(run.as_slice(), whole_runs).chain(rest);
    hash(protocol, octets)
}

const MIN_PASSWORD_LEN: usize = 8;
const STRETCHED_LEN: usize = 1 << 20;
const RUN_LEN: usize = 4096;

#[cfg(test)]
mod tests;
