//! One session over a stream socket: waiting for the socket, for others and for deadlines.

use std::convert::Infallible;
use std::io;
use std::pin::pin;
use std::rc::Rc;

use tokio::io::Interest;

use super::connection::{StreamConnection, StreamReadError};
use crate::handler::{MessageHandler, SessionEvent};
use crate::session_log::{SESSION_ENDED, SESSION_REFUSED};
use crate::session_state::{MessageSink, PauseReason, SessionState};
use crate::statistics::CloseReason;
use crate::worker::Scratch;

/// One accepted connection.
pub(crate) struct StreamSession<H: MessageHandler> {
    connection: StreamConnection,
    state: SessionState<H>,
    /// The peer has yet to prove who it is.
    is_handshaking: bool,
}

impl<H: MessageHandler> StreamSession<H> {
    pub(crate) fn new(line: StreamConnection, state: SessionState<H>, handshaking: bool) -> Self {
        Self { connection: line, state: state, is_handshaking: handshaking }
    }

    /// The session's whole life.
    pub(crate) async fn run(mut self) {
        let reason = match self.serve().await {
            Ok(never) => match never {},
            Err(reason) => reason,
        };
        self.connection.close();
        self.state.report_closed(reason);
    }

    async fn serve(&mut self) -> Result<Infallible, CloseReason> {
        let mut armed = self.state.deadline().0;
        let mut timer = pin!(self.state.worker.sleep_until(armed));
        loop {
            if self.state.process(&mut self.connection)? == PauseReason::BatchLimit {
                // More is at hand, but others on this thread have their turn first.
                tokio::task::yield_now().await;
                continue;
            }
            let (deadline, late) = self.state.deadline();
            // A deadline that has moved away is looked at when the old one comes: cheaper than per message.
            if deadline < armed {
                armed = deadline;
                timer.as_mut().reset(self.state.worker.clock.instant(armed).into());
            }
            let reads = self.state.wants_read(&self.connection);
            let interest = if reads { Interest::READABLE } else { Interest::WRITABLE };
            tokio::select! {
                biased;
                () = self.state.woken() => {}
                ready = self.connection.ready(interest) => {
                    ready.map_err(|_| CloseReason::Error)?;
                    if reads && self.read()? == PauseReason::BatchLimit {
                        tokio::task::yield_now().await;
                    }
                }
                () = &mut timer => {
                    if self.state.worker.clock.now() >= deadline {
                        return Err(late);
                    }
                    armed = deadline;
                    timer.as_mut().reset(self.state.worker.clock.instant(armed).into());
                }
            }
        }
    }

    fn read(&mut self) -> Result<PauseReason, CloseReason> {
        let worker = Rc::clone(&self.state.worker);
        let mut scratch = worker.scratch.borrow_mut();
        let Scratch { input, reply } = &mut *scratch;
        let read = self.connection.try_read(input);
        if self.is_handshaking && self.connection.peer().is_some() {
            // Also where the stream's first octets came together with the handshake's last.
            self.identify()?;
        }
        if self.state.exceeds_idle_traffic(self.connection.octets_received()) {
            return Err(CloseReason::MalformedMessage);
        }
        match read {
            Ok(0) => {
                self.state.set_peer_eof();
                Ok(PauseReason::Incomplete)
            }
            Ok(count) => {
                let arrived = input.get_mut(..count).unwrap_or_default();
                let pause = self.state.receive(&mut self.connection, arrived, reply)?;
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
                let source = &self.state.source;
                worker.log_session(
                    source,
                    if self.is_handshaking { SESSION_REFUSED } else { SESSION_ENDED },
                    &error,
                );
                if self.is_handshaking {
                    worker.session_event(source.domain(), SessionEvent::HandshakeFailed(error.step));
                    return Err(CloseReason::HandshakeFailed);
                }
                Err(CloseReason::Error)
            }
        }
    }

    fn identify(&mut self) -> Result<(), CloseReason> {
        if let Some(peer) = self.connection.peer() {
            self.state.identify(peer)?;
            self.is_handshaking = false;
        }
        Ok(())
    }
}

impl MessageSink for StreamConnection {
    fn try_write(&mut self, octets: &[u8]) -> io::Result<usize> {
        Self::try_write(self, octets)
    }

    fn is_congested(&self) -> bool {
        Self::is_congested(self)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.transmit()
    }
}
