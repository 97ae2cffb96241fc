//! One end's judgement of the other, the same for both versions.

use std::{sync::Arc, time::SystemTime};

use portreeve_channel::{ChannelError, PeerIdentity, Step};
use portreeve_x509::{Refusal, Role, Trust, cure_of_alert};
use rustls_pki_types::{CertificateDer, ServerName};

/// Whom one end trusts, and under which name it expects the other.
#[derive(Clone, Debug)]
pub(crate) struct Judge {
    trust: Arc<Trust>,
    /// The server's; `None` on a server, whose clients need none.
    expected: Option<ServerName<'static>>,
}

impl Judge {
    /// A server's judgement of its clients.
    pub(crate) fn of_clients(trust: Arc<Trust>) -> Self {
        Self { trust, expected: None }
    }

    /// A client's judgement of the server of that name.
    pub(crate) fn of_server(trust: Arc<Trust>, name: ServerName<'static>) -> Self {
        Self { trust, expected: Some(name) }
    }

    /// Whoever holds the key of the first certificate.
    pub(crate) fn judge(&self, chain: &[CertificateDer<'_>]) -> Result<PeerIdentity, Refusal> {
        let role = if self.is_server() { Role::Client } else { Role::Server };
        let identity = self.trust.judge(role, chain, self.expected.as_ref(), SystemTime::now())?;
        Ok(PeerIdentity::Certificate(identity))
    }

    /// What the refused peer did wrong, in words.
    pub(crate) fn explain(&self, refusal: Refusal) -> ChannelError {
        ChannelError::at(self.step_of_peer(), refusal.to_string()).cured_by(refusal.cure())
    }

    /// What an alert of the peer's that is about our certificate means.
    pub(crate) fn refused_by_peer(&self, cause: &str, alert: u8) -> ChannelError {
        let step = if self.is_server() { Step::ServerIdentity } else { Step::ClientIdentity };
        ChannelError::at(step, cause).cured_by(cure_of_alert(alert))
    }

    /// Whether this end is the client.
    pub(crate) fn is_client(&self) -> bool {
        !self.is_server()
    }

    fn is_server(&self) -> bool {
        self.expected.is_none()
    }

    fn step_of_peer(&self) -> Step {
        if self.is_server() { Step::ClientIdentity } else { Step::ServerIdentity }
    }
}
