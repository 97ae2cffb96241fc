//! Verification of the peer, the same for both versions.

use std::{sync::Arc, time::SystemTime};

use portreeve_channel::{CertificateIdentity, ChannelError, ChannelStep, PeerIdentity};
use portreeve_x509::{PeerRole, Trust, TrustError, hint_for_alert};
use rustls_pki_types::{CertificateDer, ServerName};

/// The trust of one side, and the name that it expects in the peer's certificate.
#[derive(Clone, Debug)]
pub(crate) struct PeerVerifier {
    trust: Arc<Trust>,
    /// The server's name; `None` on a server, because the name of a client is not checked.
    expected: Option<ServerName<'static>>,
}

impl PeerVerifier {
    /// Creates a server's verifier.
    pub(crate) fn for_clients(trust: Arc<Trust>) -> Self {
        Self { trust, expected: None }
    }

    /// Creates a client's verifier for a server with this name.
    pub(crate) fn for_server(trust: Arc<Trust>, name: ServerName<'static>) -> Self {
        Self { trust, expected: Some(name) }
    }

    /// Returns the identity of the peer that presents `chain`, the leaf first.
    pub(crate) fn verify(&self, chain: &[CertificateDer<'_>]) -> Result<PeerIdentity, TrustError> {
        let role = if self.is_server() { PeerRole::Client } else { PeerRole::Server };
        let identity = self.trust.verify(role, chain, self.expected.as_ref(), SystemTime::now())?;
        Ok(PeerIdentity::Certificate(identity))
    }

    /// Returns `true` if the identity has been revoked.
    pub(crate) fn is_revoked(&self, identity: &CertificateIdentity) -> bool {
        self.trust.is_revoked(identity)
    }

    /// Converts a verification failure to a channel error.
    pub(crate) fn trust_error(&self, error: TrustError) -> ChannelError {
        error.at(self.peer_step())
    }

    /// Converts an alert about our certificate to a channel error.
    pub(crate) fn alert_error(&self, cause: &str, alert: u8) -> ChannelError {
        let step = if self.is_server() { ChannelStep::ServerIdentity } else { ChannelStep::ClientIdentity };
        ChannelError::at(step, cause).with_hint(hint_for_alert(alert))
    }

    /// Returns `true` if this side is the client.
    pub(crate) fn is_client(&self) -> bool {
        !self.is_server()
    }

    fn is_server(&self) -> bool {
        self.expected.is_none()
    }

    fn peer_step(&self) -> ChannelStep {
        if self.is_server() { ChannelStep::ClientIdentity } else { ChannelStep::ServerIdentity }
    }
}
