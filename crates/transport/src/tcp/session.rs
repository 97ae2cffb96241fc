//! One TCP session: messages in, answers out, and every reason to end it.
//!
//! ```text
//!            ┌────────────── answers wait for the peer: no reading (back-pressure) ◀───┐
//!            ▼                                                                         │
//! read ──▶ cut into messages ──▶ handle ──▶ write the answer at once ──not all taken───┘
//! ```
//! A session that is idle holds no buffer: reading goes into the worker's buffer, and only the beginning of an
//! incomplete message, or the rest of an answer the peer did not take, is kept. So announcing a long message costs
//! nothing until its octets arrive.

use std::convert::Infallible;
use std::io;
use std::mem;
use std::net::SocketAddr;
use std::pin::pin;
use std::rc::Rc;

use portreeve_smi::{Timestamp, TmStateReference, TransportAddress, TransportDomain};
use portreeve_sys::LocalAddress;
use tokio::io::Interest;
use tokio::net::TcpStream;

use super::Outbox;
use crate::admission::Place;
use crate::framing::{FramingError, message_length};
use crate::handler::{Disposition, MessageHandler, Source};
use crate::statistics::CloseReason;
use crate::worker::{Panicked, Scratch, Worker};

/// One accepted connection.
pub(super) struct Session<H: MessageHandler> {
    worker: Rc<Worker<H>>,
    stream: TcpStream,
    source: Source,
    place: Place,
    outbox: Rc<Outbox>,
    /// Octets that are read but not handled: an incomplete message, or several while answers wait.
    inbox: Vec<u8>,
    /// Why the session ends as soon as the answers are taken.
    ending: Option<CloseReason>,
    opened: Timestamp,
    last_message: Timestamp,
    /// Since when the peer has taken nothing of what waits for it.
    stalled: Option<Timestamp>,
}

impl<H: MessageHandler> Session<H> {
    pub(super) fn new(
        worker: Rc<Worker<H>>,
        listener: usize,
        stream: TcpStream,
        peer: SocketAddr,
        place: Place,
    ) -> Self {
        let address = TransportAddress::Ip(peer);
        let tm_state = TmStateReference {
            session: Some(place.id()),
            ..TmStateReference::unauthenticated(TransportDomain::Tcp, address)
        };
        let local = stream.local_addr().ok();
        let source = Source {
            tm_state,
            local: local.map(|local| LocalAddress { address: local.ip(), interface: 0 }),
            max_message_size: worker.limits.max_message_size,
            listener,
            socket: usize::MAX,
        };
        let outbox = Rc::new(Outbox::new(place.ticket().clone()));
        worker.sessions.borrow_mut().insert(place.id(), Rc::clone(&outbox));
        let now = worker.clock.now();
        Self {
            worker,
            stream,
            source,
            place,
            outbox,
            inbox: Vec::new(),
            ending: None,
            opened: now,
            last_message: now,
            stalled: None,
        }
    }

    /// The session's whole life.
    pub(super) async fn run(mut self) {
        let reason = match self.serve().await {
            Ok(never) => match never {},
            Err(reason) => reason,
        };
        self.worker.statistics.closed(reason);
        self.worker.session_closed(self.place.id());
        tracing::debug!(peer = ?self.source.peer(), ?reason, "session closed");
    }

    async fn serve(&mut self) -> Result<Infallible, CloseReason> {
        let mut armed = self.deadline().0;
        let mut timer = pin!(self.worker.sleep_until(armed));
        loop {
            if self.take_turn()? == Pause::Turn {
                // More is at hand, but others on this thread have their turn first.
                tokio::task::yield_now().await;
                continue;
            }
            let (deadline, late) = self.deadline();
            // A deadline that has moved away is looked at when the old one comes: cheaper than per message.
            if deadline < armed {
                armed = deadline;
                timer.as_mut().reset(self.worker.clock.instant(armed).into());
            }
            let interest = if self.reads() { Interest::READABLE } else { Interest::WRITABLE };
            tokio::select! {
                biased;
                () = self.outbox.roused() => {}
                ready = self.stream.ready(interest) => {
                    ready.map_err(|_| CloseReason::Error)?;
                    if self.reads() && self.read()? == Pause::Turn {
                        tokio::task::yield_now().await;
                    }
                }
                () = &mut timer => {
                    if self.worker.clock.now() >= deadline {
                        return Err(late);
                    }
                    armed = deadline;
                    timer.as_mut().reset(self.worker.clock.instant(armed).into());
                }
            }
        }
    }

    /// What can be done without waiting, other than reading.
    fn take_turn(&mut self) -> Result<Pause, CloseReason> {
        if self.place.ticket().is_displaced() {
            return Err(CloseReason::ForRoom);
        }
        if self.outbox.has_overflowed() {
            return Err(CloseReason::Stalled);
        }
        self.write_waiting()?;
        if !self.outbox.is_empty() {
            return Ok(Pause::Congested);
        }
        if self.worker.stopping.get() {
            return Err(CloseReason::Shutdown);
        }
        let pause = self.handle_inbox()?;
        match self.ending {
            Some(reason) if pause == Pause::Incomplete && self.outbox.is_empty() => Err(reason),
            _ => Ok(pause),
        }
    }

    /// Whether more is to be read: not while the peer leaves answers unread, nor after its end.
    fn reads(&self) -> bool {
        self.outbox.is_empty() && self.ending.is_none()
    }

