//! Minimum strength of keys, and of the signatures of authorities.

use russh::keys::{Algorithm, Certificate};

use super::KeyData;
use crate::algorithms::AUTHORITY_SIGNATURES;

/// Returns true for an RSA key of less than 2048 bits.
pub(crate) fn is_short_rsa(key: &KeyData) -> bool {
    matches!(key, KeyData::Rsa(rsa) if rsa.key_size() < MIN_RSA_BITS)
}

/// Returns true if the authority's key is long enough, and if it has signed the certificate with an
/// algorithm that is allowed. A security key must have been touched.
pub(crate) fn is_certified_strongly(certificate: &Certificate) -> bool {
    let algorithm = certificate.signature().algorithm();
    let is_touched = match algorithm {
        Algorithm::SkEd25519 | Algorithm::SkEcdsaSha2NistP256 => {
            // The signature ends with the flags and the counter.
            let octets = certificate.signature().as_bytes();
            let flags = octets.len().checked_sub(SK_TRAILER_LEN).and_then(|at| octets.get(at));
            flags.is_some_and(|flags| flags & SK_USER_PRESENT != 0)
        }
        _ => true,
    };
    AUTHORITY_SIGNATURES.contains(&algorithm) && is_touched && !is_short_rsa(certificate.signature_key())
}

/// Minimum length of an RSA key in bits.
const MIN_RSA_BITS: u32 = 2048;
/// Length in octets of the flags and the counter at the end of a security key's signature.
const SK_TRAILER_LEN: usize = 5;
/// The flag that is set if the user has touched the security key (PROTOCOL.u2f).
const SK_USER_PRESENT: u8 = 1;
