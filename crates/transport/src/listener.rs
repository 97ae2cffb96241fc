//! Listeners: transport, address, and options for their connections.

use std::fmt;
use std::net::SocketAddr;

use portreeve_channel::SshAlgorithms;
use portreeve_channel_ssh::WindowPolicy;
use portreeve_smi::TransportDomain;

/// A transport and address to listen on.
#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
pub struct Listener {
    /// The transport protocol.
    pub protocol: Protocol,
    /// Address and port. Port 0 selects a free port; an unspecified address means all addresses of
    /// its family.
    pub address: SocketAddr,
    /// Enables TCP_NODELAY: stream sockets send written data at once. Without it, a small response
    /// waits until the peer has acknowledged the previous one.
    pub nodelay: bool,
    /// Determines when the send window of SSH peers is extended.
    pub window: WindowPolicy,
    /// The algorithms offered to SSH peers.
    pub algorithms: SshAlgorithms,
}

impl Listener {
    /// Creates a listener with the recommended options: TCP_NODELAY, and SSH windows that are
    /// extended when needed.
    #[must_use]
    pub fn new(protocol: Protocol, address: SocketAddr) -> Self {
        Self {
            protocol,
            address,
            nodelay: true,
            window: WindowPolicy::default(),
            algorithms: SshAlgorithms::default(),
        }
    }
}

impl fmt::Display for Listener {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", TransportDomain::from(self.protocol), self.address)
    }
}

/// The transport protocols.
#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
pub enum Protocol {
    /// SNMP over UDP (RFC 3417).
    Udp,
    /// SNMP over TCP (RFC 3430).
    Tcp,
    /// SNMP over TLS over TCP (RFC 6353).
    Tls,
    /// SNMP over DTLS over UDP (RFC 6353).
    Dtls,
    /// SNMP in a subsystem of SSH (RFC 5592).
    Ssh,
}

impl From<Protocol> for TransportDomain {
    fn from(protocol: Protocol) -> Self {
        match protocol {
            Protocol::Udp => Self::Udp,
            Protocol::Tcp => Self::Tcp,
            Protocol::Tls => Self::Tls,
            Protocol::Dtls => Self::Dtls,
            Protocol::Ssh => Self::Ssh,
        }
    }
}
