//! The sessions of one connection: one for each channel.

use std::cell::{Cell, RefCell};
use std::io;
use std::rc::Rc;
use std::task::{Context, Poll, Waker};
use std::time::Duration;

use portreeve_channel_ssh::server::{Direction, ServerChannel};
use tokio::io::Interest;
use tokio::time::timeout;

use crate::handler::MessageHandler;
use crate::session_state::SessionState;
use crate::statistics::CloseReason;
use crate::stream::{StreamConnection, StreamSession};

/// A channel as the socket of a session.
#[derive(Clone)]
pub(crate) struct ChannelSocket {
    channel: Rc<ServerChannel>,
    /// The reason for which the connection has closed the session.
    close_reason: Rc<Cell<Option<CloseReason>>>,
}

impl ChannelSocket {
    /// Waits until the channel is readable or writable.
    pub(crate) async fn ready(&self, interest: Interest) {
        let direction = if interest.is_readable() { Direction::Read } else { Direction::Write };
        self.channel.ready(direction).await;
    }

    pub(crate) fn try_read(&self, into: &mut [u8]) -> io::Result<usize> {
        self.channel.try_read(into)
    }

    pub(crate) fn try_write(&self, octets: &[u8]) -> io::Result<usize> {
        self.channel.try_write(octets)
    }

    pub(crate) fn is_congested(&self) -> bool {
        self.channel.is_congested()
    }

    pub(crate) fn has_unsent(&self) -> bool {
        self.channel.has_unsent()
    }

    pub(crate) fn take_progress(&self) -> bool {
        self.channel.take_progress()
    }

    /// Returns the reason for which the connection has closed the session.
    pub(crate) fn close_reason(&self) -> Option<CloseReason> {
        self.close_reason.get()
    }
}

/// The open sessions of a connection.
#[derive(Default)]
pub(super) struct Sessions {
    sockets: RefCell<Vec<ChannelSocket>>,
    /// True if a session has ended since the last call of `poll_ended`.
    has_ended: Cell<bool>,
    /// The task of the connection.
    task: RefCell<Option<Waker>>,
    /// The reason for which this side has ended the only session.
    close_reason: Cell<Option<CloseReason>>,
}

impl Sessions {
    pub(super) fn is_empty(&self) -> bool {
        self.sockets.borrow().is_empty()
    }

    /// Waits until a session ends.
    pub(super) fn poll_ended(&self, context: &mut Context<'_>) -> Poll<()> {
        if self.has_ended.take() {
            return Poll::Ready(());
        }
        match &mut *self.task.borrow_mut() {
            Some(task) => task.clone_from(context.waker()),
            none => *none = Some(context.waker().clone()),
        }
        Poll::Pending
    }

    /// Returns the reason for which the connection must be closed.
    pub(super) fn close_reason(&self) -> Option<CloseReason> {
        self.close_reason.get()
    }

    /// Sets the reason for which all sessions end when the connection is dropped.
    pub(super) fn set_close_reason(&self, reason: CloseReason) {
        self.sockets.borrow().iter().for_each(|socket| socket.close_reason.set(Some(reason)));
    }

    /// Adds a channel.
    pub(super) fn add(&self, channel: ServerChannel) -> ChannelSocket {
        let socket = ChannelSocket { channel: Rc::new(channel), close_reason: Rc::default() };
        self.sockets.borrow_mut().push(socket.clone());
        socket
    }

    /// Starts a session over a channel.
    pub(super) fn start<H: MessageHandler + 'static>(
        self: &Rc<Self>,
        channel: ServerChannel,
        state: SessionState<H>,
    ) {
        let (sessions, socket) = (Rc::clone(self), self.add(channel));
        let session = StreamSession::new(StreamConnection::plain(socket.clone()), state);
        tokio::task::spawn_local(async move {
            let reason = session.run().await;
            // Boxed, so that an open session does not keep the memory that its end needs.
            Box::pin(sessions.finish(socket, reason)).await;
        });
    }

    /// Closes a channel. If this side closes the only channel, the connection is closed, too. Does
    /// not wait for a peer that does not read.
    pub(super) async fn finish(self: Rc<Self>, socket: ChannelSocket, reason: CloseReason) {
        let channel = &socket.channel;
        // A revoked credential ends all sessions of the connection.
        let is_last = self.sockets.borrow().len() == 1 || reason == CloseReason::IdentityRevoked;
        if reason.is_local() && is_last {
            let _ = timeout(CLOSE_TIMEOUT, channel.flush()).await;
            self.close_reason.set(Some(reason));
        } else {
            let finish = channel.finish(u32::from(reason.is_local()));
            if timeout(CLOSE_TIMEOUT, finish).await.is_err() {
                let _ = timeout(CLOSE_TIMEOUT, channel.close()).await;
            }
        }
        self.sockets.borrow_mut().retain(|other| !Rc::ptr_eq(&other.channel, channel));
        self.has_ended.set(true);
        if let Some(task) = self.task.take() {
            task.wake();
        }
    }
}

/// Returns the text of the disconnect message.
pub(super) fn disconnect_text(reason: CloseReason) -> &'static str {
    match reason {
        CloseReason::Shutdown => "shutting down",
        CloseReason::Idle => "idle timeout",
        CloseReason::IdentityRevoked => "credential no longer accepted",
        CloseReason::MaxDuration => "maximum session duration",
        CloseReason::NoMessage => "no message received in time",
        CloseReason::NoSecurityName => "this service is not available to this user",
        CloseReason::Stalled => "responses were not read",
        CloseReason::TooSlow => "message sent too slowly",
        CloseReason::Killed => "session ended by an operator",
        CloseReason::Evicted => "too many sessions",
        CloseReason::MalformedMessage | CloseReason::MessageTooLong => "malformed message",
        _ => "session closed",
    }
}

/// The maximum time for a graceful close.
pub(super) const CLOSE_TIMEOUT: Duration = Duration::from_secs(1);
