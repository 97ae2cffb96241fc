//! A stream that gathers what is written in one go, so that it leaves in one packet, and reads ahead what has come in one.
//!
//! russh writes each of its messages by itself, also those that answer one packet, and those of which its user knows the
//! next one only after a turn of the scheduler. What is written here waits until the same task finds nothing to read and
//! everyone else has had a turn; never for the peer and never for a clock. And russh reads each packet in two parts, of which the
//! second is at hand as a rule.

use std::{
    io,
    pin::{Pin, pin},
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering::Relaxed},
    },
    task::{Context, Poll, Wake, Waker, ready},
};

use tokio::{
    io::{AsyncRead, AsyncWrite, ReadBuf},
    task::yield_now,
};

/// Its reader and its writer must be polled by one task, which after writing reads.
pub(crate) struct CoalescingStream<S: AsyncWrite + Unpin> {
    stream: S,
    /// What was read ahead; no memory where that is nothing.
    read_ahead: Vec<u8>,
    /// How much of it has been taken.
    read_ahead_used: usize,
    pending: Vec<u8>,
    /// How much of that has left.
    sent: usize,
    /// The others' turn, since something waits.
    turn: Option<Arc<SchedulerTurn>>,
    /// Whether this task has looked at everything after that.
    has_read_since_turn: bool,
    /// How often that may still be waited for: a session that is set up answers from its own task.
    turns_left: u8,
    enabled: bool,
    /// Has the stream keep what is written from now on until its end is written too.
    on_final_write: fn(&S),
}

impl<S: AsyncWrite + Unpin> CoalescingStream<S> {
    /// Not `enabled`, it hands everything on as it comes.
    pub(crate) fn new(stream: S, enabled: bool) -> Self {
        Self {
            stream,
            read_ahead: Vec::new(),
            read_ahead_used: 0,
            pending: Vec::new(),
            sent: 0,
            turn: None,
            has_read_since_turn: false,
            turns_left: MAX_TURNS,
            enabled,
            on_final_write: |_| {},
        }
    }

    /// `on_final_write` has a stream send its last octets and its end together.
    pub(crate) fn with_final_write_hook(mut self, join_end: fn(&S)) -> Self {
        self.on_final_write = join_end;
        self
    }

    /// Whether everyone else who was ready has had a turn since something waits, and this task has taken in what they had for
    /// it. Begins it, and has the task woken after it.
    fn turn_is_over(&mut self, context: &mut Context<'_>) -> bool {
        match &self.turn {
            Some(turn) if turn.is_over.load(Relaxed) => {
                let took_in = std::mem::replace(&mut self.has_read_since_turn, true);
                if !took_in {
                    context.waker().wake_by_ref();
                }
                return took_in;
            }
            // Woken for something else, the task is asked again.
            Some(turn) if turn.task.will_wake(context.waker()) => return false,
            None if self.turns_left == 0 => return true,
            None => self.turns_left -= 1,
            Some(_) => {}
        }
        let turn = Arc::new(SchedulerTurn { is_over: AtomicBool::new(false), task: context.waker().clone() });
        self.turn = Some(Arc::clone(&turn));
        // Polled once, it wakes us after all others that are ready; they may be in the task that blocks.
        let _ = pin!(yield_now()).poll(&mut Context::from_waker(&turn.into()));
        false
    }
}

/// A turn of everyone else's.
struct SchedulerTurn {
    is_over: AtomicBool,
    task: Waker,
}

impl Wake for SchedulerTurn {
    fn wake(self: Arc<Self>) {
        self.is_over.store(true, Relaxed);
        self.task.wake_by_ref();
    }
}

impl<S: AsyncWrite + Unpin> CoalescingStream<S> {
    fn poll_drain(&mut self, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        while let Some(rest) = self.pending.get(self.sent..).filter(|rest| !rest.is_empty()) {
            let count = ready!(Pin::new(&mut self.stream).poll_write(context, rest))?;
            if count == 0 {
                return Poll::Ready(Err(io::ErrorKind::WriteZero.into()));
            }
            self.sent += count;
        }
        self.pending.clear();
        // Idle sessions are many, and long messages few.
        self.pending.shrink_to(IDLE_CAPACITY);
        self.sent = 0;
        self.turn = None;
        self.has_read_since_turn = false;
        Pin::new(&mut self.stream).poll_flush(context)
    }
}

impl<S: AsyncRead + AsyncWrite + Unpin> CoalescingStream<S> {
    fn poll_read_ahead(
        &mut self,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        if let Some(rest) = self.read_ahead.get(self.read_ahead_used..).filter(|rest| !rest.is_empty()) {
            let first = rest.get(..buffer.remaining()).unwrap_or(rest);
            buffer.put_slice(first);
            self.read_ahead_used += first.len();
            if self.read_ahead_used == self.read_ahead.len() {
                self.read_ahead = Vec::new();
                self.read_ahead_used = 0;
            }
            return Poll::Ready(Ok(()));
        }
        if buffer.remaining() >= READ_AHEAD {
            return Pin::new(&mut self.stream).poll_read(context, buffer);
        }
        let mut ahead = [0; READ_AHEAD];
        let mut read = ReadBuf::new(&mut ahead);
        ready!(Pin::new(&mut self.stream).poll_read(context, &mut read))?;
        let (first, rest_of_read) = read.filled().split_at(buffer.remaining().min(read.filled().len()));
        buffer.put_slice(first);
        self.read_ahead.extend_from_slice(rest_of_read);
        Poll::Ready(Ok(()))
    }
}

impl<S: AsyncRead + AsyncWrite + Unpin> AsyncRead for CoalescingStream<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let read = self.poll_read_ahead(context, buffer);
        if read.is_pending()
            && !self.pending.is_empty()
            && self.turn_is_over(context)
            && let Poll::Ready(Err(error)) = self.poll_drain(context)
        {
            return Poll::Ready(Err(error));
        }
        read
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for CoalescingStream<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        octets: &[u8],
    ) -> Poll<io::Result<usize>> {
        if !self.enabled {
            return Pin::new(&mut self.stream).poll_write(context, octets);
        }
        if self.pending.len() >= MAX_PENDING {
            ready!(self.poll_drain(context))?;
        }
        let room = MAX_PENDING.saturating_sub(self.pending.len());
        let accepted = octets.get(..room).unwrap_or(octets);
        self.pending.extend_from_slice(accepted);
        Poll::Ready(Ok(accepted.len()))
    }

    /// Says yes to a flush of what waits: it leaves with the next read.
    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        if self.enabled { Poll::Ready(Ok(())) } else { Pin::new(&mut self.stream).poll_flush(context) }
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        if !self.pending.is_empty() {
            (self.on_final_write)(&self.stream);
        }
        ready!(self.poll_drain(context))?;
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}

impl<S: AsyncWrite + Unpin> Drop for CoalescingStream<S> {
    /// What the other end needs to know why a connection fails leaves too, as far as the socket takes it.
    fn drop(&mut self) {
        let _ = self.poll_drain(&mut Context::from_waker(Waker::noop()));
    }
}

/// Octets: two of russh's longest packets.
const MAX_PENDING: usize = 64 << 10;

/// Octets read ahead: several short packets.
const READ_AHEAD: usize = 2048;

/// More than a session has flights until it is set up.
const MAX_TURNS: u8 = 20;

/// Octets of room that stay with an idle session.
const IDLE_CAPACITY: usize = 256;

#[cfg(test)]
mod tests;
