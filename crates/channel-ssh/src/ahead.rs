//! A stream that reads ahead.
//!
//! russh reads a packet's length by itself and the rest after it, and looks for a third time whether there is more: three
//! system calls for a short message. Here one does for all. What is read ahead is kept only until russh takes it, so that
//! an idle session keeps nothing.

use std::{
    cell::Cell,
    io,
    pin::Pin,
    task::{Context, Poll, ready},
};

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

/// Reads ahead; what is written goes through.
pub(crate) struct Ahead<S> {
    stream: S,
    /// What has been read and not been taken yet.
    waiting: Vec<u8>,
    /// How much of that has been taken.
    taken: usize,
}

impl<S> Ahead<S> {
    pub(crate) fn new(stream: S) -> Self {
        Self { stream, waiting: Vec::new(), taken: 0 }
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for Ahead<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        into: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        if let Some(rest) = self.waiting.get(self.taken..).filter(|rest| !rest.is_empty()) {
            let count = rest.len().min(into.remaining());
            into.put_slice(rest.get(..count).unwrap_or(rest));
            self.taken += count;
            if self.taken == self.waiting.len() {
                (self.waiting, self.taken) = (Vec::new(), 0);
            }
            return Poll::Ready(Ok(()));
        }
        if into.remaining() >= AT_ONCE {
            return Pin::new(&mut self.stream).poll_read(context, into);
        }
        // Taken away for as long as it is filled: a stream that reads from another of these finds none, and makes one.
        let mut scratch = SCRATCH.take();
        scratch.resize(AT_ONCE, 0);
        let read = self.poll_read_through(context, &mut scratch, into);
        SCRATCH.set(scratch);
        read
    }
}

impl<S: AsyncRead + Unpin> Ahead<S> {
    fn poll_read_through(
        &mut self,
        context: &mut Context<'_>,
        scratch: &mut [u8],
        into: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let mut room = ReadBuf::new(scratch);
        ready!(Pin::new(&mut self.stream).poll_read(context, &mut room))?;
        let arrived = room.filled();
        let (now, later) = arrived.split_at_checked(into.remaining()).unwrap_or((arrived, &[]));
        into.put_slice(now);
        self.waiting = later.to_vec();
        Poll::Ready(Ok(()))
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for Ahead<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        octets: &[u8],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write(context, octets)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}

thread_local! {
    /// Where all streams of a thread read to.
    static SCRATCH: Cell<Vec<u8>> = const { Cell::new(Vec::new()) };
}

/// Octets: some short messages, or a handshake's longest flight.
const AT_ONCE: usize = 4096;

#[cfg(test)]
mod tests;
