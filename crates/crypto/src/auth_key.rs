//! Signing and verifying messages with a prepared key (RFC 3414 §6.3 and §7.3, RFC 7860 §4.2).
//!
//! HMAC starts by hashing two blocks that depend only on the key. These blocks are hashed once,
//! when the key is prepared, and the resulting state is cloned for each message. The message is
//! passed in parts, so that the digest field can be replaced by zeros without copying or changing
//! the message.

use hmac::{EagerHash, Hmac, KeyInit, Mac as _};
use md5::Md5;
use portreeve_secret::ct_eq;
use sha1::Sha1;
use sha2::{Sha224, Sha256, Sha384, Sha512};

use crate::AuthProtocol;
use crate::KeyLengthError;

/// A localized authentication key, ready for use.
pub struct AuthKey {
    protocol: AuthProtocol,
    schedule: Schedule,
}

impl AuthKey {
    /// Prepares `key`, the localized key.
    ///
    /// # Errors
    /// [`KeyLengthError`] unless `key` has `protocol.key_len()` octets.
    pub fn new(protocol: AuthProtocol, key: &[u8]) -> Result<Self, KeyLengthError> {
        KeyLengthError::check(protocol.key_len(), key.len())?;
        let schedule = Schedule::new(protocol, key)
            .ok_or(KeyLengthError { expected: protocol.key_len(), found: key.len() })?;
        Ok(Self { protocol, schedule })
    }

    /// Returns the protocol of the key.
    pub fn protocol(&self) -> AuthProtocol {
        self.protocol
    }

    /// Computes the message authentication code of the concatenation of `parts`.
    #[inline]
    pub fn sign(&self, parts: &[&[u8]]) -> Mac {
        let mut mac = Mac { octets: [0; MAX_MAC_LEN], len: self.protocol.mac_len() };
        match &self.schedule {
            Schedule::Md5(state) => mac.fill(state, parts),
            Schedule::Sha1(state) => mac.fill(state, parts),
            Schedule::Sha224(state) => mac.fill(state, parts),
            Schedule::Sha256(state) => mac.fill(state, parts),
            Schedule::Sha384(state) => mac.fill(state, parts),
            Schedule::Sha512(state) => mac.fill(state, parts),
        }
        mac
    }

    /// Returns whether `received` is the code of the concatenation of `parts`. `received` must have
    /// exactly the length that the protocol requires and be equal in every octet. The run time does
    /// not depend on the position of the first difference.
    #[inline]
    pub fn verify(&self, parts: &[&[u8]], received: &[u8]) -> bool {
        received.len() == self.protocol.mac_len() && ct_eq(self.sign(parts).as_octets(), received)
    }
}

/// A message authentication code, truncated to the length of its protocol.
#[derive(Clone, Copy)]
pub struct Mac {
    octets: [u8; MAX_MAC_LEN],
    len: usize,
}

impl Mac {
    /// Returns the 12 to 48 octets of the code.
    #[inline]
    pub fn as_octets(&self) -> &[u8] {
        self.octets.get(..self.len).unwrap_or_default()
    }

    #[inline]
    fn fill<D: EagerHash>(&mut self, state: &Hmac<D>, parts: &[&[u8]]) {
        let mut state = state.clone();
        for part in parts {
            state.update(part);
        }
        let output = state.finalize().into_bytes();
        for (to, from) in self.octets.iter_mut().zip(output) {
            *to = from;
        }
    }
}

enum Schedule {
    Md5(Hmac<Md5>),
    Sha1(Hmac<Sha1>),
    Sha224(Hmac<Sha224>),
    Sha256(Hmac<Sha256>),
    Sha384(Hmac<Sha384>),
    Sha512(Hmac<Sha512>),
}

impl Schedule {
    /// Does not return `None` in practice, because HMAC accepts keys of every length.
    fn new(protocol: AuthProtocol, key: &[u8]) -> Option<Self> {
        Some(match protocol {
            AuthProtocol::HmacMd5_96 => Self::Md5(Hmac::new_from_slice(key).ok()?),
            AuthProtocol::HmacSha96 => Self::Sha1(Hmac::new_from_slice(key).ok()?),
            AuthProtocol::HmacSha224_128 => Self::Sha224(Hmac::new_from_slice(key).ok()?),
            AuthProtocol::HmacSha256_192 => Self::Sha256(Hmac::new_from_slice(key).ok()?),
            AuthProtocol::HmacSha384_256 => Self::Sha384(Hmac::new_from_slice(key).ok()?),
            AuthProtocol::HmacSha512_384 => Self::Sha512(Hmac::new_from_slice(key).ok()?),
        })
    }
}

/// The maximum length of a code in a message: HMAC-SHA-512 truncated to 384 bits.
const MAX_MAC_LEN: usize = 48;

#[cfg(test)]
mod tests;
