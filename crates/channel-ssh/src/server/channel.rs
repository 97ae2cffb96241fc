//! A channel on which the peer has opened a subsystem.
//!
//! ```text
//! russh ──▶ handler ──▶ ChannelInput, bounded by the window ──▶ try_read
//! russh ◀── its queue, within the peer's window ◀── output ◀── try_write
//! ```
//! A channel behaves like a non-blocking socket. All octets to the peer take the same path, whether
//! they respond to the data received last or to older data.

use std::{
    cell::RefCell,
    collections::VecDeque,
    fmt,
    future::poll_fn,
    io::{self, Read},
    mem,
    pin::Pin,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    task::{Context, Poll, Waker, ready},
};

use russh::{ChannelWriteHalf, server::Msg};
use tokio::io::AsyncWrite;

use super::settings::WINDOW;

/// A channel of a connection with an open subsystem. Only [`ready`](Self::ready),
/// [`flush`](Self::flush) and [`finish`](Self::finish) wait. Dropping the channel discards unsent
/// octets.
pub struct ServerChannel {
    subsystem: String,
    input: Arc<ChannelInput>,
    output: RefCell<Output>,
    half: ChannelWriteHalf<Msg>,
}

/// The direction in which a channel becomes ready.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// Octets or the end of the peer's data can be read.
    Read,
    /// Octets written before have been sent. The channel may still be congested.
    Write,
}

impl ServerChannel {
    pub(super) fn new(subsystem: &str, input: Arc<ChannelInput>, half: ChannelWriteHalf<Msg>) -> Self {
        let output = Output::new(Box::pin(half.make_writer()));
        Self { subsystem: subsystem.to_owned(), input, output: RefCell::new(output), half }
    }

    /// Returns the name of the subsystem.
    pub fn subsystem(&self) -> &str {
        &self.subsystem
    }

    /// Sends written octets, and waits until the channel is ready. A channel that becomes congested
    /// is ready in both directions.
    pub async fn ready(&self, direction: Direction) {
        poll_fn(|context| {
            let sent = self.poll_send(context);
            match direction {
                Direction::Read if sent.is_ready() => self.input.poll_ready(context),
                Direction::Read => Poll::Ready(()),
                Direction::Write if self.output.borrow().has_progress => Poll::Ready(()),
                Direction::Write => sent,
            }
        })
        .await;
    }

    /// Reads available octets; 0 means that the peer will send nothing more. Returns
    /// `UnexpectedEof` if the channel or the connection is closed.
    ///
    /// # Errors
    /// `WouldBlock` if there are no octets.
    pub fn try_read(&self, into: &mut [u8]) -> io::Result<usize> {
        self.input.try_read(into)
    }

    /// Accepts as many of the first octets as there is room for, and sends them when
    /// [`ready`](Self::ready) is called. If the channel is closed, all are accepted and discarded.
    ///
    /// # Errors
    /// `WouldBlock` without accepting anything if the channel is congested.
    pub fn try_write(&self, octets: &[u8]) -> io::Result<usize> {
        if self.input.is_closed() {
            return Ok(octets.len());
        }
        self.output.borrow_mut().try_write(octets)
    }

    /// Returns true if the peer or the socket accepts no more octets, so that written octets wait.
    pub fn is_congested(&self) -> bool {
        self.output.borrow().is_blocked
    }

    /// Returns true if written octets have not been sent.
    pub fn has_unsent(&self) -> bool {
        !self.output.borrow().octets.is_empty()
    }

    /// Returns true if octets have been sent since the last call.
    pub fn take_progress(&self) -> bool {
        mem::take(&mut self.output.borrow_mut().has_progress)
    }

    /// Waits until all written octets are sent, or discarded because the channel is closed.
    pub async fn flush(&self) {
        poll_fn(|context| self.poll_send(context)).await;
    }

