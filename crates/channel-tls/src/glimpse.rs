//! What the server says of itself, as it goes by.
//!
//! rustls forgets a chain that was refused. Whoever wants to explain a handshake has it looked at on its way to those who
//! decide.

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

use crate::{judge::Judge, signatures::checks_signatures};

/// The chain that has gone by in one connection, in DER.
#[derive(Clone, Debug, Default)]
pub(crate) struct Glimpse(Arc<Mutex<Vec<Vec<u8>>>>);

impl Glimpse {
    /// The same configuration for one connection, which is looked at. It resumes no session: then nothing would be shown.
    pub(crate) fn watching(&self, config: &ClientConfig, judge: &Arc<Judge>) -> ClientConfig {
        let mut watched = config.clone();
        watched.resumption = Resumption::disabled();
        let verifier = Verifier { glimpse: self.clone(), judge: Arc::clone(judge) };
        watched.dangerous().set_certificate_verifier(Arc::new(verifier));
        watched
    }

    /// Adds to `handshake` what has been seen.
    pub(crate) fn tell(&self, handshake: &mut Handshake) {
        handshake.presented.clone_from(&self.seen());
    }

    fn seen(&self) -> MutexGuard<'_, Vec<Vec<u8>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[derive(Debug)]
struct Verifier {
    glimpse: Glimpse,
    judge: Arc<Judge>,
}

impl ServerCertVerifier for Verifier {
    fn verify_server_cert(
        &self,
        leaf: &CertificateDer<'_>,
        intermediates: &[CertificateDer<'_>],
        name: &ServerName<'_>,
        ocsp_response: &[u8],
        now: UnixTime,
    ) -> Result<ServerCertVerified, Error> {
        let chain = std::iter::once(leaf).chain(intermediates);
        *self.glimpse.seen() = chain.map(|shown| shown.to_vec()).collect();
        self.judge.verify_server_cert(leaf, intermediates, name, ocsp_response, now)
    }

    checks_signatures!();
}

impl Verifier {
    fn algorithms(&self) -> &WebPkiSupportedAlgorithms {
        self.judge.algorithms()
    }
}
