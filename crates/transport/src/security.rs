//! The configuration of secure transports: the acceptors of channels, and the mapping of identities
//! to securityNames.

use std::sync::Arc;

use portreeve_channel::{DatagramAcceptor, PeerIdentity, StreamAcceptor};
use portreeve_channel_ssh::server::SshServer;
use portreeve_smi::TransportDomain;

/// The acceptors and name mapping of secure listeners, shared by all workers. Each part may change
/// its behavior while sessions are open, for example when certificates are reloaded; open sessions
/// keep their state.
#[derive(Clone)]
pub struct TransportSecurity {
    /// Creates the server side of TLS channels.
    pub tls: Option<Arc<dyn StreamAcceptor>>,
    /// Creates the server side of DTLS channels.
    pub dtls: Option<Arc<dyn DatagramAcceptor>>,
    /// The SSH server, which creates and serves SSH sessions.
    pub ssh: Option<Arc<SshServer>>,
    /// Maps identities to securityNames.
    pub names: Arc<dyn SecurityNameMapping>,
}

impl TransportSecurity {
    /// Returns a configuration without secure transports.
    #[must_use]
    pub fn none() -> Self {
        Self { tls: None, dtls: None, ssh: None, names: Arc::new(NoSecurityNames) }
    }

    /// Returns whether the identity has been revoked since its session was opened.
    pub(crate) fn is_revoked(&self, domain: TransportDomain, identity: &PeerIdentity) -> bool {
        match (domain, identity) {
            (TransportDomain::Tls, _) => self.tls.as_ref().is_some_and(|tls| tls.is_revoked(identity)),
            (TransportDomain::Dtls, _) => self.dtls.as_ref().is_some_and(|dtls| dtls.is_revoked(identity)),
            (_, PeerIdentity::Ssh(identity)) => self.ssh.as_ref().is_some_and(|ssh| ssh.is_revoked(identity)),
            _ => false,
        }
    }
}

/// Maps an authenticated identity to a securityName. For SSH, this is the user name (RFC 5592
/// §5.1). For a certificate, the rows of snmpTlstmCertToTSNTable determine it (RFC 6353 §5.3).
pub trait SecurityNameMapping: Send + Sync {
    /// Returns the tmSecurityName, 1 to 32 octets; `None` if no rule matches the peer, whose
    /// session is then closed.
    fn security_name(&self, domain: TransportDomain, peer: &PeerIdentity) -> Option<Arc<[u8]>>;
}

/// A mapping that assigns no securityName to any identity.
struct NoSecurityNames;

impl SecurityNameMapping for NoSecurityNames {
    fn security_name(&self, _: TransportDomain, _: &PeerIdentity) -> Option<Arc<[u8]>> {
        None
    }
}
