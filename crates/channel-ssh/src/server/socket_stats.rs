//! The socket under a connection, watched: whether it takes what is written, and an end once we have said ours.

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

/// What was seen of a socket. Used on one thread; atomic because russh's streams must be able to move.
#[derive(Debug, Default)]
pub(super) struct SocketStats {
    stalled: AtomicBool,
    written: AtomicU64,
    read: AtomicU64,
    is_shut_down: AtomicBool,
    is_logged_in: AtomicBool,
}

impl SocketStats {
    /// While the socket takes nothing: how many octets it has taken before.
    pub(super) fn stalled_at(&self) -> Option<u64> {
        self.stalled.load(Relaxed).then(|| self.written.load(Relaxed))
    }

    /// The peer has logged in.
    pub(super) fn set_logged_in(&self) {
        self.is_logged_in.store(true, Relaxed);
    }

    pub(super) fn is_logged_in(&self) -> bool {
        self.is_logged_in.load(Relaxed)
    }

    /// How many octets have come.
    pub(super) fn octets_read(&self) -> u64 {
        self.read.load(Relaxed)
    }
}

/// A stream that tells its [`SocketStats`].
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
        // After our last word nobody is waited for.
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
