//! Certificate chain verification with a short-lived cache of results.
//!
//! rustls calls the verifier once in a full handshake and never when a session is resumed, but the
//! identity is needed after both. So the chain is verified again after every handshake, and the
//! cache makes the second verification cheap.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
    time::{Duration, Instant, SystemTime},
};

use portreeve_channel::CertificateIdentity;
use portreeve_x509::{PeerRole, Trust, TrustError};
use rustls::{
    DistinguishedName, Error,
    client::danger::{ServerCertVerified, ServerCertVerifier},
    crypto::WebPkiSupportedAlgorithms,
    pki_types::{CertificateDer, ServerName, UnixTime},
    server::danger::{ClientCertVerified, ClientCertVerifier},
};

use crate::{alert::to_certificate_error, signatures::checks_signatures};

/// Verifies the peer's certificates for one side.
#[derive(Debug)]
pub(crate) struct PeerVerifier {
    role: PeerRole,
    trust: Trust,
    algorithms: WebPkiSupportedAlgorithms,
    cache: Mutex<HashMap<CacheKey, CachedIdentity>>,
}

/// A verified chain, and the name that it was verified for.
type CacheKey = (Vec<Vec<u8>>, Option<ServerName<'static>>);

#[derive(Debug)]
struct CachedIdentity {
    identity: Arc<CertificateIdentity>,
    verified_at: Instant,
}

impl PeerVerifier {
    /// Creates a verifier for peers that present certificates in this `role`.
    pub(crate) fn new(role: PeerRole, trust: Trust, algorithms: WebPkiSupportedAlgorithms) -> Self {
        Self { role, trust, algorithms, cache: Mutex::default() }
    }

    /// Returns the identity in the chain if it is trusted now, or was trusted less than
    /// [`CACHE_LIFETIME`] ago.
    pub(crate) fn identify(
        &self,
        chain: &[CertificateDer<'_>],
        name: Option<&ServerName<'_>>,
    ) -> Result<Arc<CertificateIdentity>, TrustError> {
        let octets = chain.iter().map(|certificate| certificate.to_vec()).collect();
        let key: CacheKey = (octets, name.map(ServerName::to_owned));
        let now = Instant::now();
        {
            let recent = self.cache.lock().unwrap_or_else(PoisonError::into_inner);
            if let Some(cached) =
                recent.get(&key).filter(|cached| now.duration_since(cached.verified_at) < CACHE_LIFETIME)
            {
                return Ok(Arc::clone(&cached.identity));
            }
        }
        let identity = self.trust.verify(self.role, chain, name, SystemTime::now())?;
        let mut recent = self.cache.lock().unwrap_or_else(PoisonError::into_inner);
        if recent.len() >= MAX_CACHED {
            recent.retain(|_, cached| now.duration_since(cached.verified_at) < CACHE_LIFETIME);
        }
        if recent.len() >= MAX_CACHED {
            recent.clear();
        }
        recent.insert(key, CachedIdentity { identity: Arc::clone(&identity), verified_at: now });
        Ok(identity)
    }

    /// Returns `true` if the identity has been revoked.
    pub(crate) fn is_revoked(&self, identity: &CertificateIdentity) -> bool {
        self.trust.is_revoked(identity)
    }

    /// Signature algorithms that a peer may use in its handshake.
    pub(crate) fn algorithms(&self) -> &WebPkiSupportedAlgorithms {
        &self.algorithms
    }

    fn verify(
        &self,
        leaf: &CertificateDer<'_>,
        intermediates: &[CertificateDer<'_>],
        name: Option<&ServerName<'_>>,
    ) -> Result<(), Error> {
        let mut chain = Vec::with_capacity(1 + intermediates.len());
        chain.push(leaf.clone());
        chain.extend(intermediates.iter().cloned());
        self.identify(&chain, name)
            .map(drop)
            .map_err(|error| Error::InvalidCertificate(to_certificate_error(error)))
    }
}

impl ClientCertVerifier for PeerVerifier {
    fn root_hint_subjects(&self) -> &[DistinguishedName] {
        // Do not send the names of trusted authorities: they would lengthen the handshake, and a
        // client with several certificates selects the one for this agent by its configuration.
        &[]
    }

    fn verify_client_cert(
        &self,
        leaf: &CertificateDer<'_>,
        intermediates: &[CertificateDer<'_>],
        _now: UnixTime,
    ) -> Result<ClientCertVerified, Error> {
        self.verify(leaf, intermediates, None).map(|()| ClientCertVerified::assertion())
    }

    checks_signatures!();
}

impl ServerCertVerifier for PeerVerifier {
    fn verify_server_cert(
        &self,
        leaf: &CertificateDer<'_>,
        intermediates: &[CertificateDer<'_>],
        name: &ServerName<'_>,
        _ocsp_response: &[u8],
        _now: UnixTime,
    ) -> Result<ServerCertVerified, Error> {
        self.verify(leaf, intermediates, Some(name)).map(|()| ServerCertVerified::assertion())
    }

    checks_signatures!();
}

/// The lifetime of a cached result: not much longer than a handshake.
const CACHE_LIFETIME: Duration = Duration::from_secs(10);
/// The maximum number of cached results.
const MAX_CACHED: usize = 256;
