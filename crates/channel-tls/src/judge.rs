//! Judging chains, and remembering for a short while how they were judged.
//!
//! rustls asks once during a full handshake and not at all when a session is resumed; the identity is wanted after
//! either. So every handshake ends here, and the memory spares the second look at the same chain.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
    time::{Duration, Instant, SystemTime},
};

use portreeve_channel::CertificateIdentity;
use portreeve_x509::{Refusal, Role, Trust};
use rustls::{
    DistinguishedName, Error,
    client::danger::{ServerCertVerified, ServerCertVerifier},
    crypto::WebPkiSupportedAlgorithms,
    pki_types::{CertificateDer, ServerName, UnixTime},
    server::danger::{ClientCertVerified, ClientCertVerifier},
};

use crate::{alert::as_alert, signatures::checks_signatures};

/// One side's judgement of the other.
#[derive(Debug)]
pub(crate) struct Judge {
    role: Role,
    trust: Trust,
    algorithms: WebPkiSupportedAlgorithms,
    recent: Mutex<HashMap<Key, Judged>>,
}

/// What was judged: the chain, and the name it was judged for.
type Key = (Vec<Vec<u8>>, Option<ServerName<'static>>);

#[derive(Debug)]
struct Judged {
    identity: Arc<CertificateIdentity>,
    at: Instant,
}

impl Judge {
    /// Judges those who present certificates in this `role`.
    pub(crate) fn new(role: Role, trust: Trust, algorithms: WebPkiSupportedAlgorithms) -> Self {
        Self { role, trust, algorithms, recent: Mutex::default() }
    }

    /// Whoever the chain presents, if it is to be trusted now. A judgement of the last seconds stands.
    pub(crate) fn identify(
        &self,
        chain: &[CertificateDer<'_>],
        name: Option<&ServerName<'_>>,
    ) -> Result<Arc<CertificateIdentity>, Refusal> {
        let octets = chain.iter().map(|certificate| certificate.to_vec()).collect();
        let key: Key = (octets, name.map(ServerName::to_owned));
        let now = Instant::now();
        {
            let recent = self.recent.lock().unwrap_or_else(PoisonError::into_inner);
            if let Some(judged) = recent.get(&key).filter(|judged| now.duration_since(judged.at) < VALID) {
                return Ok(Arc::clone(&judged.identity));
            }
        }
        let identity = self.trust.judge(self.role, chain, name, SystemTime::now())?;
        let mut recent = self.recent.lock().unwrap_or_else(PoisonError::into_inner);
        if recent.len() >= REMEMBERED {
            recent.retain(|_, judged| now.duration_since(judged.at) < VALID);
        }
        if recent.len() >= REMEMBERED {
            recent.clear();
        }
        recent.insert(key, Judged { identity: Arc::clone(&identity), at: now });
        Ok(identity)
    }

    /// What a peer may sign its handshake with.
    pub(crate) fn algorithms(&self) -> &WebPkiSupportedAlgorithms {
        &self.algorithms
    }

    fn judge(
        &self,
        leaf: &CertificateDer<'_>,
        intermediates: &[CertificateDer<'_>],
        name: Option<&ServerName<'_>>,
    ) -> Result<(), Error> {
        let mut chain = Vec::with_capacity(1 + intermediates.len());
        chain.push(leaf.clone());
        chain.extend(intermediates.iter().cloned());
        self.identify(&chain, name).map(drop).map_err(|refusal| Error::InvalidCertificate(as_alert(refusal)))
    }
}

impl ClientCertVerifier for Judge {
    fn root_hint_subjects(&self) -> &[DistinguishedName] {
        // Whoever has several certificates is configured for this agent; and no bytes are spent on hints.
        &[]
    }

    fn verify_client_cert(
        &self,
        leaf: &CertificateDer<'_>,
        intermediates: &[CertificateDer<'_>],
        _now: UnixTime,
    ) -> Result<ClientCertVerified, Error> {
        self.judge(leaf, intermediates, None).map(|()| ClientCertVerified::assertion())
    }

    checks_signatures!();
}

impl ServerCertVerifier for Judge {
    fn verify_server_cert(
        &self,
        leaf: &CertificateDer<'_>,
        intermediates: &[CertificateDer<'_>],
        name: &ServerName<'_>,
        _ocsp_response: &[u8],
        _now: UnixTime,
    ) -> Result<ServerCertVerified, Error> {
        self.judge(leaf, intermediates, Some(name)).map(|()| ServerCertVerified::assertion())
    }

    checks_signatures!();
}

/// For how long a judgement stands: not much longer than a handshake takes.
const VALID: Duration = Duration::from_secs(10);
/// Judgements remembered at once.
const REMEMBERED: usize = 256;
