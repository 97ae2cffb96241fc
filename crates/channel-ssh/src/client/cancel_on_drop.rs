//! A stream that ends when its owner cancels it.
//!
//! russh's task owns the connection, and handles nothing else during a key exchange. To cancel the
//! connection, a caller drops its [`CancelOnDrop`]; the task then reads the end of the stream.

use std::{
    io,
    pin::Pin,
    task::{Context, Poll},
};

use tokio::{
    io::{AsyncRead, AsyncWrite, ReadBuf},
    sync::oneshot,
};

/// The stream given to russh.
pub(crate) struct CancellableStream<S> {
    stream: S,
    owner: oneshot::Receiver<()>,
}

/// Cancels the stream on drop.
pub(crate) struct CancelOnDrop {
    _sender: oneshot::Sender<()>,
}

pub(crate) fn cancellable<S>(stream: S) -> (CancellableStream<S>, CancelOnDrop) {
    let (sender, owner) = oneshot::channel();
    (CancellableStream { stream, owner }, CancelOnDrop { _sender: sender })
}

impl<S: AsyncRead + Unpin> AsyncRead for CancellableStream<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        if Pin::new(&mut self.owner).poll(context).is_ready() {
            return Poll::Ready(Ok(()));
        }
        Pin::new(&mut self.stream).poll_read(context, buffer)
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for CancellableStream<S> {
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