    fn read(&mut self) -> Result<Pause, CloseReason> {
        let worker = Rc::clone(&self.worker);
        let mut scratch = worker.scratch.borrow_mut();
        let Scratch { input, reply } = &mut *scratch;
        let count = match self.stream.try_read(input) {
            Ok(0) => {
                // A peer may close its side and still wait for answers.
                let reason = if self.inbox.is_empty() { CloseReason::ByPeer } else { CloseReason::InMessage };
                self.ending = Some(reason);
                return Ok(Pause::Incomplete);
            }
            Ok(count) => count,
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => return Ok(Pause::Incomplete),
            Err(_) if self.inbox.is_empty() => return Err(CloseReason::ByPeer),
            Err(_) => return Err(CloseReason::InMessage),
        };
        let arrived = input.get_mut(..count).unwrap_or_default();
        if self.inbox.is_empty() {
            let (handled, pause) = self.handle_messages(arrived, reply)?;
            self.inbox.extend_from_slice(arrived.get(handled..).unwrap_or_default());
            return Ok(pause);
        }
        self.inbox.extend_from_slice(arrived);
        drop(scratch);
        self.handle_inbox()
    }

    /// Handles the complete messages that wait in the inbox.
    fn handle_inbox(&mut self) -> Result<Pause, CloseReason> {
        if self.inbox.is_empty() {
            return Ok(Pause::Incomplete);
        }
        let worker = Rc::clone(&self.worker);
        let mut scratch = worker.scratch.borrow_mut();
        let mut inbox = mem::take(&mut self.inbox);
        let (handled, pause) = self.handle_messages(&mut inbox, &mut scratch.reply)?;
        if handled < inbox.len() {
            inbox.drain(..handled);
            self.inbox = inbox;
        }
        Ok(pause)
    }

    /// Handles messages from the front of `stream`; returns how many octets they had, and why it stopped.
    fn handle_messages(
        &mut self,
        stream: &mut [u8],
        reply: &mut [u8],
    ) -> Result<(usize, Pause), CloseReason> {
        let mut handled = 0;
        for _ in 0..TURN {
            if !self.outbox.is_empty() {
                return Ok((handled, Pause::Congested));
            }
            let rest = stream.get_mut(handled..).unwrap_or_default();
            let length = message_length(rest, self.worker.limits.max_message_size).map_err(reason_of)?;
            let Some(message) = length.and_then(|length| rest.get_mut(..length)) else {
                return Ok((handled, Pause::Incomplete));
            };
            handled += message.len();
            self.handle(message, reply)?;
        }
        Ok((handled, Pause::Turn))
    }

    fn handle(&mut self, message: &mut [u8], reply: &mut [u8]) -> Result<(), CloseReason> {
        let disposition = match self.worker.handle(&self.source, message, reply) {
            Ok(disposition) => disposition,
            Err(Panicked) => return Err(CloseReason::Panic),
        };
        self.last_message = self.worker.clock.now();
        self.worker.reconsider_timeout();
        if disposition != Disposition::Dropped {
            self.place.accepted(self.last_message);
        }
        match disposition {
            Disposition::Reply(range) => self.send(reply.get(range).unwrap_or_default()),
            Disposition::Pending | Disposition::Accepted | Disposition::Dropped => Ok(()),
        }
    }

    /// Writes an answer, and keeps what the peer does not take at once.
    fn send(&mut self, answer: &[u8]) -> Result<(), CloseReason> {
        // Where something waits already, this goes behind it.
        let taken = if self.outbox.is_empty() {
            match self.stream.try_write(answer) {
                Ok(taken) => taken,
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => 0,
                Err(_) => return Err(CloseReason::Error),
            }
        } else {
            0
        };
        if let Some(rest @ [_, ..]) = answer.get(taken..) {
            self.outbox.push_rest(rest);
            self.stalled.get_or_insert(self.worker.clock.now());
        }
        Ok(())
    }

    fn write_waiting(&mut self) -> Result<(), CloseReason> {
        if self.outbox.is_empty() {
            self.stalled = None;
            return Ok(());
        }
        let progress = self.outbox.drain(|bytes| self.stream.try_write(bytes));
        let progress = progress.map_err(|_| CloseReason::Error)?;
        if self.outbox.is_empty() {
            self.stalled = None;
        } else if progress || self.stalled.is_none() {
            self.stalled = Some(self.worker.clock.now());
        }
        Ok(())
    }

    /// When the session ends unless something happens, and why.
    fn deadline(&self) -> (Timestamp, CloseReason) {
        let limits = &self.worker.limits;
        if let Some(since) = self.stalled {
            (since + limits.stall, CloseReason::Stalled)
        } else if self.place.is_answered() {
            (self.last_message + limits.idle, CloseReason::Idle)
        } else {
            (self.opened + limits.grace, CloseReason::Unanswered)
        }
    }
}

/// Why handling stopped.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum Pause {
    /// What is left is no complete message.
    Incomplete,
    /// Answers wait for the peer.
    Congested,
    /// One session has had enough in a row.
    Turn,
}

fn reason_of(error: FramingError) -> CloseReason {
    match error {
        FramingError::NotAMessage => CloseReason::NotAMessage,
        FramingError::TooLong => CloseReason::TooLong,
    }
}

/// Messages one session may have handled in a row while others wait.
const TURN: usize = 32;
