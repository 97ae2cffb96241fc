//! TLS 1.3 with less protection than TLS has: without encryption, and without any protection of
//! messages. For measurements of the lab only, which compare it with TLS as it is used.
//!
//! The handshake is that of TLS 1.3 in each case, with both ends authenticated by certificates.
//! Only the protection of the records after it differs:
//!
//! ```text
//! None        record = message                               private code point
//! Integrity   record = message, HMAC-SHA-256                 TLS_SHA256_SHA256 (RFC 9150)
//! Both        record = AES-128-GCM(message)                  TLS_AES_128_GCM_SHA256
//! ChaCha20    record = ChaCha20-Poly1305(message)            TLS_CHACHA20_POLY1305_SHA256
//! ```
//! No other program depends on this crate: `scripts/lint/tiers.py` fails otherwise.

mod cleartext;
mod ends;

use std::sync::LazyLock;

use rustls::crypto::CipherSuiteCommon;
use rustls::crypto::{CryptoProvider, aws_lc_rs};
use rustls::{CipherSuite, SupportedCipherSuite, Tls13CipherSuite};

pub use ends::{Ends, TlsError, complete_handshake};

use cleartext::Cleartext;

/// The protection of the records after the handshake.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Protection {
    /// Neither integrity nor encryption.
    None,
    /// Integrity only.
    Integrity,
    /// Integrity and encryption with AES-128-GCM.
    Both,
    /// Integrity and encryption with ChaCha20-Poly1305.
    ChaCha20,
}

impl Protection {
    /// All protections: those of the paper in the order of its columns, and ChaCha20-Poly1305.
    pub const ALL: [Self; 4] = [Self::None, Self::Integrity, Self::Both, Self::ChaCha20];

    /// Returns the name in variants of experiments.
    pub fn name(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Integrity => "integrity",
            Self::Both => "both",
            Self::ChaCha20 => "both-chacha20",
        }
    }

    /// Returns the name of the cipher suite.
    pub fn suite_name(self) -> &'static str {
        match self {
            Self::None => "a private cipher suite without protection",
            Self::Integrity => "TLS_SHA256_SHA256",
            Self::Both => "TLS_AES_128_GCM_SHA256",
            Self::ChaCha20 => "TLS_CHACHA20_POLY1305_SHA256",
        }
    }

    /// Returns the protection with a name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|protection| protection.name() == name)
    }

    /// Makes all TLS connections of this process, from now on, use this protection only.
    ///
    /// # Errors
    /// If the process has chosen its cryptography before.
    pub fn install(self) -> Result<(), TlsError> {
        let installed = self.provider()?.install_default();
        installed.map_err(|_| TlsError::new("the process has chosen its cryptography for TLS before"))
    }

    /// Returns the cryptography with only the cipher suite of this protection.
    fn provider(self) -> Result<CryptoProvider, TlsError> {
        let suite = match self {
            Self::None => NONE.as_ref().map(SupportedCipherSuite::Tls13),
            Self::Integrity => INTEGRITY.as_ref().map(SupportedCipherSuite::Tls13),
            Self::Both => Some(AES),
            Self::ChaCha20 => Some(CHACHA20),
        };
        let suite = suite.ok_or_else(|| TlsError::new("the library has no cipher suite of TLS 1.3"))?;
        Ok(CryptoProvider { cipher_suites: vec![suite], ..aws_lc_rs::default_provider() })
    }
}

/// Returns a suite whose handshake is that of AES-128-GCM.
fn suite(code_point: u16, records: &'static Cleartext) -> Option<Tls13CipherSuite> {
    let Tls13CipherSuite { common, hkdf_provider, .. } = AES.tls13()?;
    Some(Tls13CipherSuite {
        common: CipherSuiteCommon {
            suite: CipherSuite::Unknown(code_point),
            hash_provider: common.hash_provider,
            confidentiality_limit: u64::MAX,
        },
        hkdf_provider: *hkdf_provider,
        aead_alg: records,
        quic: None,
    })
}

const AES: SupportedCipherSuite = aws_lc_rs::cipher_suite::TLS13_AES_128_GCM_SHA256;

const CHACHA20: SupportedCipherSuite = aws_lc_rs::cipher_suite::TLS13_CHACHA20_POLY1305_SHA256;

/// A code point for private use (RFC 8446 §11).
static NONE: LazyLock<Option<Tls13CipherSuite>> =
    LazyLock::new(|| suite(0xff01, &Cleartext { has_tag: false }));

static INTEGRITY: LazyLock<Option<Tls13CipherSuite>> =
    LazyLock::new(|| suite(0xc0b4, &Cleartext { has_tag: true }));

#[cfg(test)]
mod tests;
