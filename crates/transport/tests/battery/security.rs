//! The security configuration of the tests.

use std::sync::Arc;

use portreeve_channel::PeerIdentity;
use portreeve_smi::TransportDomain;
use portreeve_transport::{SecurityNameMapping, TransportSecurity};

use super::{dtls, ssh_server, tls};

pub fn security() -> TransportSecurity {
    TransportSecurity {
        tls: Some(Arc::new(tls::server())),
        ssh: Some(Arc::new(ssh_server::server())),
        dtls: Some(Arc::new(dtls::server())),
        names: Arc::new(NamesFromIdentity),
    }
}

/// Maps the CommonName or user name to the securityName, except for the user without a name.
struct NamesFromIdentity;

impl SecurityNameMapping for NamesFromIdentity {
    fn security_name(&self, _: TransportDomain, peer: &PeerIdentity) -> Option<Arc<[u8]>> {
        let name = match peer {
            PeerIdentity::Certificate(identity) => identity.leaf.common_name.as_deref()?,
            PeerIdentity::Ssh(identity) => &identity.user,
        };
        (name != ssh_server::UNNAMED_USER).then(|| name.as_bytes().into())
    }
}
