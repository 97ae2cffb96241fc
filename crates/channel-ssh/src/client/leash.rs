//! A stream that ends when its owner lets go.
//!
//! russh's task owns the connection, and during a key exchange looks at nothing else. Whoever gives up waiting drops
//! the other end of the leash, and the task finds the stream at its end.

use std::{
    io,
    pin::Pin,
    task::{Context, Poll},
};

use tokio::{
    io::{AsyncRead, AsyncWrite, ReadBuf},
    sync::oneshot,
};

/// The stream of russh's.
pub(crate) struct Leashed<S> {
    stream: S,
    owner: oneshot::Receiver<()>,
}

/// What the owner holds.
pub(crate) struct Leash {
    _held: oneshot::Sender<()>,
}

pub(crate) fn leashed<S>(stream: S) -> (Leashed<S>, Leash) {
    let (held, owner) = oneshot::channel();
    (Leashed { stream, owner }, Leash { _held: held })
}

impl<S: AsyncRead + Unpin> AsyncRead for Leashed<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        into: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        if Pin::new(&mut self.owner).poll(context).is_ready() {
            return Poll::Ready(Ok(()));
        }
        Pin::new(&mut self.stream).poll_read(context, into)
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for Leashed<S> {
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
