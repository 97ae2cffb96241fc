//! Records the certificates that a server presents.
//!
//! rustls discards a chain that was rejected. To explain a failed handshake, a verifier in front of
//! the real one keeps a copy.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use portreeve_channel::Handshake;
use rustls::{
    ClientConfig, Error,
    client::{
        Resumption,
        danger::{ServerCertVerified, ServerCertVerifier},
    },
    crypto::WebPkiSupportedAlgorithms,
    pki_types::{CertificateDer, ServerName, UnixTime},
};

use crate::{signatures::checks_signatures, verifier::PeerVerifier};

/// The chain that the server presented in one connection, in DER.
#[derive(Clone, Debug, Default)]
pub(crate) struct HandshakeTap(Arc<Mutex<Vec<Vec<u8>>>>);

impl HandshakeTap {
    /// Returns a copy of `config` for one connection that is recorded. The connection does not
    /// resume a session, because a resumed handshake presents no certificates.
    pub(crate) fn tap_config(&self, config: &ClientConfig, verifier: &Arc<PeerVerifier>) -> ClientConfig {
        let mut watched = config.clone();
        watched.resumption = Resumption::disabled();
        let verifier = TapVerifier { tap: self.clone(), verifier: Arc::clone(verifier) };
        watched.dangerous().set_certificate_verifier(Arc::new(verifier));
        watched
    }

    /// Copies the recorded chain into `handshake`.
    pub(crate) fn fill(&self, handshake: &mut Handshake) {
        handshake.presented.clone_from(&self.chain());
    }

    fn chain(&self) -> MutexGuard<'_, Vec<Vec<u8>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[derive(Debug)]
struct TapVerifier {
    tap: HandshakeTap,
    verifier: Arc<PeerVerifier>,
}

impl ServerCertVerifier for TapVerifier {
    fn verify_server_cert(
        &self,
        leaf: &CertificateDer<'_>,
        intermediates: &[CertificateDer<'_>],
        name: &ServerName<'_>,
        ocsp_response: &[u8],
        now: UnixTime,
    ) -> Result<ServerCertVerified, Error> {
        let chain = std::iter::once(leaf).chain(intermediates);
        *self.tap.chain() = chain.map(|shown| shown.to_vec()).collect();
        self.verifier.verify_server_cert(leaf, intermediates, name, ocsp_response, now)
    }

    checks_signatures!();
}

impl TapVerifier {
    fn algorithms(&self) -> &WebPkiSupportedAlgorithms {
        self.verifier.algorithms()
    }
}
