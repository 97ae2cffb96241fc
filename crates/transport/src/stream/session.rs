//! One session over a stream socket: waiting for the socket, for others and for deadlines.

use std::convert::Infallible;
use std::io;
use std::pin::pin;
use std::rc::Rc;

use tokio::io::Interest;

use super::line::{Line, LineError};
use crate::conversation::{Conversation, Pause, Wire};
use crate::handler::{MessageHandler, SessionEvent};
use crate::statistics::CloseReason;
use crate::told::{ENDED, REFUSED};
use crate::worker::Scratch;

/// One accepted connection.
pub(crate) struct Session<H: MessageHandler> {
    line: Line,
    conversation: Conversation<H>,
    /// The peer has yet to prove who it is.
    handshaking: bool,
}

impl<H: MessageHandler> Session<H> {
    pub(crate) fn new(line: Line, conversation: Conversation<H>, handshaking: bool) -> Self {
        Self { line, conversation, handshaking }
    }

    /// The session's whole life.
    pub(crate) async fn run(mut self) {
        let reason = match self.serve().await {
            Ok(never) => match never {},
            Err(reason) => reason,
        };
        self.line.close();
        self.conversation.closed(reason);
    }

    async fn serve(&mut self) -> Result<Infallible, CloseReason> {
        let mut armed = self.conversation.deadline().0;
        let mut timer = pin!(self.conversation.worker.sleep_until(armed));
        loop {
            if self.conversation.take_turn(&mut self.line)? == Pause::Turn {
                // More is at hand, but others on this thread have their turn first.
                tokio::task::yield_now().await;
                continue;
            }
            let (deadline, late) = self.conversation.deadline();
            // A deadline that has moved away is looked at when the old one comes: cheaper than per message.
            if deadline < armed {
                armed = deadline;
                timer.as_mut().reset(self.conversation.worker.clock.instant(armed).into());
            }
            let reads = self.conversation.reads(&self.line);
            let interest = if reads { Interest::READABLE } else { Interest::WRITABLE };
            tokio::select! {
                biased;
                () = self.conversation.roused() => {}
                ready = self.line.ready(interest) => {
                    ready.map_err(|_| CloseReason::Error)?;
                    if reads && self.read()? == Pause::Turn {
                        tokio::task::yield_now().await;
                    }
                }
                () = &mut timer => {
                    if self.conversation.worker.clock.now() >= deadline {
                        return Err(late);
                    }
                    armed = deadline;
                    timer.as_mut().reset(self.conversation.worker.clock.instant(armed).into());
                }
            }
        }
    }

    fn read(&mut self) -> Result<Pause, CloseReason> {
        let worker = Rc::clone(&self.conversation.worker);
        let mut scratch = worker.scratch.borrow_mut();
        let Scratch { input, reply } = &mut *scratch;
        let read = self.line.try_read(input);
        if self.handshaking && self.line.peer().is_some() {
            // Also where the stream's first octets came together with the handshake's last.
            self.identify()?;
        }
        if self.conversation.is_nonsense(self.line.received()) {
            return Err(CloseReason::NotAMessage);
        }
        match read {
            Ok(0) => {
                self.conversation.ended_by_peer();
                Ok(Pause::Incomplete)
            }
            Ok(count) => {
                let arrived = input.get_mut(..count).unwrap_or_default();
                let pause = self.conversation.take_in(&mut self.line, arrived, reply)?;
                match self.line.settle() {
                    Err(error) if error.kind() != io::ErrorKind::WouldBlock => Err(CloseReason::Error),
                    _ => Ok(pause),
                }
            }
            Err(LineError::Io(error)) if error.kind() == io::ErrorKind::WouldBlock => Ok(Pause::Incomplete),
            Err(LineError::Io(_)) => Err(self.conversation.reason_of_end()),
            Err(LineError::Turn) => Ok(Pause::Turn),
            Err(LineError::Channel(error)) => {
                let source = &self.conversation.source;
                worker.tell(source, if self.handshaking { REFUSED } else { ENDED }, &error);
                if self.handshaking {
                    worker.session_event(source.domain(), SessionEvent::HandshakeFailed(error.step));
                    return Err(CloseReason::HandshakeFailed);
                }
                Err(CloseReason::Error)
            }
        }
    }

    fn identify(&mut self) -> Result<(), CloseReason> {
        if let Some(peer) = self.line.peer() {
            self.conversation.identify(peer)?;
            self.handshaking = false;
        }
        Ok(())
    }
}

impl Wire for Line {
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