    /// Sends the remaining octets, the exit status and the end of data, and closes the channel.
    /// The caller limits the time.
    pub async fn finish(&self, exit_status: u32) {
        self.flush().await;
        // Sending fails only if the connection, and with it the channel, has ended.
        let _ = self.half.exit_status(exit_status).await;
        let _ = self.half.eof().await;
        let _ = self.half.close().await;
    }

    /// Closes the channel without sending the remaining octets.
    pub async fn close(&self) {
        // Sending fails only if the connection, and with it the channel, has ended.
        let _ = self.half.close().await;
    }

    /// Sends as many octets as the peer's window and the connection accept.
    fn poll_send(&self, context: &mut Context<'_>) -> Poll<()> {
        let output = &mut *self.output.borrow_mut();
        if output.octets.is_empty() {
            return Poll::Ready(());
        }
        if self.input.is_closed() {
            output.clear();
        }
        let sent = output.poll_send(context);
        if sent.is_pending() {
            // A closed channel accepts and discards everything.
            ready!(self.input.poll_closed(context));
            output.clear();
        }
        Poll::Ready(())
    }
}

impl Drop for ServerChannel {
    fn drop(&mut self) {
        self.input.discard();
    }
}

impl fmt::Debug for ServerChannel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ServerChannel").field("subsystem", &self.subsystem).finish_non_exhaustive()
    }
}

/// Octets on their way to the peer.
struct Output {
    /// russh's writer, which waits for the peer's window and for the connection.
    writer: Pin<Box<dyn AsyncWrite + Send>>,
    octets: Vec<u8>,
    /// The number of `octets` already passed to the writer.
    sent: usize,
    /// True if the writer has not accepted all octets.
    is_blocked: bool,
    /// True if octets were sent while others were waiting.
    has_progress: bool,
}

impl Output {
    fn new(writer: Pin<Box<dyn AsyncWrite + Send>>) -> Self {
        Self { writer, octets: Vec::new(), sent: 0, is_blocked: false, has_progress: false }
    }

    fn try_write(&mut self, octets: &[u8]) -> io::Result<usize> {
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

    fn poll_send(&mut self, context: &mut Context<'_>) -> Poll<()> {
        while let Some(rest @ [_, ..]) = self.octets.get(self.sent..) {
            // russh copies what it is given, and queues several such parts.
            let rest = rest.get(..MAX_PART).unwrap_or(rest);
            match self.writer.as_mut().poll_write(context, rest) {
                Poll::Ready(Ok(count)) => {
                    self.sent += count;
                    self.has_progress = true;
                }
                // The connection has ended.
                Poll::Ready(Err(_)) => break,
                Poll::Pending => {
                    self.is_blocked = true;
                    return Poll::Pending;
                }
            }
        }
        self.clear();
        Poll::Ready(())
    }

    fn clear(&mut self) {
        reset(&mut self.octets);
        self.sent = 0;
        self.is_blocked = false;
        self.has_progress = false;
    }
}

/// Octets received on a channel, which the handler adds and the session reads.
#[derive(Debug, Default)]
pub(super) struct ChannelInput(Mutex<InputState>);

#[derive(Debug, Default)]
struct InputState {
    /// The octets that are not read yet.
    octets: VecDeque<u8>,
    is_eof: bool,
    is_closed: bool,
    waker: Option<Waker>,
}

/// More octets arrived than the window allows.
#[derive(Debug)]
pub(super) struct InputOverflow;

impl ChannelInput {
    /// Adds received octets. Returns false if there are none, or if nothing reads them any more.
    ///
    /// # Errors
    /// Returns an error if the peer exceeds its window by far; russh does not check it.
    pub(super) fn push(&self, octets: &[u8]) -> Result<bool, InputOverflow> {
        let mut state = self.state();
        if state.is_closed || octets.is_empty() {
            return Ok(false);
        }
        let len = state.octets.len() + octets.len();
        if len > MAX_INPUT {
            return Err(InputOverflow);
        }
        if len > state.octets.capacity() {
            let additional = grown_capacity(state.octets.capacity(), len, MAX_INPUT) - state.octets.len();
            state.octets.reserve_exact(additional);
        }
        state.octets.extend(octets);
        state.wake();
        Ok(true)
    }

