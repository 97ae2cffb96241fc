//! What the caller does with a connection, and what it can do to it.

use std::{
    fmt, io,
    pin::pin,
    sync::Arc,
    task::{Context, Poll, Waker},
};

use portreeve_channel::PeerIdentity;
use russh::{
    ChannelId, Disconnect,
    server::{Handle, Session},
};

use super::socket_stats::SocketStats;
use crate::WindowPolicy;

/// Whoever a connection is served for. Called on the thread that polls the connection, never while a call of it lasts.
pub trait ConnectionCallbacks {
    /// Key exchange has begun; through `remote` the connection can be reached from outside these calls.
    fn connected(&self, remote: ConnectionHandle);

    /// The peer has proven who it is. `false` ends the connection.
    fn authenticated(&self, peer: &PeerIdentity) -> bool;

    /// The peer asks for a subsystem on a channel; `false` refuses it.
    fn open_subsystem(&self, channel: ChannelNumber, subsystem: &str) -> bool;

    /// Octets have arrived on a channel that was opened.
    fn receive(&self, output: &mut ChannelWriter<'_>, octets: &[u8]) -> ControlFlow;

    /// The peer has made room for answers.
    fn writable(&self, output: &mut ChannelWriter<'_>) -> ControlFlow;

    /// The peer will send nothing more on the channel, and may wait for answers.
    fn on_eof(&self, output: &mut ChannelWriter<'_>) -> ControlFlow;

    /// The peer has closed the channel.
    fn closed(&self, channel: ChannelNumber);

    /// Whether what arrives has to wait, so that the peer is given no more room than a trickle.
    fn is_congested(&self, channel: ChannelNumber) -> bool;
}

/// What becomes of a connection after a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ControlFlow {
    /// It goes on.
    Continue,
    /// The channel is closed in order once what waits for it is taken.
    CloseChannel,
    /// It ends.
    Disconnect,
}

/// A channel of one connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ChannelNumber(pub(super) ChannelId);

/// The way to the peer of one channel, during a call.
pub struct ChannelWriter<'s> {
    pub(super) session: &'s mut Session,
    pub(super) channel: ChannelId,
    written: usize,
    /// Gathers what is to leave in a packet of its own, where it is.
    separate_packet: Option<Vec<u8>>,
}

impl<'s> ChannelWriter<'s> {
    pub(super) fn new(session: &'s mut Session, channel: ChannelId, window: WindowPolicy) -> Self {
        let apart = (window == WindowPolicy::EveryMessage).then(Vec::new);
        Self { session, channel, written: 0, separate_packet: apart }
    }

    /// The end of the call.
    pub(super) fn finish(self) -> Result<(), russh::Error> {
        let Some(octets) = self.separate_packet.filter(|octets| !octets.is_empty()) else { return Ok(()) };
        // What goes through the handle is written after that which this packet has brought about already.
        let handle = self.session.handle();
        let handed_over = pin!(handle.data(self.channel, octets.clone()));
        match handed_over.poll(&mut Context::from_waker(Waker::noop())) {
            Poll::Ready(_) => Ok(()),
            Poll::Pending => self.session.data(self.channel, octets),
        }
    }

    /// Which channel.
    pub fn channel(&self) -> ChannelNumber {
        ChannelNumber(self.channel)
    }

    /// Takes all octets, encrypted at once as far as the peer's window goes.
    ///
    /// # Errors
    /// `WouldBlock` when something waits for the window already, and nothing was taken; or the connection is broken.
    pub fn try_write(&mut self, octets: &[u8]) -> io::Result<usize> {
        if self.is_congested() {
            return Err(io::ErrorKind::WouldBlock.into());
        }
        match &mut self.separate_packet {
            Some(apart) => apart.extend_from_slice(octets),
            None => self.session.data(self.channel, octets.to_vec()).map_err(io::Error::other)?,
        }
        self.written += octets.len();
        Ok(octets.len())
    }

    /// Whether no more is to be written in this call: octets wait for the peer's window, or so many were taken that the
    /// socket should have its turn, which it gets when the call returns.
    pub fn is_congested(&self) -> bool {
        self.written >= MAX_WRITE_BURST || self.has_pending_data()
    }

    /// Whether octets that were taken wait for the peer's window.
    pub fn has_pending_data(&self) -> bool {
        self.session.has_pending_data(self.channel)
    }
}

impl fmt::Debug for ChannelWriter<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Output").field("channel", &self.channel).finish_non_exhaustive()
    }
}

/// A connection, reached from outside the calls of its [`ConnectionCallbacks`]. What it is asked to do is done when the connection is polled.
#[derive(Clone)]
pub struct ConnectionHandle {
    pub(super) handle: Handle,
    pub(super) stats: Arc<SocketStats>,
}

impl ConnectionHandle {
    /// Sends octets on a channel, after those that were handed over before. Returns when the connection has taken them;
    /// `false` when it is over. While the peer leaves no room, it takes none.
    pub async fn send(&self, channel: ChannelNumber, octets: Vec<u8>) -> bool {
        self.handle.data(channel.0, octets).await.is_ok()
    }

    /// While the socket takes nothing of what waits for it: how many octets it has taken before.
    pub fn stalled_at(&self) -> Option<u64> {
        self.stats.stalled_at()
    }

    /// Octets that have come from the peer, whatever they are.
    pub fn octets_read(&self) -> u64 {
        self.stats.octets_read()
    }

    /// Closes a channel in order: nothing more will come, and it was a success.
    pub async fn close(&self, channel: ChannelNumber) {
        // Where the connection is over, so is the channel.
        let _ = self.handle.eof(channel.0).await;
        let _ = self.handle.exit_status_request(channel.0, 0).await;
        let _ = self.handle.close(channel.0).await;
    }

    /// Ends the connection in order, with a word to the peer.
    pub async fn disconnect(&self, why: &str) {
        // It may be over already.
        let _ = self.handle.disconnect(Disconnect::ByApplication, why.to_owned(), String::new()).await;
    }
}

impl fmt::Debug for ConnectionHandle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Remote").finish_non_exhaustive()
    }
}

/// Octets that one call may write before the socket has its turn.
const MAX_WRITE_BURST: usize = 64 * 1024;
