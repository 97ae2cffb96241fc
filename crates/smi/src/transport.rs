//! The data that transport models and security models exchange (RFC 5590 §5).

use std::{fmt, net::SocketAddr, sync::Arc};

use crate::SecurityLevel;

/// The transport over which a message was received or will be sent.
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
    /// Returns whether the transport itself authenticates peers, so that TSM may rely on it (RFC
    /// 5591 §1.5).
    pub fn is_secure(self) -> bool {
        matches!(self, Self::Ssh | Self::Tls | Self::Dtls)
    }

    /// Returns whether each message is sent as one datagram.
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

/// The address of a peer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TransportAddress {
    /// An IP address and port.
    Ip(SocketAddr),
    /// A peer connected through a Unix socket.
    Local {
        /// The user ID of the peer process.
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

/// tmStateReference: the transport and security of a message (RFC 5590 §5.2).
///
/// Created by the transport model for received messages and by TSM for sent messages.
/// `security_name` and the security levels come from the setup of the session, never from the
/// message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TmStateReference {
    /// tmTransportDomain: the transport of the message.
    pub domain: TransportDomain,
    /// tmTransportAddress: the address of the peer.
    pub address: TransportAddress,
    /// tmSecurityName: the authenticated identity of the session's peer; `None` on transports
    /// without authentication.
    pub security_name: Option<Arc<[u8]>>,
    /// tmRequestedSecurityLevel: the level that a sent message requires.
    pub requested_level: SecurityLevel,
    /// tmTransportSecurityLevel: the level that the session provides.
    pub transport_level: SecurityLevel,
    /// tmSameSecurity: the reply must be sent with exactly the same security, or not at all.
    pub same_security: bool,
    /// tmSessionID: a number that is unique among the sessions of this process and never reused.
    pub session: Option<u64>,
}

impl TmStateReference {
    /// Creates the state of a message from a transport without authentication.
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
