//! What a transport model and a security model tell each other, and nothing else (RFC 5590 §5).

use std::{fmt, net::SocketAddr, sync::Arc};

use crate::SecurityLevel;

/// Over what a message came or shall go.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TransportDomain {
    /// UDP (RFC 3417).
    Udp,
    /// TCP (RFC 3430).
    Tcp,
    /// A Unix stream socket.
    Unix,
    /// SSH (RFC 5592).
    Ssh,
    /// TLS over TCP (RFC 6353).
    Tls,
    /// DTLS over UDP (RFC 6353).
    Dtls,
}

impl TransportDomain {
    /// Whether the transport itself authenticates peers, so that TSM may rely on it (RFC 5591 §1.5).
    pub fn is_secure(self) -> bool {
        matches!(self, Self::Ssh | Self::Tls | Self::Dtls)
    }

    /// Whether a message travels as one datagram.
    pub fn is_datagram(self) -> bool {
        matches!(self, Self::Udp | Self::Dtls)
    }
}

impl fmt::Display for TransportDomain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Udp => "udp",
            Self::Tcp => "tcp",
            Self::Unix => "unix",
            Self::Ssh => "ssh",
            Self::Tls => "tls",
            Self::Dtls => "dtls",
        })
    }
}

/// Where a peer is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TransportAddress {
    /// An IP address and port.
    Ip(SocketAddr),
    /// The other end of a Unix socket; `uid` is the peer's user.
    Local {
        /// The peer process's user id.
        uid: u32,
    },
}

impl fmt::Display for TransportAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Ip(address) => address.fmt(f),
            Self::Local { uid } => write!(f, "uid {uid}"),
        }
    }
}

/// tmStateReference: what is known of a message's transport (RFC 5590 §5.2).
///
/// Built by the transport model for what comes in, by TSM for what goes out. `security_name` and the security level
/// come from the session's start, never from the message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TmStateReference {
    /// tmTransportDomain.
    pub domain: TransportDomain,
    /// tmTransportAddress.
    pub address: TransportAddress,
    /// tmSecurityName: who the session belongs to; `None` on transports that authenticate nobody.
    pub security_name: Option<Arc<[u8]>>,
    /// tmRequestedSecurityLevel, outgoing.
    pub requested_level: SecurityLevel,
    /// tmTransportSecurityLevel: what the session provides.
    pub transport_level: SecurityLevel,
    /// tmSameSecurity: the reply must leave with the very same security or not at all.
    pub same_security: bool,
    /// tmSessionID: unique among this process's sessions, never reused.
    pub session: Option<u64>,
}

impl TmStateReference {
    /// What is known of a message from a transport that authenticates nobody.
    pub fn unauthenticated(domain: TransportDomain, address: TransportAddress) -> Self {
        Self {
            domain,
            address,
            security_name: None,
            requested_level: SecurityLevel::NoAuthNoPriv,
            transport_level: SecurityLevel::NoAuthNoPriv,
            same_security: false,
            session: None,
        }
    }
}
