//! The octets that a session has written to a channel and russh has not received.

use std::{
    io, mem,
    pin::Pin,
    task::{Context, Poll},
};

use tokio::io::AsyncWrite;

use super::{IDLE_CAPACITY, grown_capacity};

/// Octets for the peer.
#[derive(Debug, Default)]
pub(super) struct Output {
    /// The octets that russh has not received.
    pub(super) octets: Vec<u8>,
    /// The number of octets that the peer accepts, if it is known, without those in flight.
    window: Option<u32>,
    /// True if the window is never regarded as known.
    always_queues: bool,
    /// The number of parts and markers that russh has received and perhaps not handled.
    in_flight: usize,
    /// The number of octets of these parts.
    octets_in_flight: u32,
    /// True if russh's writer has not accepted the first octets.
    is_queuing: bool,
    /// True while the connection waits for an answer, which it will send.
    pub(super) is_answer_turn: bool,
    /// True if `octets` have to wait for the peer or the socket.
    pub(super) is_blocked: bool,
    /// True if blocked octets have been sent.
    pub(super) has_progress: bool,
    /// True if the session waits until octets are sent.
    pub(super) is_awaited: bool,
}

impl Output {
    /// Creates the output to a peer that accepts packets of this size.
    pub(super) fn new(packet_size: usize) -> Self {
        Self { always_queues: packet_size < MIN_PACKET, ..Self::default() }
    }

    pub(super) fn try_write(&mut self, octets: &[u8]) -> io::Result<usize> {
        let accepted = octets.get(..MAX_OUTPUT - self.octets.len()).unwrap_or(octets);
        if self.is_blocked || accepted.is_empty() {
            return Err(io::ErrorKind::WouldBlock.into());
        }
        let len = self.octets.len() + accepted.len();
        if len > self.octets.capacity() {
            let capacity = grown_capacity(self.octets.capacity(), len, MAX_OUTPUT);
            self.octets.reserve_exact(capacity - self.octets.len());
        }
        self.octets.extend_from_slice(accepted);
        Ok(accepted.len())
    }

    pub(super) fn set_window(&mut self, octets: u32) {
        if self.window.is_some() {
            // russh subtracts the octets in flight when it sends them.
            self.window = Some(octets.saturating_sub(self.octets_in_flight));
        } else if self.in_flight == 0 && !self.is_queuing && !self.always_queues {
            self.window = Some(octets);
        }
    }

    /// Returns true if the next octets can be passed to russh at once.
    pub(super) fn can_bypass_queue(&self) -> bool {
        self.window.is_some() && self.in_flight == 0
    }

    /// Returns the octets that can be passed to russh at once.
    pub(super) fn take_answer(&mut self) -> Option<Vec<u8>> {
        if self.can_bypass_queue() { self.take_part() } else { None }
    }

    /// Returns the next octets for which the window has room, and counts them as in flight.
    fn take_part(&mut self) -> Option<Vec<u8>> {
        let window = self.window?;
        let len = self.octets.len().min(window as usize).min(MAX_PART);
        if len == 0 {
            self.is_blocked = !self.octets.is_empty();
            return None;
        }
        let rest = self.octets.split_off(len);
        let count = len as u32;
        self.window = Some(window - count);
        self.octets_in_flight += count;
        self.in_flight += 1;
        self.record_sent(rest.is_empty());
        Some(mem::replace(&mut self.octets, rest))
    }

    /// Returns the octets or the marker that must be put into the queue.
    pub(super) fn next_for_queue(
        &mut self,
        writer: Pin<&mut (dyn AsyncWrite + Send)>,
        context: &mut Context<'_>,
    ) -> Option<Vec<u8>> {
        if self.is_answer_turn {
            return None;
        }
        if self.window.is_some() {
            return self.take_part();
        }
        self.write_to_queue(writer, context).then(|| {
            self.in_flight += 1;
            Vec::new()
        })
    }

    /// Passes octets to russh's writer. Returns true if it has accepted some.
    fn write_to_queue(
        &mut self,
        mut writer: Pin<&mut (dyn AsyncWrite + Send)>,
        context: &mut Context<'_>,
    ) -> bool {
        let mut written = 0;
        while let Some(rest @ [_, ..]) = self.octets.get(written..) {
            let poll = writer.as_mut().poll_write(context, rest.get(..MAX_PART).unwrap_or(rest));
            self.is_queuing = poll.is_pending();
            match poll {
                Poll::Ready(Ok(count)) => written += count,
                // The connection has ended.
                Poll::Ready(Err(_)) => written = self.octets.len(),
                Poll::Pending => break,
            }
        }
        self.octets.drain(..written);
        if self.octets.is_empty() {
            reset(&mut self.octets);
        }
        self.is_blocked = !self.octets.is_empty();
        if written > 0 {
            self.record_sent(self.octets.is_empty());
        }
        written > 0
    }

    fn record_sent(&mut self, is_all: bool) {
        self.has_progress = !is_all;
        self.is_blocked = !is_all;
    }

    /// Records that russh has handled a part or a marker. `buffer` is its memory.
    pub(super) fn end_flight(&mut self, mut buffer: Vec<u8>) {
        self.in_flight -= 1;
        self.octets_in_flight -= buffer.len() as u32;
        if self.octets.capacity() == 0 && buffer.capacity() <= IDLE_CAPACITY {
            buffer.clear();
            self.octets = buffer;
        }
    }

    pub(super) fn discard(&mut self) {
        self.octets = Vec::new();
        self.is_blocked = false;
        self.is_queuing = false;
    }
}

/// Empties a buffer. Most sessions are idle, so a buffer keeps memory only for a short message.
fn reset(octets: &mut Vec<u8>) {
    if octets.capacity() > IDLE_CAPACITY {
        *octets = Vec::new();
    }
    octets.clear();
}

/// Maximum number of octets that wait to be sent.
pub(super) const MAX_OUTPUT: usize = 64 * 1024;
/// Maximum number of octets that are passed to russh at once, because it copies them: the packet
/// size that all peers accept (RFC 4253 §6.1).
pub(super) const MAX_PART: usize = 32 * 1024;
/// Minimum packet size in octets of a peer to which answers are sent at once.
pub(super) const MIN_PACKET: usize = 256;
