//! Limits the memory and the work that a peer can cause before it logs in.
//!
//! russh allocates memory for a packet as soon as its length is known, up to a quarter of a
//! megabyte, and then reads it in one piece. The size of the read buffer therefore shows how long a
//! packet is, encrypted or not. Before login, a packet may be no longer than every implementation
//! must accept (RFC 4253 §6.1). The total number of octets before login is limited too: it allows a
//! login with several keys, but no endless series of key exchanges or other messages.

use std::{
    io,
    pin::Pin,
    sync::Arc,
    task::{Context, Poll},
};

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

use super::socket_stats::SocketStats;

/// A stream that fails if an unauthenticated peer sends a packet that is too long.
pub(super) struct PreAuthLimit<S> {
    stream: S,
    stats: Arc<SocketStats>,
}

impl<S> PreAuthLimit<S> {
    pub(super) fn new(stream: S, stats: Arc<SocketStats>) -> Self {
        Self { stream, stats }
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for PreAuthLimit<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        if !self.stats.is_logged_in() {
            let failed = |cause| Poll::Ready(Err(io::Error::new(io::ErrorKind::InvalidData, cause)));
            if buffer.capacity() > MAX_PRE_AUTH_PACKET {
                return failed("packet of more than 35000 octets before login");
            }
            if self.stats.octets_read() > MAX_PRE_AUTH_OCTETS {
                return failed("more than 65536 octets before login");
            }
        }
        Pin::new(&mut self.stream).poll_read(context, buffer)
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for PreAuthLimit<S> {
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

/// Maximum length of a packet before login, in octets.
const MAX_PRE_AUTH_PACKET: usize = 35_000;
/// Maximum number of octets received before login.
const MAX_PRE_AUTH_OCTETS: u64 = 64 * 1024;
