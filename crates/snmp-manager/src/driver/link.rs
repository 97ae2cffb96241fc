//! What a transport does for a client.

use std::{
    io,
    net::{IpAddr, SocketAddr, ToSocketAddrs},
    time::Duration,
};

use crate::{Family, PeerAddress};

/// A way to one peer, and to nobody else (M4): what arrives here is taken to come from that peer.
///
/// [`crate::Client::open`] makes those over UDP and TCP, [`crate::StreamLink`] is one over any connected stream. For
/// another, such as one that encrypts, implement this and give it to [`crate::Client::over`].
pub trait Link {
    /// Sends one whole message.
    fn send(&mut self, message: &[u8]) -> io::Result<()>;

    /// Waits for one whole message, at most `timeout`, which is not zero.
    fn receive(&mut self, timeout: Duration) -> io::Result<LinkInput<'_>>;

    /// Whether messages may get lost on the way, so that it is worth while to send a request again.
    fn loses_messages(&self) -> bool {
        false
    }

    /// Whether messages travel in a session that has proven who both ends are (RFC 5590).
    fn is_secure_session(&self) -> bool {
        false
    }

    /// What the network has said last: that this peer cannot be reached, and why. Anybody can say it.
    fn icmp_error(&self) -> Option<io::ErrorKind> {
        None
    }

    /// Whom datagrams go to in clear, where such an address is known: [`crate::Client::explain`] may ask there more.
    fn datagram_peer(&self) -> Option<SocketAddr> {
        None
    }

    /// This side's address and the peer's, where the transport has such.
    fn addresses(&self) -> Option<(SocketAddr, SocketAddr)> {
        None
    }
}

/// What came of waiting.
pub enum LinkInput<'l> {
    /// A whole message of the peer's. It may be decrypted where it stands.
    Message(&'l mut [u8]),
    /// Nothing of use, or not yet.
    Nothing,
}

/// The addresses that `peer` stands for, in the system's order. A literal address needs no resolver.
pub(super) fn resolve(peer: &PeerAddress) -> io::Result<Vec<SocketAddr>> {
    if let Ok(literal) = peer.host.parse::<IpAddr>() {
        return Ok(vec![SocketAddr::new(literal, peer.port)]);
    }
    let mut found: Vec<_> = (peer.host.as_str(), peer.port).to_socket_addrs()?.collect();
    // Commands of this field ask IPv4 first; whoever wants IPv6 says `udp6`.
    let family = peer.family;
    found.retain(|address| match family {
        Some(Family::V4) => address.is_ipv4(),
        Some(Family::V6) => address.is_ipv6(),
        None => true,
    });
    found.sort_by_key(SocketAddr::is_ipv6);
    if found.is_empty() {
        return Err(io::Error::new(io::ErrorKind::NotFound, "the name has no address of this family"));
    }
    Ok(found)
}