    /// Records that the peer will send nothing more.
    pub(super) fn set_eof(&self) {
        let mut state = self.state();
        state.is_eof = true;
        state.wake();
    }

    /// Discards all octets, because nothing reads them any more.
    fn discard(&self) {
        let mut state = self.state();
        state.is_closed = true;
        state.octets = VecDeque::new();
    }

    /// Records that the channel or the connection is closed.
    pub(super) fn close(&self) {
        let mut state = self.state();
        state.is_closed = true;
        state.wake();
    }

    /// Returns true if so many octets are unread that the peer should send no more.
    pub(super) fn is_congested(&self) -> bool {
        self.state().octets.len() > CONGESTION_THRESHOLD
    }

    fn is_closed(&self) -> bool {
        self.state().is_closed
    }

    fn try_read(&self, into: &mut [u8]) -> io::Result<usize> {
        let mut state = self.state();
        if state.octets.is_empty() {
            return match (state.is_closed, state.is_eof) {
                (true, _) => Err(io::ErrorKind::UnexpectedEof.into()),
                (false, true) => Ok(0),
                (false, false) => Err(io::ErrorKind::WouldBlock.into()),
            };
        }
        let count = state.octets.read(into)?;
        if state.octets.is_empty() {
            if state.octets.capacity() > IDLE_CAPACITY {
                state.octets = VecDeque::new();
            }
            // The next octets are contiguous.
            state.octets.clear();
        }
        Ok(count)
    }

    pub(super) fn poll_ready(&self, context: &mut Context<'_>) -> Poll<()> {
        self.poll_until(context, |state| !state.octets.is_empty() || state.is_eof || state.is_closed)
    }

    fn poll_closed(&self, context: &mut Context<'_>) -> Poll<()> {
        self.poll_until(context, |state| state.is_closed)
    }

    fn poll_until(&self, context: &mut Context<'_>, reached: impl Fn(&InputState) -> bool) -> Poll<()> {
        let mut state = self.state();
        if reached(&state) {
            return Poll::Ready(());
        }
        match &mut state.waker {
            Some(waker) => waker.clone_from(context.waker()),
            none => *none = Some(context.waker().clone()),
        }
        Poll::Pending
    }

    fn state(&self) -> MutexGuard<'_, InputState> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl InputState {
    fn wake(&mut self) {
        if let Some(waker) = mem::take(&mut self.waker) {
            waker.wake();
        }
    }
}

/// Empties a buffer. Most sessions are idle, so a buffer keeps memory only for a short message.
fn reset(octets: &mut Vec<u8>) {
    if octets.capacity() > IDLE_CAPACITY {
        *octets = Vec::new();
    }
    octets.clear();
}

/// Returns the new capacity of a buffer for `len` octets: at least twice the old one, so that
/// octets are rarely moved, but not more than the maximum length.
fn grown_capacity(capacity: usize, len: usize, max_len: usize) -> usize {
    len.max(2 * capacity).min(max_len)
}

/// Capacity in octets that an empty buffer keeps.
const IDLE_CAPACITY: usize = 128;
/// Maximum number of octets that wait to be sent.
const MAX_OUTPUT: usize = 64 * 1024;
/// Maximum number of octets that are passed to russh at once: the packet size that all peers accept
/// (RFC 4253 §6.1).
const MAX_PART: usize = 32 * 1024;
/// The number of unread octets above which the peer's window is kept at two octets.
const CONGESTION_THRESHOLD: usize = 64 * 1024;
/// Maximum number of unread octets; only a peer that violates its window can exceed it.
const MAX_INPUT: usize = 2 * WINDOW as usize;

#[cfg(test)]
mod tests {
    use super::*;

    fn read(input: &ChannelInput) -> Result<Vec<u8>, io::ErrorKind> {
        let mut into = [0; 4];
        input.try_read(&mut into).map(|count| into[..count].to_vec()).map_err(|error| error.kind())
    }

