//! The stream under a connection: counts its octets, and limits what a peer can make the server
//! read without sending data.
//!
//! russh allocates memory for a packet as soon as its length is known, up to a quarter of a
//! megabyte, and then reads it in one piece. The size of the read buffer therefore shows how long a
//! packet is, encrypted or not. Before login, a packet may be no longer than every implementation
//! must accept (RFC 4253 §6.1). The total number of octets before login is limited too: it allows a
//! login with several keys, but no endless series of key exchanges or other messages. After login,
//! the number of octets without channel data is limited.

use std::{
    io,
    pin::Pin,
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicU64, Ordering::Relaxed},
    },
    task::{Context, Poll, ready},
};

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

use crate::coalescing::CoalescingStream;

/// Statistics of a connection's stream. Atomic, because the stream may be polled on the login
/// thread.
#[derive(Debug, Default)]
pub(super) struct StreamStats {
    stalled: AtomicBool,
    written: AtomicU64,
    read: AtomicU64,
    /// The value of `read` when channel data was received last.
    read_at_last_data: AtomicU64,
    has_read_ahead: AtomicBool,
    is_shut_down: AtomicBool,
    is_logged_in: AtomicBool,
    has_too_many_rekeys: AtomicBool,
}

impl StreamStats {
    /// If the socket currently accepts no data, returns the number of octets written so far;
    /// otherwise `None`.
    pub(super) fn stalled_at(&self) -> Option<u64> {
        self.stalled.load(Relaxed).then(|| self.written.load(Relaxed))
    }

    /// Records that the peer has logged in.
    pub(super) fn set_logged_in(&self) {
        self.record_data();
        self.is_logged_in.store(true, Relaxed);
    }

    pub(super) fn is_logged_in(&self) -> bool {
        self.is_logged_in.load(Relaxed)
    }

    /// Records octets received.
    pub(super) fn record_read(&self, octets: u64) {
        self.read.fetch_add(octets, Relaxed);
    }

    /// Records that the peer exchanges keys too often, which ends the connection.
    pub(super) fn set_too_many_rekeys(&self) {
        self.has_too_many_rekeys.store(true, Relaxed);
    }

    /// Records that a session has received channel data.
    pub(super) fn record_data(&self) {
        self.read_at_last_data.store(self.octets_read(), Relaxed);
    }

    /// Returns true if the peer has sent too many octets without channel data, or exchanges keys
    /// too often.
    pub(super) fn exceeds_idle_traffic(&self) -> bool {
        if self.has_too_many_rekeys.load(Relaxed) {
            return true;
        }
        self.is_logged_in()
            && self.octets_read().saturating_sub(self.read_at_last_data.load(Relaxed)) > MAX_IDLE_TRAFFIC
    }

    /// Returns true if octets were received that russh has not read.
    pub(super) fn has_read_ahead(&self) -> bool {
        self.has_read_ahead.load(Relaxed)
    }

    /// Returns the number of octets received.
    pub(super) fn octets_read(&self) -> u64 {
        self.read.load(Relaxed)
    }
}

/// A stream that updates [`StreamStats`] and fails when the peer exceeds a limit. It also reports
/// its end as soon as our side is shut down.
pub(super) struct ServerStream<S: AsyncWrite + Unpin> {
    stream: CoalescingStream<S>,
    stats: Arc<StreamStats>,
}

impl<S: AsyncWrite + Unpin> ServerStream<S> {
    pub(super) fn new(stream: CoalescingStream<S>, stats: Arc<StreamStats>) -> Self {
        Self { stream, stats }
    }

    /// Returns an error if the peer has exceeded a limit. `buffer_size` is the size of the buffer
    /// into which russh reads.
    fn check_limits(&self, buffer_size: usize) -> io::Result<()> {
        let failed = |cause| Err(io::Error::new(io::ErrorKind::InvalidData, cause));
        if self.stats.exceeds_idle_traffic() {
            return failed(IDLE_TRAFFIC);
        }
        if self.stats.is_logged_in() {
            return Ok(());
        }
        if buffer_size > MAX_PRE_AUTH_PACKET {
            return failed("packet of more than 35000 octets before login");
        }
        if self.stats.octets_read() > MAX_PRE_AUTH_OCTETS {
            return failed("more than 65536 octets before login");
        }
        Ok(())
    }

    fn record_writes(&self) {
        self.stats.stalled.store(self.stream.is_blocked(), Relaxed);
        self.stats.written.store(self.stream.octets_written(), Relaxed);
    }
}

impl<S: AsyncRead + AsyncWrite + Unpin> AsyncRead for ServerStream<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        // After our side is shut down, do not wait for the peer.
        if self.stats.is_shut_down.load(Relaxed) {
            return Poll::Ready(Ok(()));
        }
        self.check_limits(buffer.capacity())?;
        let before = buffer.filled().len();
        let result = Pin::new(&mut self.stream).poll_read(context, buffer);
        self.stats.record_read((buffer.filled().len() - before) as u64);
        self.stats.has_read_ahead.store(self.stream.has_read_ahead(), Relaxed);
        self.record_writes();
        result
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for ServerStream<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        octets: &[u8],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write(context, octets);
        self.record_writes();
        written
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let result = ready!(Pin::new(&mut self.stream).poll_shutdown(context));
        self.stats.is_shut_down.store(true, Relaxed);
        Poll::Ready(result)
    }
}

/// The error text for too much traffic without channel data.
const IDLE_TRAFFIC: &str = "more than 1048576 octets without data, or more than 60 key exchanges in a minute";
/// Maximum length of a packet before login, in octets.
const MAX_PRE_AUTH_PACKET: usize = 35_000;
/// Maximum number of octets received before login.
const MAX_PRE_AUTH_OCTETS: u64 = 64 * 1024;
/// Maximum number of octets received after login without channel data.
const MAX_IDLE_TRAFFIC: u64 = 1 << 20;
