//! Algorithms and versions, shared by client and server.

use std::{fmt, sync::Arc};

use rustls::{
    CipherSuite, SupportedProtocolVersion,
    crypto::{CryptoProvider, aws_lc_rs},
    version::{TLS12, TLS13},
};

/// The TLS versions to negotiate.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Versions {
    /// TLS 1.3, and 1.2 with peers that do not support 1.3.
    #[default]
    From12,
    /// TLS 1.3 only.
    Only13,
    /// TLS 1.2 only, for measurements.
    Only12,
}

impl Versions {
    pub(crate) fn supported(self) -> &'static [&'static SupportedProtocolVersion] {
        match self {
            Self::From12 => FROM_12,
            Self::Only13 => ONLY_13,
            Self::Only12 => ONLY_12,
        }
    }
}

/// The key exchanges that a client offers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum KeyExchanges {
    /// All supported key exchanges, X25519 first.
    #[default]
    All,
    /// Only the post-quantum key exchange of ML-KEM-768 and X25519, for measurements. It needs TLS
    /// 1.3.
    OnlyMlKem768X25519,
}

/// Error for credentials or versions that TLS cannot use.
#[derive(Clone, Debug)]
pub struct SettingsError(pub(crate) rustls::Error);

impl fmt::Display for SettingsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            rustls::Error::InconsistentKeys(_) => f.write_str(
                "the private key does not match the certificate\n\
                 hint: use the private key for which the certificate was issued",
            ),
            ref other => write!(f, "TLS cannot use this certificate or key: {other}"),
        }
    }
}

impl std::error::Error for SettingsError {}

/// The provider for the key exchanges that a client offers.
pub(crate) fn client_provider(key_exchanges: KeyExchanges) -> Arc<CryptoProvider> {
    match key_exchanges {
        KeyExchanges::All => provider(),
        KeyExchanges::OnlyMlKem768X25519 => {
            let only = vec![aws_lc_rs::kx_group::X25519MLKEM768];
            Arc::new(CryptoProvider { kx_groups: only, ..Arc::unwrap_or_clone(provider()) })
        }
    }
}

/// The rustls provider. All its suites are authenticated encryption with forward secrecy. AES-128
/// suites come first, because they derive keys with SHA-256, for which processors have
/// instructions: in a short session, it costs more to derive keys than to encrypt messages.
///
/// If the process has a provider of its own, this is used instead. Only processes of the lab have
/// one, to measure the cost of protection: `scripts/lint/tiers.toml` lists the crates that may use
/// rustls.
pub(crate) fn provider() -> Arc<CryptoProvider> {
    let installed = CryptoProvider::get_default().map(|provider| CryptoProvider::clone(provider));
    let mut provider = installed.unwrap_or_else(aws_lc_rs::default_provider);
    provider.cipher_suites.sort_by_key(|suite| !AES_128.contains(&suite.suite()));
    Arc::new(provider)
}

const AES_128: [CipherSuite; 3] = [
    CipherSuite::TLS13_AES_128_GCM_SHA256,
    CipherSuite::TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256,
    CipherSuite::TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256,
];

static FROM_12: &[&SupportedProtocolVersion] = &[&TLS13, &TLS12];
static ONLY_13: &[&SupportedProtocolVersion] = &[&TLS13];
static ONLY_12: &[&SupportedProtocolVersion] = &[&TLS12];
