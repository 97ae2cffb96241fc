//! A channel on which the peer has opened a subsystem.
//!
//! A channel behaves like a non-blocking socket. The handler of the connection waits for the answer
//! to received octets, and passes it to russh at once if possible. All other octets go through
//! russh's queue.

mod buffers;

use std::{
    cell::RefCell,
    fmt,
    future::poll_fn,
    io,
    pin::Pin,
    sync::Arc,
    task::{Context, Poll, ready},
};

use russh::{
    ChannelId, ChannelWriteHalf,
    server::{Handle, Msg},
};
use tokio::io::AsyncWrite;

pub(super) use buffers::{ChannelBuffers, InputOverflow};

/// A channel of a connection with an open subsystem. Only [`ready`](Self::ready),
/// [`flush`](Self::flush), [`finish`](Self::finish) and [`close`](Self::close) wait. Dropping the
/// channel discards unsent octets.
pub struct ServerChannel {
    subsystem: String,
    id: ChannelId,
    buffers: Arc<ChannelBuffers>,
    /// russh's queue.
    queue: Handle,
    queue_writer: RefCell<QueueWriter>,
}

/// Puts octets into russh's queue.
struct QueueWriter {
    /// russh's writer, which waits for the peer's window and for room in the queue. Used until the
    /// window is known.
    writer: Pin<Box<dyn AsyncWrite + Send>>,
    /// Puts octets or a marker into the queue.
    pending: Option<Pin<Box<dyn Future<Output = ()> + Send>>>,
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
    pub(super) fn new(
        subsystem: &str,
        buffers: Arc<ChannelBuffers>,
        queue: Handle,
        half: &ChannelWriteHalf<Msg>,
    ) -> Self {
        let queue_writer = QueueWriter { writer: Box::pin(half.make_writer()), pending: None };
        Self {
            subsystem: subsystem.to_owned(),
            id: half.id(),
            buffers,
            queue,
            queue_writer: RefCell::new(queue_writer),
        }
    }

    /// Returns the name of the subsystem.
    pub fn subsystem(&self) -> &str {
        &self.subsystem
    }

    /// Sends written octets, and waits until the channel is ready. A channel that becomes congested
    /// is ready in both directions.
    pub async fn ready(&self, direction: Direction) {
        poll_fn(|context| {
            let queued = self.poll_send(context);
            let ready = self.buffers.poll_ready(direction, context);
            if direction == Direction::Write {
                ready!(queued)
            }
            ready
        })
        .await;
    }

    /// Reads available octets; 0 means that the peer will send nothing more. Returns
    /// `UnexpectedEof` if the channel or the connection is closed.
    ///
    /// # Errors
    /// `WouldBlock` if there are no octets.
    pub fn try_read(&self, into: &mut [u8]) -> io::Result<usize> {
        self.buffers.try_read(into)
    }

    /// Accepts as many of the first octets as there is room for, and sends them when
    /// [`ready`](Self::ready) is called. If the channel is closed, all are accepted and discarded.
    ///
    /// # Errors
    /// `WouldBlock` without accepting anything if the channel is congested.
    pub fn try_write(&self, octets: &[u8]) -> io::Result<usize> {
        self.buffers.try_write(octets)
    }

    /// Returns true if the peer or the socket accepts no more octets, so that written octets wait.
    pub fn is_congested(&self) -> bool {
        self.buffers.is_output_blocked()
    }

    /// Returns true if written octets have not been sent.
    pub fn has_unsent(&self) -> bool {
        self.queue_writer.borrow().pending.is_some() || self.buffers.has_output()
    }

    /// Returns true if octets have been sent since the last call.
    pub fn take_progress(&self) -> bool {
        self.buffers.take_progress()
    }

    /// Waits until all written octets are passed to russh, or discarded because the channel is
    /// closed.
    pub async fn flush(&self) {
        while self.has_unsent() {
            self.ready(Direction::Write).await;
            self.take_progress();
        }
    }

    /// Sends the remaining octets, the exit status and the end of data, and closes the channel.
    /// The caller limits the time.
    pub async fn finish(&self, exit_status: u32) {
        self.flush().await;
        // Sending fails only if the connection, and with it the channel, has ended.
        let _ = self.queue.exit_status_request(self.id, exit_status).await;
        let _ = self.queue.eof(self.id).await;
        let _ = self.queue.close(self.id).await;
    }

    /// Closes the channel without sending the remaining octets.
    pub async fn close(&self) {
        // Sending fails only if the connection, and with it the channel, has ended.
        let _ = self.queue.close(self.id).await;
    }

    /// Puts octets into russh's queue, unless the connection sends them.
    fn poll_send(&self, context: &mut Context<'_>) -> Poll<()> {
        let QueueWriter { writer, pending } = &mut *self.queue_writer.borrow_mut();
        loop {
            if let Some(future) = pending {
                ready!(future.as_mut().poll(context));
                *pending = None;
            }
            let Some(part) = self.buffers.next_for_queue(writer.as_mut(), context) else {
                return Poll::Ready(());
            };
            let (queue, id) = (self.queue.clone(), self.id);
            *pending = Some(Box::pin(async move {
                // Fails only if the connection has ended.
                let _ = queue.data(id, part).await;
            }));
        }
    }
}

impl Drop for ServerChannel {
    fn drop(&mut self) {
        self.buffers.set_dropped();
    }
}

impl fmt::Debug for ServerChannel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ServerChannel").field("subsystem", &self.subsystem).finish_non_exhaustive()
    }
}
