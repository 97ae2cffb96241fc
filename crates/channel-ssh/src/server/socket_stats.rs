//! Statistics of the socket under a connection. The stream also reports its end as soon as our side
//! is shut down.

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

/// Statistics of a socket. Used on one thread only; atomic because russh requires streams that can
/// move between threads.
#[derive(Debug, Default)]
pub(super) struct SocketStats {
    stalled: AtomicBool,
    written: AtomicU64,
    read: AtomicU64,
    is_shut_down: AtomicBool,
    is_logged_in: AtomicBool,
}

impl SocketStats {
    /// If the socket currently accepts no data, returns the number of octets written so far;
    /// otherwise `None`.
    pub(super) fn stalled_at(&self) -> Option<u64> {
        self.stalled.load(Relaxed).then(|| self.written.load(Relaxed))
    }

    /// Records that the peer has logged in.
    pub(super) fn set_logged_in(&self) {
        self.is_logged_in.store(true, Relaxed);
    }

    pub(super) fn is_logged_in(&self) -> bool {
        self.is_logged_in.load(Relaxed)
    }

    /// Returns the number of octets received.
    pub(super) fn octets_read(&self) -> u64 {
        self.read.load(Relaxed)
    }
}

/// A stream that updates [`SocketStats`].
pub(super) struct MeasuredStream<S> {
    stream: S,
    stats: Arc<SocketStats>,
}

impl<S> MeasuredStream<S> {
    pub(super) fn new(stream: S, stats: Arc<SocketStats>) -> Self {
        Self { stream, stats }
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for MeasuredStream<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        // After our side is shut down, do not wait for the peer.
        if self.stats.is_shut_down.load(Relaxed) {
            return Poll::Ready(Ok(()));
        }
        let before = buffer.filled().len();
        let result = Pin::new(&mut self.stream).poll_read(context, buffer);
        self.stats.read.fetch_add((buffer.filled().len() - before) as u64, Relaxed);
        result
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for MeasuredStream<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        octets: &[u8],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write(context, octets);
        self.stats.stalled.store(written.is_pending(), Relaxed);
        if let Poll::Ready(Ok(count)) = &written {
            self.stats.written.fetch_add(*count as u64, Relaxed);
        }
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
