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
pub(crate) struct Corked<S: AsyncWrite + Unpin> {
    stream: S,
    /// What was read ahead; no memory where that is nothing.
    ahead: Vec<u8>,
    /// How much of it has been taken.
    taken: usize,
    waiting: Vec<u8>,
    /// How much of that has left.
    sent: usize,
    /// The others' turn, since something waits.
    turn: Option<Arc<Turn>>,
    /// Whether this task has looked at everything after that.
    took_in: bool,
    /// How often that may still be waited for: a session that is set up answers from its own task.
    turns: u8,
    enabled: bool,
    /// Has the stream keep what is written from now on until its end is written too.
    join_end: fn(&S),
}

impl<S: AsyncWrite + Unpin> Corked<S> {
    /// Not `enabled`, it hands everything on as it comes.
    pub(crate) fn new(stream: S, enabled: bool) -> Self {
        Self {
            stream,
            ahead: Vec::new(),
            taken: 0,
            waiting: Vec::new(),
            sent: 0,
            turn: None,
            took_in: false,
            turns: TURNS,
            enabled,
            join_end: |_| {},
        }
    }

    /// `join_end` has a stream send its last octets and its end together.
    pub(crate) fn ending_with(mut self, join_end: fn(&S)) -> Self {
        self.join_end = join_end;
        self
    }

    /// Whether everyone else who was ready has had a turn since something waits, and this task has taken in what they had for
    /// it. Begins it, and has the task woken after it.
    fn others_had_their_turn(&mut self, context: &mut Context<'_>) -> bool {
        match &self.turn {
            Some(turn) if turn.is_over.load(Relaxed) => {
                let took_in = std::mem::replace(&mut self.took_in, true);
                if !took_in {
                    context.waker().wake_by_ref();
                }
                return took_in;
            }
            // Woken for something else, the task is asked again.
            Some(turn) if turn.task.will_wake(context.waker()) => return false,
            None if self.turns == 0 => return true,
            None => self.turns -= 1,
            Some(_) => {}
        }
        let turn = Arc::new(Turn { is_over: AtomicBool::new(false), task: context.waker().clone() });
        self.turn = Some(Arc::clone(&turn));
        // Polled once, it wakes us after all others that are ready; they may be in the task that blocks.
        let _ = pin!(yield_now()).poll(&mut Context::from_waker(&turn.into()));
        false
    }
}

/// A turn of everyone else's.
struct Turn {
    is_over: AtomicBool,
    task: Waker,
}

impl Wake for Turn {
    fn wake(self: Arc<Self>) {
        self.is_over.store(true, Relaxed);
        self.task.wake_by_ref();
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
        self.turn = None;
        self.took_in = false;
        Pin::new(&mut self.stream).poll_flush(context)
    }
}

impl<S: AsyncRead + AsyncWrite + Unpin> Corked<S> {
    fn poll_read_ahead(&mut self, context: &mut Context<'_>, into: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        if let Some(rest) = self.ahead.get(self.taken..).filter(|rest| !rest.is_empty()) {
            let now = rest.get(..into.remaining()).unwrap_or(rest);
            into.put_slice(now);
            self.taken += now.len();
            if self.taken == self.ahead.len() {
                self.ahead = Vec::new();
                self.taken = 0;
            }
            return Poll::Ready(Ok(()));
        }
        if into.remaining() >= AHEAD {
            return Pin::new(&mut self.stream).poll_read(context, into);
        }
        let mut room = [0; AHEAD];
        let mut read = ReadBuf::new(&mut room);
        ready!(Pin::new(&mut self.stream).poll_read(context, &mut read))?;
        let (now, later) = read.filled().split_at(into.remaining().min(read.filled().len()));
        into.put_slice(now);
        self.ahead.extend_from_slice(later);
        Poll::Ready(Ok(()))
    }
}

impl<S: AsyncRead + AsyncWrite + Unpin> AsyncRead for Corked<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        into: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let read = self.poll_read_ahead(context, into);
        if read.is_pending()
            && !self.waiting.is_empty()
            && self.others_had_their_turn(context)
            && let Poll::Ready(Err(error)) = self.poll_drain(context)
        {
            return Poll::Ready(Err(error));
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
        if !self.waiting.is_empty() {
            (self.join_end)(&self.stream);
        }
        ready!(self.poll_drain(context))?;
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}

impl<S: AsyncWrite + Unpin> Drop for Corked<S> {
    /// What the other end needs to know why a connection fails leaves too, as far as the socket takes it.
    fn drop(&mut self) {
        let _ = self.poll_drain(&mut Context::from_waker(Waker::noop()));
    }
}

/// Octets: two of russh's longest packets.
const MAX_WAITING: usize = 64 << 10;

/// Octets read ahead: several short packets.
const AHEAD: usize = 2048;

/// More than a session has flights until it is set up.
const TURNS: u8 = 20;

/// Octets of room that stay with an idle session.
const KEPT: usize = 256;

#[cfg(test)]
mod tests;
