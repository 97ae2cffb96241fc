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
pub(super) struct Watch {
    stalled: AtomicBool,
    written: AtomicU64,
    read: AtomicU64,
    shut: AtomicBool,
    is_in: AtomicBool,
}

impl Watch {
    /// While the socket takes nothing: how many octets it has taken before.
    pub(super) fn stalled(&self) -> Option<u64> {
        self.stalled.load(Relaxed).then(|| self.written.load(Relaxed))
    }

    /// The peer has logged in.
    pub(super) fn let_in(&self) {
        self.is_in.store(true, Relaxed);
    }

    pub(super) fn is_in(&self) -> bool {
        self.is_in.load(Relaxed)
    }

    /// How many octets have come.
    pub(super) fn read(&self) -> u64 {
        self.read.load(Relaxed)
    }
}

/// A stream that tells its [`Watch`].
pub(super) struct Watched<S> {
    stream: S,
    watch: Arc<Watch>,
}

impl<S> Watched<S> {
    pub(super) fn new(stream: S, watch: Arc<Watch>) -> Self {
        Self { stream, watch }
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for Watched<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        // After our last word nobody is waited for.
        if self.watch.shut.load(Relaxed) {
            return Poll::Ready(Ok(()));
        }
        let before = buffer.filled().len();
        let result = Pin::new(&mut self.stream).poll_read(context, buffer);
        self.watch.read.fetch_add((buffer.filled().len() - before) as u64, Relaxed);
        result
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for Watched<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        octets: &[u8],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write(context, octets);
        self.watch.stalled.store(written.is_pending(), Relaxed);
        if let Poll::Ready(Ok(count)) = &written {
            self.watch.written.fetch_add(*count as u64, Relaxed);
        }
        written
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let result = ready!(Pin::new(&mut self.stream).poll_shutdown(context));
        self.watch.shut.store(true, Relaxed);
        Poll::Ready(result)
    }
}
