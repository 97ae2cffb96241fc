//! A secure channel over datagrams: DTLS.

use std::{net::SocketAddr, ops::Range, time::Instant};

use crate::{ChannelError, Handshake, PeerIdentity};

/// Makes the server's end of channels with many peers over one socket.
pub trait DatagramAcceptor: Send + Sync {
    /// The random of the hello that this datagram is, if it is one: the same in all that one handshake sends, another in
    /// every other handshake.
    fn hello_random(&self, datagram: &[u8]) -> Option<[u8; 32]>;

    /// Looks at a datagram of a peer with whom there is no channel yet. Whatever `reply` is given, which holds at least
    /// a handshake's datagram, is shorter than three times `datagram`.
    fn accept(&self, now: Instant, peer: SocketAddr, datagram: &mut [u8], reply: &mut [u8]) -> AcceptOutcome;
}

/// What a datagram of an unknown peer leads to.
pub enum AcceptOutcome {
    /// Nothing: it begins no channel.
    Dropped,
    /// The peer is to prove that it receives what is sent to its address: so many octets of the reply are for it, and
    /// nothing is kept.
    Reply(usize),
    /// A channel, which has taken the datagram in.
    Channel(Box<dyn SecureDatagrams>),
}

/// One end of a channel with one peer, over a socket shared by many.
///
/// After every call that hands something in, [`poll_transmit`](Self::poll_transmit) and
/// [`poll_event`](Self::poll_event) are to be called until they have nothing, and
/// [`next_timeout`](Self::next_timeout) is to be asked anew.
pub trait SecureDatagrams {
    /// Takes in one datagram of the peer's. What is no record of this channel is dropped.
    fn handle_datagram(&mut self, now: Instant, datagram: &mut [u8]);

    /// Lets time pass: flights that were not answered are repeated.
    fn handle_timeout(&mut self, now: Instant);

    /// When [`handle_timeout`](Self::handle_timeout) is to be called next.
    fn next_timeout(&self) -> Option<Instant>;

    /// Writes the next datagram for the peer to the front of `buffer`, which holds at least the path's datagram size;
    /// returns its length.
    fn poll_transmit(&mut self, buffer: &mut [u8]) -> Option<usize>;

    /// What has happened. A message is written into `buffer`, which holds the longest one.
    fn poll_event(&mut self, buffer: &mut [u8]) -> Option<ChannelEvent>;

    /// Encrypts one message into one datagram for the peer.
    ///
    /// # Errors
    /// When the channel is not open, or the message does not fit a record.
    fn send(&mut self, now: Instant, message: &[u8]) -> Result<(), ChannelError>;

    /// Whether the peer has proven to receive what is sent to its address. Channels for which this must be kept before
    /// are to be few, and not for long.
    fn is_reachable(&self) -> bool;

    /// Who the peer is; `None` until the handshake is done and the peer has proven it.
    fn peer(&self) -> Option<&PeerIdentity>;

    /// What is spoken, for people, such as `DTLSv1.3`; settled when the handshake is done.
    fn protocol(&self) -> &'static str;

    /// What the handshake has shown so far.
    fn handshake(&self) -> Handshake {
        Handshake::default()
    }

    /// Tells the peer that nothing more will come.
    fn close(&mut self, now: Instant);
}

/// Something that a peer has brought about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ChannelEvent {
    /// The handshake is done; [`SecureDatagrams::peer`] says who it is.
    Open,
    /// A message lies in this part of the buffer.
    Message(Range<usize>),
    /// The peer has closed the channel in order.
    ClosedByPeer,
    /// The channel has failed and is to be dropped.
    Failed(ChannelError),
}
