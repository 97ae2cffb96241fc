//! A secure channel over datagrams: DTLS.

use std::{ops::Range, time::Instant};

use crate::{ChannelError, PeerIdentity};

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
    fn poll_event(&mut self, buffer: &mut [u8]) -> Option<Event>;

    /// Encrypts one message into one datagram for the peer.
    ///
    /// # Errors
    /// When the channel is not open, or the message does not fit a record.
    fn send(&mut self, now: Instant, message: &[u8]) -> Result<(), ChannelError>;

    /// Who the peer is; `None` until the handshake is done and the peer has proven it.
    fn peer(&self) -> Option<&PeerIdentity>;

    /// Tells the peer that nothing more will come.
    fn close(&mut self, now: Instant);
}

/// Something that a peer has brought about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// The handshake is done; [`SecureDatagrams::peer`] says who it is.
    Open,
    /// A message lies in this part of the buffer.
    Message(Range<usize>),
    /// The peer has closed the channel in order.
    ClosedByPeer,
    /// The channel has failed and is to be dropped.
    Failed(ChannelError),
}