    #[test]
    fn channel_input_is_read_completely_before_its_end() {
        let input = ChannelInput::default();
        assert_eq!(read(&input), Err(io::ErrorKind::WouldBlock));
        input.push(b"abcdef").unwrap();
        input.set_eof();
        assert_eq!(read(&input), Ok(b"abcd".to_vec()));
        assert_eq!(read(&input), Ok(b"ef".to_vec()));
        assert_eq!(read(&input), Ok(Vec::new()));
        input.close();
        assert_eq!(read(&input), Err(io::ErrorKind::UnexpectedEof));
    }

    #[test]
    fn channel_input_of_a_peer_that_ignores_its_window_is_bounded() {
        let input = ChannelInput::default();
        let packet = vec![0; 32 * 1024];
        assert!(!input.is_congested());
        let accepted = (0..100).take_while(|_| input.push(&packet).is_ok()).count();
        assert_eq!(accepted * packet.len(), MAX_INPUT);
        assert!(input.is_congested());
        assert!(input.state().octets.capacity() <= MAX_INPUT);
        input.discard();
        assert!(!input.push(&packet).unwrap(), "octets for a closed channel are discarded");
        assert_eq!(input.state().octets.capacity(), 0);
    }

    /// A read rarely ends at the last octet if the peer sends without end.
    #[test]
    fn channel_input_that_is_never_read_completely_uses_bounded_memory() {
        let input = ChannelInput::default();
        let (packet, mut into) = (vec![0; 32 * 1024], vec![0; 32 * 1024]);
        input.push(&packet).unwrap();
        for _ in 0..1000 {
            input.push(&packet).unwrap();
            assert_eq!(input.try_read(&mut into).unwrap(), packet.len());
            let state = input.state();
            assert_eq!(state.octets.len(), packet.len());
            assert!(state.octets.capacity() <= 2 * packet.len(), "{}", state.octets.capacity());
        }
    }

    /// The peer sends while the session reads, until the peer has filled the buffer.
    #[test]
    fn channel_input_uses_no_memory_for_octets_already_read() {
        let input = ChannelInput::default();
        let (packet, mut into) = (vec![7; 10_000], vec![0; 9_000]);
        while input.push(&packet).is_ok() {
            assert!(input.try_read(&mut into).unwrap() > 0);
            assert!(input.state().octets.capacity() <= MAX_INPUT, "{}", input.state().octets.capacity());
        }
        let unread = input.state().octets.len();
        assert!(unread > MAX_INPUT - packet.len());
        let read = std::iter::from_fn(|| input.try_read(&mut into).ok()).sum::<usize>();
        assert_eq!(read, unread);
    }

    /// A writer that accepts nothing, like that of a channel whose window is empty.
    struct EmptyWindow;

    impl AsyncWrite for EmptyWindow {
        fn poll_write(self: Pin<&mut Self>, _: &mut Context<'_>, octets: &[u8]) -> Poll<io::Result<usize>> {
            assert!(octets.len() <= MAX_PART);
            Poll::Pending
        }

        fn poll_flush(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
            Poll::Ready(Ok(()))
        }

        fn poll_shutdown(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
            Poll::Ready(Ok(()))
        }
    }

    #[test]
    fn channel_output_is_bounded_while_the_window_is_empty() {
        for len in [100, 5_000, 40_000, 65_535, 3_000_000] {
            let mut output = Output::new(Box::pin(EmptyWindow));
            let answer = vec![7; len];
            let mut accepted = 0;
            while let Ok(count) = output.try_write(&answer) {
                accepted += count;
            }
            assert_eq!(accepted, MAX_OUTPUT);
            assert_eq!(output.octets.len(), MAX_OUTPUT);
            assert!(output.octets.capacity() <= MAX_OUTPUT, "{}", output.octets.capacity());
            assert!(output.poll_send(&mut Context::from_waker(Waker::noop())).is_pending());
            assert!(output.try_write(b"more").is_err());
        }
    }
}
