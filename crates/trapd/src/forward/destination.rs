//! A receiver to which notifications are forwarded.

use std::fmt;

use portreeve_broker_protocol::SessionOption;
use portreeve_secret::Secret;
use portreeve_snmp_manager::{PeerAddress, SessionOptions, Transport, UsmUser};

use super::InvalidDestinationError;

/// A receiver to which notifications are forwarded.
pub struct ForwardDestination {
    /// The address; over SSH with the login name.
    pub address: PeerAddress,
    /// The version and the credentials of the messages.
    pub credentials: ForwardCredentials,
    /// The kind of the messages. In SNMPv1, it is always a trap.
    pub kind: ForwardKind,
    /// The retransmission of informs, the time to connect, and the context.
    pub options: SessionOptions,
}

/// The version and the credentials of forwarded messages.
pub enum ForwardCredentials {
    /// The version and the community of the received message. SNMPv3 notifications cannot be
    /// forwarded.
    AsReceived,
    /// SNMPv1 with this community.
    V1(Secret),
    /// SNMPv2c with this community.
    V2c(Secret),
    /// SNMPv3 with this user. For traps, the user must be known to the destination with the engine
    /// ID of the forwarder.
    V3(UsmUser),
    /// SNMPv3 in a session over SSH, TLS or DTLS, with these keys and this trust.
    Session(Vec<(SessionOption, String)>),
}

/// The kind of forwarded messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ForwardKind {
    /// Traps, which are sent once.
    Trap,
    /// Informs, which are sent until the destination confirms them.
    Inform,
    /// The kind of the received message.
    AsReceived,
}

impl ForwardDestination {
    /// Checks that notifications can be forwarded to the destination.
    ///
    /// # Errors
    /// The transport does not support the credentials, or SNMPv1 would send informs.
    pub fn check(&self) -> Result<(), InvalidDestinationError> {
        let is_session = matches!(self.credentials, ForwardCredentials::Session(_));
        match (self.address.transport.is_secure(), is_session) {
            (true, false) => return Err(InvalidDestinationError::NoSessionCredentials),
            (false, true) => return Err(InvalidDestinationError::NoSession),
            _ => {}
        }
        if self.kind == ForwardKind::Inform && matches!(self.credentials, ForwardCredentials::V1(_)) {
            return Err(InvalidDestinationError::InformInV1);
        }
        Ok(())
    }
}

/// Formats as the address, such as `tls:noc.example.org:10162`.
impl fmt::Display for ForwardDestination {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let PeerAddress { transport, host, port, .. } = &self.address;
        let name = match transport {
            Transport::Udp => "udp",
            Transport::Tcp => "tcp",
            Transport::Ssh => "ssh",
            Transport::Tls => "tls",
            Transport::Dtls => "dtls",
            Transport::Unix => return write!(f, "unix:{}", host.escape_debug()),
        };
        match host.contains(':') {
            true => write!(f, "{name}:[{host}]:{port}"),
            false => write!(f, "{name}:{}:{port}", host.escape_debug()),
        }
    }
}
