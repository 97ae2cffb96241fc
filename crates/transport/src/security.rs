//! What secure transports need from outside: who makes channels, and which securityName a proven identity has.

use std::sync::Arc;

use portreeve_channel::{DatagramAcceptor, PeerIdentity, StreamAcceptor};
use portreeve_channel_ssh::server::SshServer;
use portreeve_smi::TransportDomain;

/// What the listeners of secure transports are served with, shared by all workers. Each part may change what it does
/// while sessions are open, such as when certificates are read again; open sessions keep what they have.
#[derive(Clone)]
pub struct TransportSecurity {
    /// Makes the server's end of TLS channels.
    pub tls: Option<Arc<dyn StreamAcceptor>>,
    /// Makes the server's end of DTLS channels.
    pub dtls: Option<Arc<dyn DatagramAcceptor>>,
    /// Serves SSH connections.
    pub ssh: Option<Arc<SshServer>>,
    /// The transport models' naming.
    pub names: Arc<dyn SecurityNameMapping>,
}

impl TransportSecurity {
    /// For listeners of insecure transports only.
    #[must_use]
    pub fn none() -> Self {
        Self { tls: None, dtls: None, ssh: None, names: Arc::new(NoSecurityNames) }
    }
}

/// The transport models' step from an identity to a securityName: the user's name for SSH (RFC 5592 §5.1), rows of
/// snmpTlstmCertToTSNTable for certificates (RFC 6353 §5.3).
pub trait SecurityNameMapping: Send + Sync {
    /// tmSecurityName, 1 to 32 octets; `None` where no rule names this peer, whose session then ends.
    fn security_name(&self, domain: TransportDomain, peer: &PeerIdentity) -> Option<Arc<[u8]>>;
}

/// Names nobody.
struct NoSecurityNames;

impl SecurityNameMapping for NoSecurityNames {
    fn security_name(&self, _: TransportDomain, _: &PeerIdentity) -> Option<Arc<[u8]>> {
        None
    }
}
