//! A stream wrapper that combines small writes into one packet and reads ahead.
//!
//! russh writes each SSH message separately, even when several answer the same packet or when the
//! next message follows one scheduler turn later. This stream holds written octets until the same
//! task finds nothing to read and all other ready tasks have had a turn. It never waits for the
//! peer or for a timer. russh also reads each packet in two parts; reading ahead usually provides
//! the second part without another system call.

use std::{
    io,
    mem::MaybeUninit,
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

/// A stream that combines small writes, and that reads ahead. The same task must read from it and
/// write to it, and must read after it has written.
pub(crate) struct CoalescingStream<S: AsyncWrite + Unpin> {
    stream: S,
    /// Octets that were read ahead.
    read_ahead: Vec<u8>,
    /// Number of octets of `read_ahead` already returned.
    read_ahead_used: usize,
    /// Number of reads since this stream last had the task wait.
    reads: u8,
    pending: Vec<u8>,
    /// Number of octets of `pending` already sent.
    sent: usize,
    /// The scheduler turn after which `pending` is sent; `None` if no turn has started.
    turn: Option<Arc<SchedulerTurn>>,
    /// Set once this task has read everything that was ready after that turn.
    has_read_since_turn: bool,
    /// Number of scheduler turns for which this stream may still wait. After these, writes are not
    /// delayed any more: the responses of an established session are collected before this stream
    /// is read again.
    turns_left: u8,
    enabled: bool,
    /// True if the stream has accepted fewer octets than it was given.
    is_blocked: bool,
    octets_written: u64,
    /// Called before the last write. The hook makes the underlying stream delay the data, so that
    /// data and end of stream are sent together.
    on_final_write: fn(&S),
}

impl<S: AsyncWrite + Unpin> CoalescingStream<S> {
    /// Wraps `stream`. If `enabled` is false, writes are passed on unchanged.
    pub(crate) fn new(stream: S, enabled: bool) -> Self {
        Self {
            stream,
            read_ahead: Vec::new(),
            read_ahead_used: 0,
            reads: 0,
            pending: Vec::new(),
            sent: 0,
            turn: None,
            has_read_since_turn: false,
            turns_left: MAX_TURNS,
            enabled,
            is_blocked: false,
            octets_written: 0,
            on_final_write: |_| {},
        }
    }

    /// Sets a hook that makes the stream send its last octets and its end together.
    pub(crate) fn with_final_write_hook(mut self, hook: fn(&S)) -> Self {
        self.on_final_write = hook;
        self
    }

    /// Returns true if the stream did not accept the last octets.
    pub(crate) fn is_blocked(&self) -> bool {
        self.is_blocked
    }

    /// Returns true if octets were read ahead.
    pub(crate) fn has_read_ahead(&self) -> bool {
        !self.read_ahead.is_empty()
    }

    /// Returns the number of octets that the stream has accepted.
    pub(crate) fn octets_written(&self) -> u64 {
        self.octets_written
    }

    /// Returns true once all tasks that were ready have had a turn since data became pending, and
    /// this task has read what they provided. Starts that turn if necessary and wakes the task
    /// after it.
    fn turn_is_over(&mut self, context: &mut Context<'_>) -> bool {
        match &self.turn {
            Some(turn) if turn.is_over.load(Relaxed) => {
                let had_read = std::mem::replace(&mut self.has_read_since_turn, true);
                if !had_read {
                    context.waker().wake_by_ref();
                }
                return had_read;
            }
            // The task was woken for another reason, and the turn is not over yet.
            Some(turn) if turn.task.will_wake(context.waker()) => return false,
            None if self.turns_left == 0 => return true,
            None => self.turns_left -= 1,
            Some(_) => {}
        }
        let turn = Arc::new(SchedulerTurn { is_over: AtomicBool::new(false), task: context.waker().clone() });
        self.turn = Some(Arc::clone(&turn));
        // Polling this future once wakes this task after all other ready tasks, including those
        // within the same `block_on` task.
        let _ = pin!(yield_now()).poll(&mut Context::from_waker(&turn.into()));
        false
    }
}

/// Empties a buffer. Most sessions are idle and long messages are rare, so it keeps little memory.
fn release(octets: &mut Vec<u8>) {
    octets.clear();
    octets.shrink_to(IDLE_CAPACITY);
}

/// Records when all other ready tasks have had a turn, and then wakes `task`.
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
            let written = Pin::new(&mut self.stream).poll_write(context, rest);
            self.is_blocked = written.is_pending();
            let count = ready!(written)?;
            if count == 0 {
                return Poll::Ready(Err(io::ErrorKind::WriteZero.into()));
            }
            self.sent += count;
            self.octets_written += count as u64;
        }
        release(&mut self.pending);
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
                release(&mut self.read_ahead);
                self.read_ahead_used = 0;
            }
            return Poll::Ready(Ok(()));
        }
        if buffer.remaining() >= READ_AHEAD {
            return Pin::new(&mut self.stream).poll_read(context, buffer);
        }
        let mut ahead = [const { MaybeUninit::uninit() }; READ_AHEAD];
        let mut read = ReadBuf::uninit(&mut ahead);
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
        if self.reads == MAX_READS {
            // Other tasks run first. Pending octets stay pending, because more can be read.
            self.reads = 0;
            context.waker().wake_by_ref();
            return Poll::Pending;
        }
        let read = self.poll_read_ahead(context, buffer);
        self.reads = if read.is_ready() { self.reads + 1 } else { 0 };
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
            let written = Pin::new(&mut self.stream).poll_write(context, octets);
            self.is_blocked = written.is_pending();
            return written.map_ok(|count| {
                self.octets_written += count as u64;
                count
            });
        }
        if self.pending.len() >= MAX_PENDING {
            ready!(self.poll_drain(context))?;
        }
        let room = MAX_PENDING.saturating_sub(self.pending.len());
        let accepted = octets.get(..room).unwrap_or(octets);
        self.pending.extend_from_slice(accepted);
        Poll::Ready(Ok(accepted.len()))
    }

    /// Reports success without sending: the next read sends the pending octets.
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
    /// Sends pending octets as far as the socket accepts them, so that the peer learns why a
    /// connection fails.
    fn drop(&mut self) {
        let _ = self.poll_drain(&mut Context::from_waker(Waker::noop()));
    }
}

/// Maximum number of pending octets: two of russh's longest packets.
const MAX_PENDING: usize = 64 << 10;

/// Number of octets read ahead: several short packets.
const READ_AHEAD: usize = 2048;

/// Maximum number of reads before other tasks run: russh reads each packet in two parts, and a peer
/// may have sent thousands of packets.
const MAX_READS: u8 = 128;

/// Maximum number of scheduler turns to wait for: more than the number of round trips that are
/// necessary to set up a session.
const MAX_TURNS: u8 = 20;

/// Buffer capacity in octets that an idle session keeps.
const IDLE_CAPACITY: usize = 256;

#[cfg(test)]
mod tests;
