//! The SSH algorithms this crate supports, with their russh names and default order. Only
//! algorithms that pass a security audit are included.

use std::borrow::Cow;

use portreeve_channel::{AlgorithmList, Cipher, KeyExchange};
use russh::{
    cipher, compression, kex,
    keys::{Algorithm, EcdsaCurve, HashAlg},
    mac,
};

/// Returns the key exchanges, followed by the extensions that are requested in the same list.
pub(crate) fn key_exchanges(
    choice: AlgorithmList<KeyExchange>,
    extensions: &[kex::Name],
) -> Cow<'static, [kex::Name]> {
    let names = choice.iter().map(|key_exchange| match key_exchange {
        KeyExchange::MlKem768X25519 => kex::MLKEM768X25519_SHA256,
        KeyExchange::Curve25519 => kex::CURVE25519,
        KeyExchange::Curve25519Libssh => kex::CURVE25519_PRE_RFC_8731,
    });
    names.chain(extensions.iter().copied()).collect()
}

pub(crate) fn ciphers(choice: AlgorithmList<Cipher>) -> Cow<'static, [cipher::Name]> {
    let names = choice.iter().map(|cipher| match cipher {
        Cipher::Aes256Gcm => cipher::AES_256_GCM,
        Cipher::Aes128Gcm => cipher::AES_128_GCM,
        Cipher::ChaCha20Poly1305 => cipher::CHACHA20_POLY1305,
    });
    names.collect()
}

/// Returns all ciphers in the best order for this machine.
///
/// SSH uses the first cipher in the client's list that the server supports. AES-GCM comes first if
/// the processor has AES instructions: an SNMP message is only a few blocks long, and ChaCha20 then
/// takes several times as long.
pub(crate) fn preferred_ciphers() -> AlgorithmList<Cipher> {
    let first = (!has_aes()).then_some(Cipher::ChaCha20Poly1305);
    let all = AlgorithmList::all();
    AlgorithmList::of(first.into_iter().chain(all.iter())).unwrap_or(all)
}

#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
fn has_aes() -> bool {
    std::arch::is_x86_feature_detected!("aes") && std::arch::is_x86_feature_detected!("pclmulqdq")
}

#[cfg(target_arch = "aarch64")]
fn has_aes() -> bool {
    std::arch::is_aarch64_feature_detected!("aes") && std::arch::is_aarch64_feature_detected!("pmull")
}

#[cfg(not(any(target_arch = "x86", target_arch = "x86_64", target_arch = "aarch64")))]
fn has_aes() -> bool {
    false
}

/// Host key types that a client accepts; RSA comes last.
pub(crate) const HOST_KEYS: &[Algorithm] = &[
    Algorithm::Ed25519,
    Algorithm::Ecdsa { curve: EcdsaCurve::NistP256 },
    Algorithm::Ecdsa { curve: EcdsaCurve::NistP384 },
    Algorithm::Ecdsa { curve: EcdsaCurve::NistP521 },
    Algorithm::Rsa { hash: Some(HashAlg::Sha512) },
    Algorithm::Rsa { hash: Some(HashAlg::Sha256) },
];

/// Algorithms with which users may sign. A server also takes its host key types from this list; RSA
/// has no effect there, because a server has no RSA host keys. Security keys (sk-…) are excluded
/// because russh does not report the flags of their signatures: a signature without a touch could
/// not be detected.
pub(crate) const USER_KEYS: &[Algorithm] = &[
    Algorithm::Ed25519,
    Algorithm::Ecdsa { curve: EcdsaCurve::NistP256 },
    Algorithm::Ecdsa { curve: EcdsaCurve::NistP384 },
    Algorithm::Ecdsa { curve: EcdsaCurve::NistP521 },
    Algorithm::Rsa { hash: Some(HashAlg::Sha512) },
    Algorithm::Rsa { hash: Some(HashAlg::Sha256) },
];

/// Algorithms with which authorities may sign certificates of users and hosts.
pub(crate) const AUTHORITY_SIGNATURES: &[Algorithm] = &[
    Algorithm::Ed25519,
    Algorithm::Ecdsa { curve: EcdsaCurve::NistP256 },
    Algorithm::Ecdsa { curve: EcdsaCurve::NistP384 },
    Algorithm::Ecdsa { curve: EcdsaCurve::NistP521 },
    Algorithm::SkEd25519,
    Algorithm::SkEcdsaSha2NistP256,
    Algorithm::Rsa { hash: Some(HashAlg::Sha512) },
    Algorithm::Rsa { hash: Some(HashAlg::Sha256) },
];

/// The MAC algorithms to offer. The supported ciphers authenticate packets themselves and do not
/// use them.
pub(crate) const MACS: &[mac::Name] = &[mac::HMAC_SHA512_ETM, mac::HMAC_SHA256_ETM];

pub(crate) const COMPRESSIONS: &[compression::Name] = &[compression::NONE];
