//! What all DTLS 1.3 channels of one end share.

use std::{sync::Arc, time::Duration, time::Instant};

use dimpl::{Config, Dtls, DtlsCertificate};
use openssl::{nid::Nid, pkey::PKey, x509::X509};
use portreeve_x509::Credentials;

use super::suites::provider;
use crate::settings::{Settings, SettingsError};

/// Credentials and options, ready for channels.
#[derive(Clone)]
pub(crate) struct Context13 {
    config: Arc<Config>,
    certificate: DtlsCertificate,
}

impl Context13 {
    /// Only for ECDSA keys on P-256 or P-384, and certificates that need no other between them and an authority.
    pub(crate) fn new(credentials: &Credentials, settings: &Settings) -> Result<Self, SettingsError> {
        let (leaf, issuers) =
            credentials.chain().split_first().ok_or_else(|| SettingsError::new("there is no certificate"))?;
        // An authority's own certificate may stand there, and is not sent.
        let is_authority = |der: &[u8]| {
            X509::from_der(der)
                .is_ok_and(|issuer| issuer.issuer_name().to_der().ok() == issuer.subject_name().to_der().ok())
        };
        if !issuers.iter().all(|issuer| is_authority(issuer)) {
            return Err(SettingsError::new("DTLS 1.3 is spoken here without certificates in between"));
        }
        let leaf_key = X509::from_der(leaf).and_then(|leaf| leaf.public_key()).map_err(SettingsError::new)?;
        let curve = leaf_key.ec_key().ok().and_then(|key| key.group().curve_name());
        if !matches!(curve, Some(Nid::X9_62_PRIME256V1 | Nid::SECP384R1)) {
            return Err(SettingsError::new("DTLS 1.3 is spoken here with ECDSA on P-256 or P-384 only"));
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

    /// How long the certificate is that is shown.
    pub(super) fn certificate_len(&self) -> usize {
        self.certificate.certificate.len()
    }

    /// A machine that has nothing to say yet.
    pub(super) fn machine(&self, now: Instant, is_client: bool) -> Dtls {
        let mut dtls = Dtls::new_13(Arc::clone(&self.config), self.certificate.clone(), now);
        if is_client {
            dtls.set_active(true);
        }
        dtls
    }
}

/// How long until a flight is repeated for the first time; RFC 9147 §5.8.2 suggests a second and allows less.
const FIRST_RETRANSMIT_TIMEOUT: Duration = Duration::from_millis(250);
/// How often, at doubling intervals.
const MAX_RETRANSMITS: usize = 6;
/// How long a handshake may take, as seen by its library; whoever drives it has limits of its own.
const HANDSHAKE_TIMEOUT: Duration = Duration::from_secs(40);
