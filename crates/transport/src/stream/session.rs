//! A session over a stream socket: waits for the socket, wakeups and deadlines.

use std::convert::Infallible;
use std::future::{self, poll_fn};
use std::io;
use std::pin::pin;
use std::rc::Rc;

use tokio::io::Interest;

use super::connection::{StreamConnection, StreamReadError};
use crate::handler::{MessageHandler, SessionEvent};
use crate::handshake_turns::{HandshakeTurn, HandshakeTurns};
use crate::session_log::{SESSION_ENDED, SESSION_REFUSED};
use crate::session_source::SessionSource;
use crate::session_state::{NextEvent, PauseReason, SessionState};
use crate::statistics::CloseReason;
use crate::task_timer::TaskTimer;
use crate::worker::Stage;

/// A session over an accepted connection.
pub(crate) struct StreamSession<H: MessageHandler> {
    connection: StreamConnection,
    state: SessionState<H>,
}

impl<H: MessageHandler + 'static> StreamSession<H> {
    /// Creates a session. If its service is not open, it starts when the peer is authenticated.
    /// Boxed, because a future keeps two copies of the values that it moves.
    pub(crate) fn new(connection: StreamConnection, state: SessionState<H>) -> Box<Self> {
        Box::new(Self { connection, state })
    }

    /// Runs the session until it is closed, and returns the reason.
    pub(crate) async fn run(mut self: Box<Self>) -> CloseReason {
        let reason = match self.serve().await {
            Ok(never) => match never {},
            Err(reason) => self.connection.close_reason().unwrap_or(reason),
        };
        self.connection.close();
        self.state.report_closed(reason);
        reason
    }

    async fn serve(&mut self) -> Result<Infallible, CloseReason> {
        let mut timer_deadline = self.state.deadline().0;
        let timer = pin!(self.state.worker().sleep_until(timer_deadline));
        let mut timer = TaskTimer::new(timer);
        let outbox = Rc::clone(self.state.outbox());
        // Kept until it is ready, because creating it for each message is expensive.
        let mut woken = pin!(outbox.woken());
        let mut waits_for_input = false;
        loop {
            if !waits_for_input && self.state.process(&mut self.connection)? == PauseReason::BatchLimit {
                // More messages are available, but other tasks on this thread run first.
                tokio::task::yield_now().await;
                continue;
            }
            waits_for_input = false;
            let (deadline, reason) = self.state.deadline();
            // For a later deadline, the timer fires early and is then set again, which is cheaper
            // than resetting it for each message.
            if deadline < timer_deadline {
                timer_deadline = deadline;
                timer.reset(self.state.worker().clock.instant(timer_deadline));
            }
            let event = self.state.next_event(&self.connection);
            let worker = Rc::clone(self.state.worker());
            let is_handshaking = self.is_handshaking();
            tokio::select! {
                biased;
                // First, because it makes the other checks of a session with messages needless: the
                // session is checked for each message anyway.
                ready = ready_for_step(&self.connection, event, is_handshaking, &worker.handshake_turns) => {
                    let turn = ready.map_err(|_| CloseReason::Error)?;
                    let reads = event == NextEvent::Readable;
                    let pause = if reads { self.read() } else { Ok(None) };
                    match turn {
                        Some(turn) => turn.finish().await,
                        None if pause == Ok(Some(PauseReason::BatchLimit)) => tokio::task::yield_now().await,
                        None => {}
                    }
                    waits_for_input = pause? == Some(PauseReason::Incomplete) && self.waits_for_input();
                }
                () = &mut woken => woken.set(outbox.woken()),
                () = poll_fn(|context| timer.poll(context)) => {
                    if self.state.worker().clock.now() >= deadline {
                        return Err(reason);
                    }
                    timer_deadline = deadline;
                    timer.reset(self.state.worker().clock.instant(timer_deadline));
                }
            }
        }
    }

    /// Returns whether the session has nothing to do until it receives more octets. Only called
    /// after it has handled received octets.
    fn waits_for_input(&self) -> bool {
        self.state.next_event(&self.connection) == NextEvent::Readable
            && self.state.worker().stage.get() == Stage::Serving
    }

    /// Reads and handles octets. Returns the reason why handling paused; `None` if no octets were
    /// handled.
    fn read(&mut self) -> Result<Option<PauseReason>, CloseReason> {
        let worker = Rc::clone(self.state.worker());
        let mut input = worker.input_buffer.borrow_mut();
        let read = self.connection.try_read(&mut input);
        if self.is_handshaking() && self.connection.peer().is_some() {
            // Identify the peer before its first data is handled, because that data may arrive
            // together with the end of the handshake.
            self.identify()?;
        }
        self.state.record_memory(self.connection.octets_received());
        if self.state.exceeds_idle_traffic(self.connection.octets_received()) {
            return Err(CloseReason::MalformedMessage);
        }
        match read {
            Ok(0) => {
                self.state.set_peer_eof();
                Ok(None)
            }
            Ok(count) => {
                let received = input.get_mut(..count).unwrap_or_default();
                let pause = self.state.receive(&mut self.connection, received)?;
                self.state.record_memory(self.connection.octets_received());
                match self.connection.transmit_deferred() {
                    Err(error) if error.kind() != io::ErrorKind::WouldBlock => Err(CloseReason::Error),
                    _ => Ok(Some(pause)),
                }
            }
            Err(StreamReadError::Io(error)) if error.kind() == io::ErrorKind::WouldBlock => Ok(None),
            Err(StreamReadError::Io(_)) => Err(self.state.eof_close_reason()),
            Err(StreamReadError::ReceiveLimit) => Ok(Some(PauseReason::BatchLimit)),
            Err(StreamReadError::Channel(error)) => {
                let &SessionSource { domain, peer, .. } = self.state.source();
                let event = if self.is_handshaking() { SESSION_REFUSED } else { SESSION_ENDED };
                worker.log_session(domain, peer, event, &error);
                if self.is_handshaking() {
                    worker.session_event(domain, SessionEvent::HandshakeFailed(error.step));
                    return Err(CloseReason::HandshakeFailed);
                }
                Err(CloseReason::Error)
            }
        }
    }

    /// Returns whether the peer is not authenticated yet.
    fn is_handshaking(&self) -> bool {
        !self.state.is_open()
    }

    fn identify(&mut self) -> Result<(), CloseReason> {
        if let Some(peer) = self.connection.peer() {
            self.state.set_identity(peer);
            self.state.open_first()?;
        }
        Ok(())
    }
}

/// Waits for the event and, during a handshake, for the session's turn.
async fn ready_for_step(
    connection: &StreamConnection,
    event: NextEvent,
    is_handshaking: bool,
    turns: &HandshakeTurns,
) -> io::Result<Option<HandshakeTurn>> {
    let interest = match event {
        NextEvent::Readable => Interest::READABLE,
        NextEvent::Writable => Interest::WRITABLE,
        NextEvent::None => {
            // A connection may send written octets only while it is polled.
            connection.ready(Interest::WRITABLE).await?;
            return if connection.has_unsent() { Ok(None) } else { future::pending().await };
        }
    };
    connection.ready(interest).await?;
    Ok(if is_handshaking { Some(turns.clone().acquire().await) } else { None })
}
