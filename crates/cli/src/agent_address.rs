//! The agent's address on the command line, as typed and as parsed.

use std::net::ToSocketAddrs;

use portreeve_snmp_manager::{PeerAddress, Transport};

use crate::{command_error::CommandError, snmp_conf::Aliases};

/// The address of the agent.
pub(crate) struct AgentAddress {
    /// The address as typed, for messages.
    pub(crate) typed: String,
    /// The parsed address, or the reason why it is invalid.
    peer: Result<PeerAddress, String>,
}

impl AgentAddress {
    /// Parses the address. Replaces an alias by its address.
    pub(crate) fn new(typed: String, aliases: &Aliases) -> Self {
        let peer =
            aliases.resolve(&typed).and_then(|address| address.parse().map_err(|error| format!("{error}")));
        Self { typed, peer }
    }

    /// Makes this the address of a receiver of notifications, which has other default ports.
    pub(crate) fn for_notifications(self) -> Self {
        Self { peer: self.peer.map(PeerAddress::for_notifications), ..self }
    }

    /// Returns the parsed address.
    pub(crate) fn peer(&self) -> Result<&PeerAddress, CommandError> {
        self.peer
            .as_ref()
            .map_err(|reason| CommandError::Session(format!("Unknown host ({})\nhint: {reason}", self.typed)))
    }

    /// Returns the resolved address as the Net-SNMP commands print it.
    pub(crate) fn resolved(&self) -> String {
        let Ok(address) = &self.peer else { return self.typed.clone() };
        if address.transport == Transport::Unix {
            return format!("{}: {}", label(address.transport), address.host);
        }
        let resolved = (address.host.as_str(), address.port).to_socket_addrs();
        let host = resolved.ok().and_then(|mut resolved| resolved.next());
        let host = host.map_or(address.host.clone(), |resolved| resolved.ip().to_string());
        format!("{}: [{host}]:{}", label(address.transport), address.port)
    }

    /// Returns the name of the transport as the Net-SNMP commands print it; for a Unix socket,
    /// which has no other address, with its path.
    pub(crate) fn transport_label(&self) -> String {
        match &self.peer {
            Ok(address) if address.transport == Transport::Unix => self.resolved(),
            Ok(address) => label(address.transport).to_owned(),
            Err(_) => String::new(),
        }
    }
}

fn label(transport: Transport) -> &'static str {
    match transport {
        Transport::Udp => "UDP",
        Transport::Tcp => "TCP",
        Transport::Ssh => "SSH",
        Transport::Tls => "TLS",
        Transport::Dtls => "DTLSUDP",
        Transport::Unix => "Local IPC",
    }
}
