//! A secure channel over datagrams: DTLS.

use std::{net::SocketAddr, ops::Range, time::Instant};

use crate::{ChannelError, Handshake, PeerIdentity};

/// Creates server channels for many peers over one socket.
pub trait DatagramAcceptor: Send + Sync {
    /// Returns the random of a ClientHello; `None` if the datagram is not one. The random is the
    /// same in all hellos of one handshake and different in every other handshake.
    fn hello_random(&self, datagram: &[u8]) -> Option<[u8; 32]>;

    /// Processes a datagram from a peer that has no channel yet. `reply` must have room for a
    /// handshake datagram. What is written to it is less than three times as long as `datagram`.
    fn accept(&self, now: Instant, peer: SocketAddr, datagram: &mut [u8], reply: &mut [u8]) -> AcceptOutcome;

    /// Returns `true` if the identity has been revoked since its channel was opened.
    fn is_revoked(&self, identity: &PeerIdentity) -> bool {
        let _ = identity;
        false
    }
}

/// The result of a datagram from an unknown peer.
pub enum AcceptOutcome {
    /// The datagram does not start a channel.
    Dropped,
    /// The caller must send this many octets of the reply: the peer must prove that it receives
    /// datagrams at its address. No state is kept.
    Reply(usize),
    /// A new channel, which has already processed the datagram.
    Channel(Box<dyn SecureDatagrams>),
}

/// One side of a channel with one peer, over a socket that many peers share.
///
/// After every call that passes in a datagram, a message or the time, call
/// [`poll_transmit`](Self::poll_transmit) and [`poll_event`](Self::poll_event) until they return
/// `None`, and then call [`next_timeout`](Self::next_timeout) again.
pub trait SecureDatagrams {
    /// Processes one datagram from the peer. Records that do not belong to this channel are
    /// dropped.
    fn handle_datagram(&mut self, now: Instant, datagram: &mut [u8]);

    /// Processes the passage of time: unanswered flights are retransmitted.
    fn handle_timeout(&mut self, now: Instant);

    /// The time at which to call [`handle_timeout`](Self::handle_timeout).
    fn next_timeout(&self) -> Option<Instant>;

    /// Writes the next datagram for the peer to the start of `buffer` and returns its length.
    /// `buffer` must have room for a datagram of the path's maximum size.
    fn poll_transmit(&mut self, buffer: &mut [u8]) -> Option<usize>;

    /// Returns the next event. A message is written to `buffer`, which must have room for the
    /// longest one.
    fn poll_event(&mut self, buffer: &mut [u8]) -> Option<ChannelEvent>;

    /// Encrypts one message into one datagram for the peer.
    ///
    /// # Errors
    /// If the channel is not open, or the message does not fit into a DTLS record.
    fn send(&mut self, now: Instant, message: &[u8]) -> Result<(), ChannelError>;

    /// Returns `true` once the peer has proven that it receives datagrams at its address. The
    /// caller must limit the number and the lifetime of channels that are not reachable yet.
    fn is_reachable(&self) -> bool;

    /// The peer's identity; `None` until the handshake is done and the peer is authenticated.
    fn peer(&self) -> Option<&PeerIdentity>;

    /// The protocol version for display, such as `DTLSv1.3`; final when the handshake is done.
    fn protocol(&self) -> &'static str;

    /// The details of the handshake so far.
    fn handshake(&self) -> Handshake {
        Handshake::default()
    }

    /// Sends a close alert to the peer.
    fn close(&mut self, now: Instant);
}

/// An event on a channel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ChannelEvent {
    /// The handshake is done; [`SecureDatagrams::peer`] returns the peer's identity.
    Open,
    /// A message was written to this part of the buffer.
    Message(Range<usize>),
    /// The peer has closed the channel with a close alert.
    ClosedByPeer,
    /// The channel has failed and must be dropped.
    Failed(ChannelError),
}
