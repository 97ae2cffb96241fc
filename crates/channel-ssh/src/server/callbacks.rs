//! The interface between a connection and the code that uses it: the connection calls the
//! callbacks, and other code calls the handle.

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

/// Callbacks for one connection. Called on the thread that polls the connection, never
/// re-entrantly.
pub trait ConnectionCallbacks {
    /// Key exchange has started. `handle` gives access to the connection from outside the
    /// callbacks.
    fn connected(&self, handle: ConnectionHandle);

    /// The connection's next step runs on its worker, or does not: it waits, or runs on another
    /// thread. Until it returns to the worker, the stream must not hold or await what the worker's
    /// connections share. Called only before the login.
    fn set_on_worker(&self, _is_on_worker: bool) {}

    /// The peer has authenticated. Returning `false` closes the connection.
    fn authenticated(&self, peer: &PeerIdentity) -> bool;

    /// The peer requests a subsystem on a channel. Returning `false` rejects the request.
    fn open_subsystem(&self, channel: ChannelNumber, subsystem: &str) -> bool;

    /// Data was received on an open subsystem channel.
    fn receive(&self, writer: &mut ChannelWriter<'_>, octets: &[u8]) -> ControlFlow;

    /// The peer has extended its window, so more data can be written.
    fn writable(&self, writer: &mut ChannelWriter<'_>) -> ControlFlow;

    /// The peer will send nothing more on the channel, but may still read responses.
    fn on_eof(&self, writer: &mut ChannelWriter<'_>) -> ControlFlow;

    /// The peer has closed the channel.
    fn closed(&self, channel: ChannelNumber);

    /// Returns true if received data has to wait. The peer's window is then kept at two octets.
    fn is_congested(&self, channel: ChannelNumber) -> bool;
}

/// The next step for a connection after a callback.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ControlFlow {
    /// Continue to serve the connection.
    Continue,
    /// Close the channel gracefully, after pending data has been sent.
    CloseChannel,
    /// Close the connection.
    Disconnect,
}

/// The number of a channel in its connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ChannelNumber(pub(super) ChannelId);

/// Writes to a channel during a callback.
pub struct ChannelWriter<'s> {
    pub(super) session: &'s mut Session,
    pub(super) channel: ChannelId,
    written: usize,
    /// Collects octets that are sent in a separate packet, if the window policy requires it.
    separate_packet: Option<Vec<u8>>,
}

impl<'s> ChannelWriter<'s> {
    pub(super) fn new(session: &'s mut Session, channel: ChannelId, window: WindowPolicy) -> Self {
        let separate_packet = (window == WindowPolicy::EveryMessage).then(Vec::new);
        Self { session, channel, written: 0, separate_packet }
    }

    /// Ends the callback and sends the octets that were collected for a separate packet.
    pub(super) fn finish(self) -> Result<(), russh::Error> {
        let Some(octets) = self.separate_packet.filter(|octets| !octets.is_empty()) else { return Ok(()) };
        // Data sent through the handle is written after the messages that russh has already queued
        // in response to the current packet.
        let handle = self.session.handle();
        let sending = pin!(handle.data(self.channel, octets.clone()));
        match sending.poll(&mut Context::from_waker(Waker::noop())) {
            Poll::Ready(_) => Ok(()),
            Poll::Pending => self.session.data(self.channel, octets),
        }
    }

    /// Returns the channel's number.
    pub fn channel(&self) -> ChannelNumber {
        ChannelNumber(self.channel)
    }

    /// Accepts all octets and encrypts them at once as far as the peer's window allows.
    ///
    /// # Errors
    /// Returns `WouldBlock` without accepting anything if earlier data still waits for the window.
    /// Other errors mean that the connection has failed.
    pub fn try_write(&mut self, octets: &[u8]) -> io::Result<usize> {
        if self.is_congested() {
            return Err(io::ErrorKind::WouldBlock.into());
        }
        match &mut self.separate_packet {
            Some(packet) => packet.extend_from_slice(octets),
            None => self.session.data(self.channel, octets.to_vec()).map_err(io::Error::other)?,
        }
        self.written += octets.len();
        Ok(octets.len())
    }

    /// Returns true if nothing more should be written in this callback: data waits for the peer's
    /// window, or so much data was accepted that it should first be written to the socket, which
    /// happens when the callback returns.
    pub fn is_congested(&self) -> bool {
        self.written >= MAX_WRITE_BURST || self.has_pending_data()
    }

    /// Returns true if accepted data waits for the peer's window.
    pub fn has_pending_data(&self) -> bool {
        self.session.has_pending_data(self.channel)
    }
}

impl fmt::Debug for ChannelWriter<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ChannelWriter").field("channel", &self.channel).finish_non_exhaustive()
    }
}

/// A handle to a connection for use outside of its [`ConnectionCallbacks`]. Requests take effect
/// when the connection is polled.
#[derive(Clone)]
pub struct ConnectionHandle {
    pub(super) handle: Handle,
    pub(super) stats: Arc<SocketStats>,
}

impl ConnectionHandle {
    /// Sends data on a channel, after all data sent before. Returns when the connection has
    /// accepted it, or `false` if the connection has ended. Waits while the peer's window is full.
    pub async fn send(&self, channel: ChannelNumber, octets: Vec<u8>) -> bool {
        self.handle.data(channel.0, octets).await.is_ok()
    }

    /// If the socket currently accepts no data, returns the number of octets written so far;
    /// otherwise `None`.
    pub fn stalled_at(&self) -> Option<u64> {
        self.stats.stalled_at()
    }

    /// Returns the number of octets received from the peer, of any kind.
    pub fn octets_read(&self) -> u64 {
        self.stats.octets_read()
    }

    /// Closes a channel gracefully, with exit status 0.
    pub async fn close(&self, channel: ChannelNumber) {
        // Fails only if the connection, and with it the channel, has ended.
        let _ = self.handle.eof(channel.0).await;
        let _ = self.handle.exit_status_request(channel.0, 0).await;
        let _ = self.handle.close(channel.0).await;
    }

    /// Closes the connection gracefully, with a message to the peer.
    pub async fn disconnect(&self, message: &str) {
        // Fails if the connection has ended already.
        let _ = self.handle.disconnect(Disconnect::ByApplication, message.to_owned(), String::new()).await;
    }
}

impl fmt::Debug for ConnectionHandle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ConnectionHandle").finish_non_exhaustive()
    }
}

/// Maximum number of octets that one callback may accept before they are written to the socket.
const MAX_WRITE_BURST: usize = 64 * 1024;

#[cfg(test)]
pub(super) mod testing;
