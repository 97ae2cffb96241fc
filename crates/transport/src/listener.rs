//! Where to listen, over what, and what holds for connections that come there.

use std::fmt;
use std::net::SocketAddr;

use portreeve_channel::SshAlgorithms;
use portreeve_channel_ssh::WindowPolicy;
use portreeve_smi::TransportDomain;

/// Where to listen.
#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
pub struct Listener {
    /// Over what.
    pub protocol: Protocol,
    /// Address and port; port 0 takes a free one, an unspecified address all of its family.
    pub address: SocketAddr,
    /// Whether stream sockets send at once what is written (TCP_NODELAY). Without it small answers wait for the peer's
    /// acknowledgement of the one before.
    pub nodelay: bool,
    /// When peers of SSH are told that they may send more.
    pub window: WindowPolicy,
    /// What peers of SSH may agree on with us.
    pub algorithms: SshAlgorithms,
}

impl Listener {
    /// A listener as it should be: nothing is delayed, and windows are opened when needed.
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

/// The transports.
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
