//! The task of one connection: polls it, sends what took time, and ends it when it has to.

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

use super::session::SshSession;
use crate::handler::{MessageHandler, SessionEvent};
use crate::listener::Listener;
use crate::session_log::{SESSION_ENDED, SESSION_REFUSED};
use crate::session_state::SessionState;
use crate::statistics::CloseReason;

/// A session's whole life.
pub(super) async fn run<H: MessageHandler + 'static>(
    server: Arc<SshServer>,
    stream: TcpStream,
    peer: SocketAddr,
    listener: Listener,
    state: SessionState<H>,
) {
    let hall = Rc::new(SshSession::new(state));
    let traffic = TrafficSettings { nodelay: listener.nodelay, window: listener.window };
    let served = server.serve(stream, peer, traffic, listener.algorithms, Rc::clone(&hall) as _);
    let mut connection = pin!(served);
    let mut driver = Box::pin(SessionDriver::new(Rc::clone(&hall)));
    let outbox = Rc::clone(&hall.outbox);
    let mut roused = pin!(outbox.woken());
    let (reason, over) = poll_fn(|context| {
        loop {
            if let Poll::Ready(ending) = connection.as_mut().poll(context) {
                return Poll::Ready((hall.close_reason_for(&ending), true));
            }
            let called = roused.as_mut().poll(context).is_ready();
            if called {
                roused.set(outbox.woken());
            }
            match driver.as_mut().step(context, called) {
                Next::PollAgain => {}
                Next::Close(reason) => return Poll::Ready((reason, false)),
                Next::Wait => return Poll::Pending,
            }
        }
    })
    .await;
    hall.set_close_reason(reason);
    hall.state.borrow().report_closed(reason);
    //= rfc5592#5.4-3
    // Nobody takes leave of a peer that never was in.
    if !over && hall.channel.get().is_some() {
        let sending = driver.sending.take();
        let farewell = async {
            tokio::join!(connection.as_mut(), close_gracefully(&hall, reason, sending));
        };
        // A peer that does not go is left.
        let _ = timeout(CLOSE_TIMEOUT, farewell).await;
    }
}

/// Has the peer take what waits for it, and tells it the end.
async fn close_gracefully<H: MessageHandler>(
    hall: &SshSession<H>,
    reason: CloseReason,
    sending: Option<SendFuture>,
) {
    if let Some(sending) = sending {
        sending.await;
    }
    let Some(remote) = hall.remote.borrow().clone() else { return };
    match (reason, hall.channel.get()) {
        // The channel is closed already, and the peer goes when it wants to.
        (CloseReason::ByPeer, Some(_)) => {}
        _ => remote.disconnect(disconnect_text(reason)).await,
    }
}

/// What the peer is told.
fn disconnect_text(reason: CloseReason) -> &'static str {
    match reason {
        CloseReason::Shutdown => "shutting down",
        CloseReason::Idle => "idle for too long",
        CloseReason::NoMessage => "no message came in time",
        CloseReason::Stalled => "answers were not read",
        CloseReason::Evicted => "too many sessions",
        CloseReason::MalformedMessage | CloseReason::MessageTooLong => "what came was no message",
        _ => "the session has ended",
    }
}

/// Octets on their way into the connection.
type SendFuture = Pin<Box<dyn Future<Output = bool>>>;

/// Looks after a session between its connection's calls.
struct SessionDriver<H: MessageHandler> {
    session: Rc<SshSession<H>>,
    sending: Option<SendFuture>,
    timer: Pin<Box<Sleep>>,
    /// When the timer goes off.
    timer_deadline: portreeve_smi::Timestamp,
    /// The socket took nothing when it was last looked at, after so many octets.
    blocked_at: Option<u64>,
}

/// What is to be done next.
enum Next {
    /// The connection has to be polled again.
    PollAgain,
    /// Nothing, until something happens.
    Wait,
    /// The session ends.
    Close(CloseReason),
}

impl<H: MessageHandler + 'static> SessionDriver<H> {
    fn new(hall: Rc<SshSession<H>>) -> Self {
        let state = hall.state.borrow();
        let armed = state.deadline().0;
        let timer = Box::pin(state.worker.sleep_until(armed));
        drop(state);
        Self { session: hall, sending: None, timer, timer_deadline: armed, blocked_at: None }
    }

    fn step(mut self: Pin<&mut Self>, context: &mut Context<'_>, called: bool) -> Next {
        if let Some(reason) = self.session.close_reason.get() {
            return Next::Close(reason);
        }
        let mut again = false;
        if let Some(sending) = &mut self.sending
            && sending.as_mut().poll(context).is_ready()
        {
            self.sending = None;
            again = true;
        }
        if (called || again || self.session.has_pending_work.get()) && self.sending.is_none() {
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
        let remote = self.session.remote.borrow().clone();
        if let (false, Some(remote), Some(channel)) = (octets.is_empty(), remote, self.session.channel.get())
        {
            self.sending = Some(Box::pin(async move { remote.send(channel, octets).await }));
        }
    }

    fn exceeds_idle_traffic(&self) -> bool {
        let read = self.session.remote.borrow().as_ref().map(ConnectionHandle::octets_read);
        read.is_some_and(|octets| self.session.state.borrow_mut().exceeds_idle_traffic(octets))
    }

    /// Notes whether the socket takes what is written, or our own sending is held up.
    fn check_socket(&mut self) {
        let stalled = self.session.remote.borrow().as_ref().and_then(ConnectionHandle::stalled_at);
        let blocked = stalled.or(self.sending.as_ref().map(|_| 0));
        if blocked != self.blocked_at {
            self.blocked_at = blocked;
            let mut state = self.session.state.borrow_mut();
            // If it took something meanwhile, the time begins anew.
            state.set_stalled(false);
            state.set_stalled(blocked.is_some());
        }
    }

    fn check_deadline(&mut self, context: &mut Context<'_>) -> Next {
        let state = self.session.state.borrow();
        let (deadline, late) = state.deadline();
        // A deadline that has moved away is looked at when the old one comes: cheaper than per message.
        if deadline < self.timer_deadline {
            self.timer_deadline = deadline;
            self.timer.as_mut().reset(state.worker.clock.instant(deadline).into());
        }
        while self.timer.as_mut().poll(context).is_ready() {
            if state.worker.clock.now() >= deadline {
                return Next::Close(late);
            }
            self.timer_deadline = deadline;
            self.timer.as_mut().reset(state.worker.clock.instant(deadline).into());
        }
        Next::Wait
    }
}

impl<H: MessageHandler> SshSession<H> {
    /// What the connection's end means for the session.
    fn close_reason_for(&self, ending: &SshCloseReason) -> CloseReason {
        if let Some(reason) = self.close_reason.get() {
            return reason;
        }
        let state = self.state.borrow();
        let source = &state.source;
        match ending {
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

/// How long a peer gets to take its leave.
const CLOSE_TIMEOUT: Duration = Duration::from_secs(1);
