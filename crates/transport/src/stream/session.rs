//! A session over a stream socket: waits for the socket, wakeups and deadlines.

use std::convert::Infallible;
use std::pin::pin;
use std::rc::Rc;
use std::{future, io};

use tokio::io::Interest;

use super::connection::{StreamConnection, StreamReadError};
use crate::handler::{MessageHandler, SessionEvent};
use crate::handshake_turns::{HandshakeTurn, HandshakeTurns};
use crate::session_log::{SESSION_ENDED, SESSION_REFUSED};
use crate::session_source::SessionSource;
use crate::session_state::{NextEvent, PauseReason, SessionState};
use crate::statistics::CloseReason;

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
        let mut timer = pin!(self.state.worker().sleep_until(timer_deadline));
        let outbox = Rc::clone(self.state.outbox());
        // Kept until it is ready, because creating it for each message is expensive.
        let mut woken = pin!(outbox.woken());
        loop {
            if self.state.process(&mut self.connection)? == PauseReason::BatchLimit {
                // More messages are available, but other tasks on this thread run first.
                tokio::task::yield_now().await;
                continue;
            }
            let (deadline, reason) = self.state.deadline();
            // For a later deadline, the timer fires early and is then set again, which is cheaper
            // than resetting it for each message.
            if deadline < timer_deadline {
                timer_deadline = deadline;
                timer.as_mut().reset(self.state.worker().clock.instant(timer_deadline).into());
            }
            let event = self.state.next_event(&self.connection);
            let worker = Rc::clone(self.state.worker());
            let is_handshaking = self.is_handshaking();
            tokio::select! {
                biased;
                () = &mut woken => woken.set(outbox.woken()),
                ready = ready_for_step(&self.connection, event, is_handshaking, &worker.handshake_turns) => {
                    let turn = ready.map_err(|_| CloseReason::Error)?;
                    let reads = event == NextEvent::Readable;
                    let pause = if reads { self.read() } else { Ok(PauseReason::Incomplete) };
                    match turn {
                        Some(turn) => turn.finish().await,
                        None if pause == Ok(PauseReason::BatchLimit) => tokio::task::yield_now().await,
                        None => {}
                    }
                    pause?;
                }
                () = &mut timer => {
                    if self.state.worker().clock.now() >= deadline {
                        return Err(reason);
                    }
                    timer_deadline = deadline;
                    timer.as_mut().reset(self.state.worker().clock.instant(timer_deadline).into());
                }
            }
        }
    }

    fn read(&mut self) -> Result<PauseReason, CloseReason> {
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
                Ok(PauseReason::Incomplete)
            }
            Ok(count) => {
                let received = input.get_mut(..count).unwrap_or_default();
                let pause = self.state.receive(&mut self.connection, received)?;
                self.state.record_memory(self.connection.octets_received());
                match self.connection.transmit_deferred() {
                    Err(error) if error.kind() != io::ErrorKind::WouldBlock => Err(CloseReason::Error),
                    _ => Ok(pause),
                }
            }
            Err(StreamReadError::Io(error)) if error.kind() == io::ErrorKind::WouldBlock => {
                Ok(PauseReason::Incomplete)
            }
            Err(StreamReadError::Io(_)) => Err(self.state.eof_close_reason()),
            Err(StreamReadError::ReceiveLimit) => Ok(PauseReason::BatchLimit),
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
