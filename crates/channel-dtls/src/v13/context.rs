//! State shared by all DTLS 1.3 channels of a client or server.

use std::{sync::Arc, time::Duration, time::Instant};

use dimpl::{Config, Dtls, DtlsCertificate};
use openssl::{nid::Nid, pkey::PKey, x509::X509};
use portreeve_x509::Credentials;

use super::suites::provider;
use crate::settings::{Settings, SettingsError};

/// Credentials and options of new channels.
#[derive(Clone)]
pub(crate) struct Context13 {
    config: Arc<Config>,
    certificate: DtlsCertificate,
}

impl Context13 {
    /// Supports only ECDSA keys on P-256 or P-384, and certificates without intermediates.
    pub(crate) fn new(credentials: &Credentials, settings: &Settings) -> Result<Self, SettingsError> {
        let (leaf, issuers) = credentials
            .chain()
            .split_first()
            .ok_or_else(|| SettingsError::new("the certificate chain is empty"))?;
        // The authority's own certificate may be in the chain; it is not sent.
        let is_authority = |der: &[u8]| {
            X509::from_der(der)
                .is_ok_and(|issuer| issuer.issuer_name().to_der().ok() == issuer.subject_name().to_der().ok())
        };
        if !issuers.iter().all(|issuer| is_authority(issuer)) {
            return Err(SettingsError::new("intermediate certificates are not supported with DTLS 1.3"));
        }
        let leaf_key = X509::from_der(leaf).and_then(|leaf| leaf.public_key()).map_err(SettingsError::new)?;
        let curve = leaf_key.ec_key().ok().and_then(|key| key.group().curve_name());
        if !matches!(curve, Some(Nid::X9_62_PRIME256V1 | Nid::SECP384R1)) {
            return Err(SettingsError::new("DTLS 1.3 supports only ECDSA keys on P-256 or P-384"));
        }
        let key = PKey::private_key_from_der(credentials.key().secret_der()).map_err(SettingsError::new)?;
        if !key.public_eq(&leaf_key) {
            return Err(SettingsError::key_mismatch());
        }
        let config = Config::builder()
            .with_crypto_provider(provider())
            .mtu(settings.max_handshake_datagram.into())
            .require_client_certificate(true)
            .use_server_cookie(true)
            .flight_start_rto(FIRST_RETRANSMIT_TIMEOUT)
            .flight_retries(MAX_RETRANSMITS)
            .handshake_timeout(HANDSHAKE_TIMEOUT)
            .build()
            .map_err(SettingsError::new)?;
        let provider = config.crypto_provider().key_provider;
        provider.load_private_key(credentials.key().secret_der()).map_err(SettingsError::new)?;
        let certificate = DtlsCertificate {
            certificate: leaf.to_vec(),
            private_key: credentials.key().secret_der().to_vec(),
        };
        Ok(Self { config: Arc::new(config), certificate })
    }

    /// The length of our certificate in octets.
    pub(super) fn certificate_len(&self) -> usize {
        self.certificate.certificate.len()
    }

    /// Creates the library's state machine for a channel. On a client, it starts the handshake at
    /// the first timeout call.
    pub(super) fn machine(&self, now: Instant, is_client: bool) -> Dtls {
        let mut dtls = Dtls::new_13(Arc::clone(&self.config), self.certificate.clone(), now);
        if is_client {
            dtls.set_active(true);
        }
        dtls
    }
}

/// The time until the first retransmission of a flight. RFC 9147 §5.8.2 suggests one second and
/// allows less.
const FIRST_RETRANSMIT_TIMEOUT: Duration = Duration::from_millis(250);
/// The maximum number of retransmissions, at doubling intervals.
const MAX_RETRANSMITS: usize = 6;
/// The library's time limit for a handshake; callers have limits of their own.
const HANDSHAKE_TIMEOUT: Duration = Duration::from_secs(40);
