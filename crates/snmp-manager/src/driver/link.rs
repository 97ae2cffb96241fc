//! The interface between a client and its transport.

use std::{
    io,
    net::{IpAddr, SocketAddr, ToSocketAddrs},
    time::Duration,
};

use crate::{Family, PeerAddress};

/// A connection to exactly one peer. Every received message is assumed to come from that peer, so a
/// link must drop messages from other sources (attack M4).
///
/// [`crate::Client::open`] creates links over UDP and TCP; [`crate::StreamLink`] is a link over any
/// connected stream. For other transports, for example an encrypted one, implement this trait and
/// pass it to [`crate::Client::with_link`].
pub trait Link {
    /// Sends one whole message.
    ///
    /// # Errors
    /// The connection failed. A lost datagram is not an error.
    fn send(&mut self, message: &[u8]) -> io::Result<()>;

    /// Waits for one whole message, for at most `timeout`, which is not zero.
    ///
    /// # Errors
    /// The connection failed or was closed. A timeout is not an error.
    fn receive(&mut self, timeout: Duration) -> io::Result<LinkInput<'_>>;

    /// Returns true if messages can get lost, so that retransmission is useful.
    fn loses_messages(&self) -> bool {
        false
    }

    /// Returns true if messages travel in a session that has authenticated both peers (RFC 5590).
    fn is_secure_session(&self) -> bool {
        false
    }

    /// Returns the last ICMP error about this peer. The error is not authenticated: anyone can
    /// forge one.
    fn icmp_error(&self) -> Option<io::ErrorKind> {
        None
    }

    /// Returns the address for cleartext datagrams to the peer, if there is one.
    /// [`crate::Client::explain`] may send probes to it.
    fn datagram_peer(&self) -> Option<SocketAddr> {
        None
    }

    /// Returns the local address and the peer's, if the transport has addresses.
    fn addresses(&self) -> Option<(SocketAddr, SocketAddr)> {
        None
    }
}

/// The result of waiting for a message.
pub enum LinkInput<'l> {
    /// A whole message from the peer. It may be decrypted in place.
    Message(&'l mut [u8]),
    /// No complete message has arrived yet.
    Nothing,
}

/// Resolves `peer` to addresses, in the system's order, IPv4 first. A literal address needs no
/// resolver.
pub(super) fn resolve(peer: &PeerAddress) -> io::Result<Vec<SocketAddr>> {
    if let Ok(literal) = peer.host.parse::<IpAddr>() {
        return Ok(vec![SocketAddr::new(literal, peer.port)]);
    }
    let mut found: Vec<_> = (peer.host.as_str(), peer.port).to_socket_addrs()?.collect();
    // SNMP commands try IPv4 first, so IPv4 addresses are sorted to the front; `udp6` selects IPv6.
    let family = peer.family;
    found.retain(|address| match family {
        Some(Family::V4) => address.is_ipv4(),
        Some(Family::V6) => address.is_ipv6(),
        None => true,
    });
    found.sort_by_key(SocketAddr::is_ipv6);
    if found.is_empty() {
        return Err(io::Error::new(
            io::ErrorKind::NotFound,
            "the name has no address of the requested family (IPv4 or IPv6)",
        ));
    }
    Ok(found)
}
