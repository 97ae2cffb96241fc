//! What the battery's listeners of secure transports are served with.

use std::sync::Arc;

use portreeve_channel::PeerIdentity;
use portreeve_smi::TransportDomain;
use portreeve_transport::{SecurityNameMapping, TransportSecurity};

use super::{dtls, ssh, tls};

pub fn security() -> TransportSecurity {
    TransportSecurity {
        tls: Some(Arc::new(tls::server())),
        ssh: Some(Arc::new(ssh::server())),
        dtls: Some(Arc::new(dtls::server())),
        names: Arc::new(NamesFromIdentity),
    }
}

/// Names peers by their certificate's CommonName or their user's name, except for one who has none.
struct NamesFromIdentity;

impl SecurityNameMapping for NamesFromIdentity {
    fn security_name(&self, _: TransportDomain, peer: &PeerIdentity) -> Option<Arc<[u8]>> {
        let name = match peer {
            PeerIdentity::Certificate(identity) => identity.leaf.common_name.as_deref()?,
            PeerIdentity::Ssh(identity) => &identity.user,
        };
        (name != ssh::UNNAMED_USER).then(|| name.as_bytes().into())
    }
}
