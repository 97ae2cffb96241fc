//! The task of one connection: polls the connection, sends deferred responses, and closes the
//! connection.

use std::future::{Future, poll_fn};
use std::net::SocketAddr;
use std::pin::{Pin, pin};
use std::rc::Rc;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use portreeve_channel::ChannelStep;
use portreeve_channel_ssh::TrafficSettings;
use portreeve_channel_ssh::server::{ConnectionHandle, SshCloseReason, SshServer};
use tokio::net::TcpStream;
use tokio::time::{Sleep, timeout};

use super::login_turns::TurnStream;
use super::session::SshSession;
use crate::handler::{MessageHandler, SessionEvent};
use crate::listener::Listener;
use crate::session_log::{SESSION_ENDED, SESSION_REFUSED};
use crate::session_state::SessionState;
use crate::statistics::CloseReason;

/// Runs a session until it is closed.
pub(super) async fn run<H: MessageHandler + 'static>(
    server: Arc<SshServer>,
    stream: TcpStream,
    peer: SocketAddr,
    listener: Listener,
    state: SessionState<H>,
) {
    let session = Rc::new(SshSession::new(state));
    let traffic = TrafficSettings { nodelay: listener.nodelay, window: listener.window };
    let stream = TurnStream::new(stream, Arc::clone(&session.login_turns));
    let connection_future =
        server.serve(stream, peer, traffic, listener.algorithms, Rc::clone(&session) as _);
    let mut connection = pin!(connection_future);
    let mut driver = Box::pin(SessionDriver::new(Rc::clone(&session)));
    let outbox = Rc::clone(&session.outbox);
    let mut woken = pin!(outbox.woken());
    // The end of the connection's current turn; `None` if the connection holds no turn.
    let mut turn_end: Option<Pin<Box<dyn Future<Output = ()>>>> = None;
    let (reason, is_connection_closed) = poll_fn(|context| {
        loop {
            if let Poll::Ready(ssh_reason) = connection.as_mut().poll(context) {
                return Poll::Ready((session.close_reason_for(&ssh_reason), true));
            }
            if let Some(turn) = session.login_turns.take() {
                turn_end = Some(Box::pin(turn.finish()));
            }
            if turn_end.as_mut().is_some_and(|end| end.as_mut().poll(context).is_ready()) {
                turn_end = None;
            }
            let is_woken = woken.as_mut().poll(context).is_ready();
            if is_woken {
                woken.set(outbox.woken());
            }
            match driver.as_mut().step(context, is_woken) {
                Next::PollAgain => {}
                Next::Close(reason) => return Poll::Ready((reason, false)),
                Next::Wait => return Poll::Pending,
            }
        }
    })
    .await;
    drop(turn_end);
    session.login_turns.set_logged_in();
    drop(session.login_turns.take());
    session.set_close_reason(reason);
    session.state.borrow().report_closed(reason);
    //= rfc5592#5.4-3
    // A graceful close is only needed if the subsystem was opened.
    if !is_connection_closed && session.channel.get().is_some() {
        let sending = driver.sending.take();
        let close = async {
            tokio::join!(connection.as_mut(), close_gracefully(&session, reason, sending));
        };
        // Stop waiting for a peer that does not close the connection.
        let _ = timeout(CLOSE_TIMEOUT, close).await;
    }
}

/// Sends the pending octets and then the disconnect message.
async fn close_gracefully<H: MessageHandler>(
    session: &SshSession<H>,
    reason: CloseReason,
    sending: Option<SendFuture>,
) {
    if let Some(sending) = sending {
        sending.await;
    }
    let Some(connection) = session.connection.borrow().clone() else { return };
    match (reason, session.channel.get()) {
        // The channel is already closed; wait until the peer disconnects.
        (CloseReason::ByPeer, Some(_)) => {}
        _ => connection.disconnect(disconnect_text(reason)).await,
    }
}

/// Returns the text of the disconnect message.
fn disconnect_text(reason: CloseReason) -> &'static str {
    match reason {
        CloseReason::Shutdown => "shutting down",
        CloseReason::Idle => "idle timeout",
        CloseReason::IdentityRevoked => "credential no longer accepted",
        CloseReason::MaxDuration => "maximum session duration",
        CloseReason::NoMessage => "no message received in time",
        CloseReason::Stalled => "responses were not read",
        CloseReason::Evicted => "too many sessions",
        CloseReason::MalformedMessage | CloseReason::MessageTooLong => "malformed SNMP message",
        _ => "session closed",
    }
}

/// A pending transfer of octets to the connection.
type SendFuture = Pin<Box<dyn Future<Output = bool>>>;

/// Handles a session outside the callbacks of its connection.
struct SessionDriver<H: MessageHandler> {
    session: Rc<SshSession<H>>,
    sending: Option<SendFuture>,
    timer: Pin<Box<Sleep>>,
    /// The time for which the timer is set.
    timer_deadline: portreeve_smi::Timestamp,
    /// The number of octets written by the time the socket blocked; `None` if the socket is not
    /// blocked.
    blocked_at: Option<u64>,
}

