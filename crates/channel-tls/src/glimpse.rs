//! What the server says of itself and wants of us, as it goes by.
//!
//! rustls forgets a chain that was refused, and does not tell whether it was asked for a certificate. Whoever wants to
//! explain a handshake has both looked at on their way to those who decide.

use std::sync::{Arc, Mutex, PoisonError};

use portreeve_channel::Handshake;
use rustls::{
    ClientConfig, Error, SignatureScheme,
    client::{
        ResolvesClientCert, Resumption,
        danger::{ServerCertVerified, ServerCertVerifier},
    },
    crypto::WebPkiSupportedAlgorithms,
    pki_types::{CertificateDer, ServerName, UnixTime},
    sign::CertifiedKey,
};

use crate::{judge::Judge, signatures::checks_signatures};

/// What has gone by in one connection.
#[derive(Clone, Debug, Default)]
pub(crate) struct Glimpse(Arc<Mutex<Seen>>);

#[derive(Debug, Default)]
struct Seen {
    presented: Vec<Vec<u8>>,
    asks: bool,
}

impl Glimpse {
    /// The same configuration for one connection, which is looked at. It resumes no session: then nothing would be shown.
    pub(crate) fn watching(&self, config: &ClientConfig, judge: &Arc<Judge>) -> ClientConfig {
        let mut watched = config.clone();
        watched.resumption = Resumption::disabled();
        let verifier = Verifier { glimpse: self.clone(), judge: Arc::clone(judge) };
        watched.dangerous().set_certificate_verifier(Arc::new(verifier));
        let own = Arc::clone(&config.client_auth_cert_resolver);
        watched.client_auth_cert_resolver = Arc::new(Resolver { glimpse: self.clone(), own });
        watched
    }

    /// Adds to `handshake` what has been seen.
    pub(crate) fn tell(&self, handshake: &mut Handshake) {
        let seen = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        handshake.presented.clone_from(&seen.presented);
        handshake.asks_for_certificate = Some(seen.asks);
    }

    fn note(&self, what: impl FnOnce(&mut Seen)) {
        what(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner));
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
        self.glimpse.note(|seen| seen.presented = chain.map(|shown| shown.to_vec()).collect());
        self.judge.verify_server_cert(leaf, intermediates, name, ocsp_response, now)
    }

    checks_signatures!();
}

impl Verifier {
    fn algorithms(&self) -> &WebPkiSupportedAlgorithms {
        self.judge.algorithms()
    }
}

#[derive(Debug)]
struct Resolver {
    glimpse: Glimpse,
    own: Arc<dyn ResolvesClientCert>,
}

impl ResolvesClientCert for Resolver {
    fn resolve(&self, hints: &[&[u8]], schemes: &[SignatureScheme]) -> Option<Arc<CertifiedKey>> {
        self.glimpse.note(|seen| seen.asks = true);
        self.own.resolve(hints, schemes)
    }

    fn has_certs(&self) -> bool {
        self.own.has_certs()
    }
}
