//! The octets of a channel on their way between russh and the session that uses the channel.
//!
//! ```text
//! handler ──▶ input, bounded by our window ──────────────▶ session
//! russh ◀── at once, as an answer ◀───────────────── output ◀─┤
//!       ◀── russh's queue ◀───────────────────────────────────┤
//!       ◀── russh's queue ◀── russh's writer, until the ◀─────┘
//!                             window is known
//! ```
//! russh accepts any number of octets, and keeps those for which the peer's window has no room;
//! late answers on other channels then wait, too. So it receives octets only within the window. It
//! reports the window only when the peer extends it. Until then, its writer is used for all output,
//! because that knows the window. A marker follows the octets in the queue, an empty part: when
//! russh drops it, the octets are sent. Once the window is known, the writer is not used any more:
//! it does not learn of octets that are sent in another way.

mod input;
mod output;

use std::{
    collections::VecDeque,
    io, mem,
    ops::{Deref, DerefMut},
    pin::Pin,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, Ordering::Relaxed},
    },
    task::{Context, Poll, Waker},
};

use bytes::Bytes;
use tokio::io::AsyncWrite;

pub(in crate::server) use self::input::InputOverflow;
use self::{
    input::{CONGESTION_THRESHOLD, Input},
    output::Output,
};
use super::Direction;

/// The buffers of a channel, which the handler of the connection and the session share.
#[derive(Debug, Default)]
pub(in crate::server) struct ChannelBuffers {
    state: Mutex<State>,
    /// Copies of values of the state, because they are read several times for each message.
    has_output: AtomicBool,
    is_output_blocked: AtomicBool,
}

/// The locked state.
struct StateGuard<'a> {
    state: MutexGuard<'a, State>,
    buffers: &'a ChannelBuffers,
}

#[derive(Debug, Default)]
struct State {
    input: Input,
    output: Output,
    /// True if the channel or the connection is closed, or if the session has dropped the channel.
    is_closed: bool,
    is_dropped: bool,
    /// The waiting session.
    session: Option<Waker>,
    /// The connection, while it waits until the session has read.
    connection: Option<Waker>,
}

impl ChannelBuffers {
    /// Creates the buffers of a channel whose peer accepts packets of this size. If they are very
    /// short, all output goes through russh's queue, because a long answer would be thousands of
    /// packets.
    pub(in crate::server) fn new(packet_size: usize) -> Self {
        let state = State { output: Output::new(packet_size), ..State::default() };
        Self { state: Mutex::new(state), ..Self::default() }
    }

    /// Adds received octets. Returns false if there are none, or if nothing reads them any more. If
    /// `awaits_answer` is true, the connection waits for the answer, and will send it if possible.
    ///
    /// # Errors
    /// Returns an error if the peer exceeds its window by far; russh does not check it.
    pub(in crate::server) fn push(&self, octets: &[u8], awaits_answer: bool) -> Result<bool, InputOverflow> {
        let mut state = self.state();
        if state.is_closed || octets.is_empty() {
            return Ok(false);
        }
        state.input.push(octets)?;
        state.output.is_answer_turn = awaits_answer && state.output.can_bypass_queue();
        state.wake();
        Ok(true)
    }

    /// Records that the peer will send nothing more.
    pub(in crate::server) fn set_eof(&self) {
        let mut state = self.state();
        state.input.is_eof = true;
        state.wake();
    }

    /// Records that the channel or the connection is closed, and discards the output.
    pub(in crate::server) fn close(&self) {
        let mut state = self.state();
        state.is_closed = true;
        state.output.discard();
        state.wake();
        state.wake_connection();
    }

    /// Records that the session has dropped the channel, and discards all octets.
    pub(super) fn set_dropped(&self) {
        let mut state = self.state();
        (state.is_closed, state.is_dropped) = (true, true);
        state.input.octets = VecDeque::new();
        state.output.discard();
        state.wake_connection();
    }

    /// Returns true if the session has dropped the channel.
    pub(in crate::server) fn is_dropped(&self) -> bool {
        self.state().is_dropped
    }

    /// Returns true if so many octets are unread that the peer should send no more.
    pub(in crate::server) fn is_input_congested(&self) -> bool {
        self.state().is_input_congested()
    }

    /// Waits until the session has read so much that the peer may send more.
    pub(in crate::server) fn poll_uncongested(&self, context: &Context<'_>) -> Poll<()> {
        let mut state = self.state();
        if !state.is_input_congested() {
            return Poll::Ready(());
        }
        state.connection = Some(context.waker().clone());
        Poll::Pending
    }

    /// Reads available octets; 0 means that the peer will send nothing more. Returns
    /// `UnexpectedEof` if the channel is closed, and `WouldBlock` if there are no octets.
    pub(in crate::server) fn try_read(&self, into: &mut [u8]) -> io::Result<usize> {
        let mut state = self.state();
        if !state.input.octets.is_empty() {
            let count = state.input.read(into);
            if !state.is_input_congested() {
                state.wake_connection();
            }
            return count;
        }
        match (state.is_closed, state.input.is_eof) {
            (true, _) => Err(io::ErrorKind::UnexpectedEof.into()),
            (false, true) => Ok(0),
            (false, false) => Err(io::ErrorKind::WouldBlock.into()),
        }
    }

    /// Accepts as many of the first octets as there is room for; all, if the channel is closed,
    /// which are then discarded. Returns `WouldBlock` if the output is blocked.
    pub(super) fn try_write(&self, octets: &[u8]) -> io::Result<usize> {
        let mut state = self.state();
        if state.is_closed { Ok(octets.len()) } else { state.output.try_write(octets) }
    }

