//! A stream that gathers what is written in one go, so that it leaves in one packet.
//!
//! russh writes each of its messages by itself, also those that answer one packet, and those of which its user knows the
//! next one only after a turn of the scheduler. What is written here waits until the same task finds nothing to read and
//! everyone else has had a turn; never for the peer and never for a clock.

use std::{
    io,
    pin::{Pin, pin},
    task::{Context, Poll, ready},
};

use tokio::{
    io::{AsyncRead, AsyncWrite, ReadBuf},
    task::yield_now,
};

/// Its reader and its writer must be polled by one task, which after writing reads.
pub(crate) struct Corked<S> {
    stream: S,
    waiting: Vec<u8>,
    /// How much of that has left.
    sent: usize,
    /// Whether the others have had their turn since something waits.
    yielded: bool,
    /// How often that may still be waited for: a session that is set up answers from its own task.
    turns: u8,
    enabled: bool,
}

impl<S> Corked<S> {
    /// Not `enabled`, it hands everything on as it comes.
    pub(crate) fn new(stream: S, enabled: bool) -> Self {
        Self { stream, waiting: Vec::new(), sent: 0, yielded: false, turns: TURNS, enabled }
    }
}

impl<S: AsyncWrite + Unpin> Corked<S> {
    fn poll_drain(&mut self, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        while let Some(rest) = self.waiting.get(self.sent..).filter(|rest| !rest.is_empty()) {
            let count = ready!(Pin::new(&mut self.stream).poll_write(context, rest))?;
            if count == 0 {
                return Poll::Ready(Err(io::ErrorKind::WriteZero.into()));
            }
            self.sent += count;
        }
        self.waiting.clear();
        // Idle sessions are many, and long messages few.
        self.waiting.shrink_to(KEPT);
        self.sent = 0;
        self.yielded = false;
        Pin::new(&mut self.stream).poll_flush(context)
    }
}

impl<S: AsyncRead + AsyncWrite + Unpin> AsyncRead for Corked<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        into: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let read = Pin::new(&mut self.stream).poll_read(context, into);
        if read.is_pending() && !self.waiting.is_empty() {
            if self.yielded || self.turns == 0 {
                if let Poll::Ready(Err(error)) = self.poll_drain(context) {
                    return Poll::Ready(Err(error));
                }
            } else {
                self.yielded = true;
                self.turns -= 1;
                // Polled once, it wakes us after all others that are ready; they may be in the task that blocks.
                let _ = pin!(yield_now()).poll(context);
            }
        }
        read
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for Corked<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        octets: &[u8],
    ) -> Poll<io::Result<usize>> {
        if !self.enabled {
            return Pin::new(&mut self.stream).poll_write(context, octets);
        }
        if self.waiting.len() >= MAX_WAITING {
            ready!(self.poll_drain(context))?;
        }
        let room = MAX_WAITING.saturating_sub(self.waiting.len());
        let taken = octets.get(..room).unwrap_or(octets);
        self.waiting.extend_from_slice(taken);
        Poll::Ready(Ok(taken.len()))
    }

    /// Says yes to a flush of what waits: it leaves with the next read.
    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        if self.enabled { Poll::Ready(Ok(())) } else { Pin::new(&mut self.stream).poll_flush(context) }
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        ready!(self.poll_drain(context))?;
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}

/// Octets: two of russh's longest packets.
const MAX_WAITING: usize = 64 << 10;

/// More than a session has flights until it is set up.
const TURNS: u8 = 20;

/// Octets of room that stay with an idle session.
const KEPT: usize = 256;

#[cfg(test)]
mod tests;