/// The next action of the task.
enum Next {
    /// Poll the connection again.
    PollAgain,
    /// Wait for an event.
    Wait,
    /// Close the session.
    Close(CloseReason),
}

impl<H: MessageHandler + 'static> SessionDriver<H> {
    fn new(session: Rc<SshSession<H>>) -> Self {
        let state = session.state.borrow();
        let timer_deadline = state.deadline().0;
        let timer = Box::pin(state.worker.sleep_until(timer_deadline));
        drop(state);
        Self { session, sending: None, timer, timer_deadline, blocked_at: None }
    }

    fn step(mut self: Pin<&mut Self>, context: &mut Context<'_>, is_woken: bool) -> Next {
        if let Some(reason) = self.session.close_reason.get() {
            return Next::Close(reason);
        }
        let mut is_sent = false;
        if let Some(sending) = &mut self.sending
            && sending.as_mut().poll(context).is_ready()
        {
            self.sending = None;
            is_sent = true;
        }
        if (is_woken || is_sent || self.session.has_pending_work.get()) && self.sending.is_none() {
            let octets = self.session.process();
            self.send(octets);
            if let Some(reason) = self.session.close_reason.get() {
                return Next::Close(reason);
            }
            if self.sending.is_some() {
                return Next::PollAgain;
            }
            if self.session.has_pending_work.get() {
                context.waker().wake_by_ref();
            }
        }
        if self.exceeds_idle_traffic() {
            return Next::Close(CloseReason::MalformedMessage);
        }
        self.check_socket();
        self.check_deadline(context)
    }

    fn send(&mut self, octets: Vec<u8>) {
        let connection = self.session.connection.borrow().clone();
        if let (false, Some(connection), Some(channel)) =
            (octets.is_empty(), connection, self.session.channel.get())
        {
            self.sending = Some(Box::pin(async move { connection.send(channel, octets).await }));
        }
    }

    fn exceeds_idle_traffic(&self) -> bool {
        let read = self.session.connection.borrow().as_ref().map(ConnectionHandle::octets_read);
        read.is_some_and(|octets| {
            let mut state = self.session.state.borrow_mut();
            state.record_memory(octets);
            state.exceeds_idle_traffic(octets)
        })
    }

    /// Updates the stall timeout, which runs while the socket or our own transfer is blocked.
    fn check_socket(&mut self) {
        let stalled = self.session.connection.borrow().as_ref().and_then(ConnectionHandle::stalled_at);
        let blocked = stalled.or(self.sending.as_ref().map(|_| 0));
        if blocked != self.blocked_at {
            self.blocked_at = blocked;
            let mut state = self.session.state.borrow_mut();
            // If the socket has accepted octets since it blocked, the timeout restarts.
            state.set_stalled(false);
            state.set_stalled(blocked.is_some());
        }
    }

    fn check_deadline(&mut self, context: &mut Context<'_>) -> Next {
        let state = self.session.state.borrow();
        let (deadline, reason) = state.deadline();
        // For a later deadline, the timer fires early and is then set again, which is cheaper than
        // resetting it for each message.
        if deadline < self.timer_deadline {
            self.timer_deadline = deadline;
            self.timer.as_mut().reset(state.worker.clock.instant(deadline).into());
        }
        while self.timer.as_mut().poll(context).is_ready() {
            if state.worker.clock.now() >= deadline {
                return Next::Close(reason);
            }
            self.timer_deadline = deadline;
            self.timer.as_mut().reset(state.worker.clock.instant(deadline).into());
        }
        Next::Wait
    }
}

impl<H: MessageHandler> SshSession<H> {
    /// Converts the reason why the SSH connection has ended to the close reason of the session.
    fn close_reason_for(&self, ssh_reason: &SshCloseReason) -> CloseReason {
        if let Some(reason) = self.close_reason.get() {
            return reason;
        }
        let state = self.state.borrow();
        let source = &state.source;
        match ssh_reason {
            SshCloseReason::Closed => state.eof_close_reason(),
            SshCloseReason::Panicked => CloseReason::Panic,
            SshCloseReason::Failed(error) | SshCloseReason::ProtocolError(error)
                if error.step < ChannelStep::Subsystem =>
            {
                state.worker.log_session(source, SESSION_REFUSED, error);
                state.worker.session_event(source.domain(), SessionEvent::HandshakeFailed(error.step));
                CloseReason::HandshakeFailed
            }
            SshCloseReason::Failed(error) => {
                state.worker.log_session(source, SESSION_ENDED, error);
                state.eof_close_reason()
            }
            SshCloseReason::ProtocolError(error) => {
                state.worker.log_session(source, SESSION_ENDED, error);
                CloseReason::Error
            }
        }
    }
}

/// The maximum time for a graceful close.
const CLOSE_TIMEOUT: Duration = Duration::from_secs(1);
