//! One end's judgement of the other, the same for both versions.

use std::{sync::Arc, time::SystemTime};

use portreeve_channel::{ChannelError, ChannelStep, PeerIdentity};
use portreeve_x509::{PeerRole, Trust, TrustError, hint_for_alert};
use rustls_pki_types::{CertificateDer, ServerName};

/// Whom one end trusts, and under which name it expects the other.
#[derive(Clone, Debug)]
pub(crate) struct PeerVerifier {
    trust: Arc<Trust>,
    /// The server's; `None` on a server, whose clients need none.
    expected: Option<ServerName<'static>>,
}

impl PeerVerifier {
    /// A server's judgement of its clients.
    pub(crate) fn for_clients(trust: Arc<Trust>) -> Self {
        Self { trust, expected: None }
    }

    /// A client's judgement of the server of that name.
    pub(crate) fn for_server(trust: Arc<Trust>, name: ServerName<'static>) -> Self {
        Self { trust, expected: Some(name) }
    }

    /// Whoever holds the key of the first certificate.
    pub(crate) fn verify(&self, chain: &[CertificateDer<'_>]) -> Result<PeerIdentity, TrustError> {
        let role = if self.is_server() { PeerRole::Client } else { PeerRole::Server };
        let identity = self.trust.verify(role, chain, self.expected.as_ref(), SystemTime::now())?;
        Ok(PeerIdentity::Certificate(identity))
    }

    /// What the refused peer did wrong, in words.
    pub(crate) fn trust_error(&self, error: TrustError) -> ChannelError {
        ChannelError::at(self.peer_step(), error.to_string()).with_hint(error.hint())
    }

    /// What an alert of the peer's that is about our certificate means.
    pub(crate) fn alert_error(&self, cause: &str, alert: u8) -> ChannelError {
        let step = if self.is_server() { ChannelStep::ServerIdentity } else { ChannelStep::ClientIdentity };
        ChannelError::at(step, cause).with_hint(hint_for_alert(alert))
    }

    /// Whether this end is the client.
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