    /// Waits until the channel is ready. A channel whose output is blocked is ready to be read, so
    /// that the session learns it.
    pub(in crate::server) fn poll_ready(&self, direction: Direction, context: &Context<'_>) -> Poll<()> {
        let mut state = self.state();
        if state.is_ready(direction) {
            return Poll::Ready(());
        }
        state.output.is_awaited = direction == Direction::Write;
        match &mut state.session {
            Some(waker) => waker.clone_from(context.waker()),
            none => *none = Some(context.waker().clone()),
        }
        Poll::Pending
    }

    /// Returns true if written octets have to wait for the peer or the socket.
    pub(super) fn is_output_blocked(&self) -> bool {
        self.is_output_blocked.load(Relaxed)
    }

    /// Returns true if russh has not received all written octets.
    pub(super) fn has_output(&self) -> bool {
        self.has_output.load(Relaxed)
    }

    /// Returns true if blocked octets have been sent since the last call.
    pub(super) fn take_progress(&self) -> bool {
        mem::take(&mut self.state().output.has_progress)
    }

    /// Records the size of the peer's window after the peer has extended it.
    pub(in crate::server) fn set_window(&self, octets: u32) {
        self.state().output.set_window(octets);
    }

    /// Ends the answer turn, and passes octets to russh by `send`, as far as the peer accepts them.
    pub(in crate::server) fn send_output<E>(
        self: &Arc<Self>,
        mut send: impl FnMut(Bytes) -> Result<(), E>,
    ) -> Result<(), E> {
        loop {
            let mut state = self.state();
            let was_answer_turn = mem::take(&mut state.output.is_answer_turn);
            let Some(part) = state.output.take_answer() else {
                if was_answer_turn && !state.output.octets.is_empty() {
                    // The session passes the octets to the queue.
                    state.output.is_blocked = true;
                    state.wake();
                }
                return Ok(());
            };
            let is_last = state.output.octets.is_empty();
            state.output.is_answer_turn = !is_last;
            drop(state);
            send(self.in_flight(part))?;
            if is_last {
                return Ok(());
            }
        }
    }

    /// Returns what the session must put into russh's queue next: octets or, if `writer` has put
    /// octets there, a marker. `None` if there is nothing that can be sent, or if the connection
    /// will send it.
    pub(super) fn next_for_queue(
        self: &Arc<Self>,
        writer: Pin<&mut (dyn AsyncWrite + Send)>,
        context: &mut Context<'_>,
    ) -> Option<Bytes> {
        if !self.has_output() {
            return None;
        }
        let mut state = self.state();
        let part = state.output.next_for_queue(writer, context);
        drop(state);
        part.map(|octets| self.in_flight(octets))
    }

    fn in_flight(self: &Arc<Self>, octets: Vec<u8>) -> Bytes {
        Bytes::from_owner(PartInFlight { octets, buffers: Arc::clone(self) })
    }

    fn state(&self) -> StateGuard<'_> {
        StateGuard { state: self.state.lock().unwrap_or_else(PoisonError::into_inner), buffers: self }
    }
}

impl Deref for StateGuard<'_> {
    type Target = State;

    fn deref(&self) -> &State {
        &self.state
    }
}

impl DerefMut for StateGuard<'_> {
    fn deref_mut(&mut self) -> &mut State {
        &mut self.state
    }
}

impl Drop for StateGuard<'_> {
    fn drop(&mut self) {
        let output = &self.state.output;
        self.buffers.has_output.store(!output.octets.is_empty(), Relaxed);
        self.buffers.is_output_blocked.store(output.is_blocked, Relaxed);
    }
}

impl State {
    fn is_ready(&self, direction: Direction) -> bool {
        self.is_closed
            || match direction {
                Direction::Read => {
                    !self.input.octets.is_empty() || self.input.is_eof || self.output.is_blocked
                }
                Direction::Write => self.output.octets.is_empty() || self.output.has_progress,
            }
    }

    fn is_input_congested(&self) -> bool {
        !self.is_closed && self.input.octets.len() > CONGESTION_THRESHOLD
    }

    fn wake_connection(&mut self) {
        if let Some(connection) = mem::take(&mut self.connection) {
            connection.wake();
        }
    }

    fn wake(&mut self) {
        self.output.is_awaited = false;
        if let Some(session) = mem::take(&mut self.session) {
            session.wake();
        }
    }
}

/// A part of the output, or a marker in russh's queue. russh drops it when it has handled it.
struct PartInFlight {
    octets: Vec<u8>,
    buffers: Arc<ChannelBuffers>,
}

impl AsRef<[u8]> for PartInFlight {
    fn as_ref(&self) -> &[u8] {
        &self.octets
    }
}

impl Drop for PartInFlight {
    fn drop(&mut self) {
        let mut state = self.buffers.state();
        state.output.end_flight(mem::take(&mut self.octets));
        if state.output.is_awaited || state.output.is_blocked {
            state.wake();
        }
    }
}

/// Returns the new capacity of a buffer for `len` octets: at least twice the old one, so that
/// octets are rarely moved, but not more than the maximum length.
fn grown_capacity(capacity: usize, len: usize, max_len: usize) -> usize {
    len.max(2 * capacity).min(max_len)
}

/// Capacity in octets that an empty buffer keeps.
const IDLE_CAPACITY: usize = 128;

#[cfg(test)]
mod tests;
