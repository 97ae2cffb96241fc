//! What goes on in one session, whatever carries it: octets in, messages handled, answers out, and every reason to end.
//!
//! ```text
//!                ┌────────── answers wait for the peer: no reading (back-pressure) ◀───┐
//!                ▼                                                                     │
//! octets ──▶ cut into messages ──▶ handle ──▶ write the answer at once ──not all taken─┘
//! ```
//! A session that is idle holds no buffer: what arrives is handled where it was read into, and only the beginning of an
//! incomplete message, or the rest of an answer the peer did not take, is kept. So announcing a long message costs
//! nothing until its octets arrive.

use std::io;
use std::mem;
use std::rc::Rc;

use portreeve_channel::PeerIdentity;
use portreeve_smi::{SecurityLevel, Timestamp};

use crate::framing::{FramingError, message_length};
use crate::handler::{Disposition, MessageHandler, MessageSource, SessionEvent};
use crate::outbox::Outbox;
use crate::session_limits::SessionSlot;
use crate::session_log::{NoSecurityNameMessage, SESSION_REFUSED};
use crate::statistics::CloseReason;
use crate::worker::{HandlerPanicError, Worker};

/// One session's state, beside the connection that carries it.
pub(crate) struct SessionState<H: MessageHandler> {
    pub(crate) worker: Rc<Worker<H>>,
    pub(crate) source: MessageSource,
    outbox: Rc<Outbox>,
    slot: SessionSlot,
    /// Octets that are read but not handled: an incomplete message, or several while answers wait.
    inbox: Vec<u8>,
    /// Why the session ends as soon as the answers are taken.
    close_after_flush: Option<CloseReason>,
    opened: Timestamp,
    last_message: Timestamp,
    /// How much had come from the peer, whatever it was, when the last message was first seen to have come, and when it came.
    traffic_at_last_message: (Timestamp, u64),
    /// Since when the peer has taken nothing of what waits for it.
    stalled_since: Option<Timestamp>,
}

/// Where answers go. `WouldBlock` says that the peer takes nothing now.
pub(crate) trait MessageSink {
    /// Takes octets off the front, as many as it can without waiting.
    fn try_write(&mut self, octets: &[u8]) -> io::Result<usize>;

    /// Whether octets that it took already wait for the peer.
    fn is_congested(&self) -> bool;

    /// Hands on what it took and what waits.
    fn flush(&mut self) -> io::Result<()>;
}

impl<H: MessageHandler> SessionState<H> {
    /// A session from `source`, whose session id is its slot's.
    pub(crate) fn new(worker: Rc<Worker<H>>, source: MessageSource, slot: SessionSlot) -> Self {
        let outbox = Rc::new(Outbox::new(slot.handle().clone()));
        worker.sessions.borrow_mut().insert(slot.id(), Rc::clone(&outbox));
        let now = worker.clock.now();
        Self {
            worker: worker,
            source,
            outbox,
            slot: slot,
            inbox: Vec::new(),
            close_after_flush: None,
            opened: now,
            last_message: now,
            traffic_at_last_message: (now, 0),
            stalled_since: None,
        }
    }

    /// Waits until somebody else wants the session to look after its state.
    pub(crate) async fn woken(&self) {
        self.outbox.woken().await;
    }

    /// What has others rouse the session.
    pub(crate) fn outbox(&self) -> &Rc<Outbox> {
        &self.outbox
    }

    /// Whether of the octets that have come, so many in all, more came since the last message than the next can have: new
    /// keys without end, or packets and records that say nothing.
    pub(crate) fn exceeds_idle_traffic(&mut self, octets: u64) -> bool {
        if self.last_message != self.traffic_at_last_message.0 {
            self.traffic_at_last_message = (self.last_message, octets);
        }
        octets.saturating_sub(self.traffic_at_last_message.1) > MAX_IDLE_TRAFFIC
    }

    /// Octets that have arrived and wait to be handled.
    pub(crate) fn backlog(&self) -> usize {
        self.inbox.len()
    }

    /// The peer takes something again of what waits for it.
    pub(crate) fn record_write_progress(&mut self) {
        if self.stalled_since.is_some() {
            self.stalled_since = Some(self.worker.clock.now());
        }
    }

    /// The connection under the session has stopped to take anything, or goes on.
    pub(crate) fn set_stalled(&mut self, stalled: bool) {
        self.stalled_since =
            if stalled { self.stalled_since.or_else(|| Some(self.worker.clock.now())) } else { None };
    }

    /// The peer has proven who it is: the transport model gives it a securityName, or it may not stay.
    pub(crate) fn identify(&mut self, peer: &PeerIdentity) -> Result<(), CloseReason> {
        let Self { worker, source, .. } = self;
        let domain = source.domain();
        let Some(name) = worker.security.names.security_name(domain, peer) else {
            worker.log_session(source, SESSION_REFUSED, &NoSecurityNameMessage(peer));
            worker.session_event(domain, SessionEvent::NoSecurityName);
            return Err(CloseReason::NoSecurityName);
        };
        //= rfc5592#5.3-7
        //= rfc6353#5.3.1-6
        source.tm_state.security_name = Some(name);
        source.tm_state.transport_level = SecurityLevel::AuthPriv;
        worker.session_event(domain, SessionEvent::Accepted);
        Ok(())
    }

    /// What can be done without waiting, other than reading.
    pub(crate) fn process(&mut self, wire: &mut impl MessageSink) -> Result<PauseReason, CloseReason> {
        if self.slot.handle().is_evicted() {
            return Err(CloseReason::Evicted);
        }
        if self.outbox.has_overflowed() {
            return Err(CloseReason::Stalled);
        }
        self.write_pending(wire)?;
        if !self.has_no_pending_output(wire) {
            return Ok(PauseReason::Congested);
        }
        if self.worker.is_shutting_down.get() {
            return Err(CloseReason::Shutdown);
        }
        let pause = self.handle_inbox(wire)?;
        match self.close_after_flush {
            Some(reason) if pause == PauseReason::Incomplete && self.has_no_pending_output(wire) => {
                Err(reason)
            }
            _ => Ok(pause),
        }
    }

    /// Whether more is to be read: not while the peer leaves answers unread, nor after its end.
    pub(crate) fn wants_read(&self, wire: &impl MessageSink) -> bool {
        self.has_no_pending_output(wire) && self.close_after_flush.is_none()
    }

    /// Takes in octets that have arrived, with the worker's buffer for answers.
    pub(crate) fn receive(
        &mut self,
        wire: &mut impl MessageSink,
        arrived: &mut [u8],
        reply: &mut [u8],
    ) -> Result<PauseReason, CloseReason> {
        if self.inbox.is_empty() {
            let (handled, pause) = self.handle_messages(wire, arrived, reply)?;
            self.inbox.extend_from_slice(arrived.get(handled..).unwrap_or_default());
            return Ok(pause);
        }
        self.inbox.extend_from_slice(arrived);
        self.handle_inbox_with(wire, reply)
    }

    /// The peer's side has ended; it may still wait for answers.
    pub(crate) fn set_peer_eof(&mut self) {
        self.close_after_flush = Some(self.eof_close_reason());
    }

    /// What an end of the stream means now.
    pub(crate) fn eof_close_reason(&self) -> CloseReason {
        if self.inbox.is_empty() { CloseReason::ByPeer } else { CloseReason::ByPeerMidMessage }
    }

    /// When the session ends unless something happens, and why.
    pub(crate) fn deadline(&self) -> (Timestamp, CloseReason) {
        let limits = &self.worker.limits;
        if let Some(since) = self.stalled_since {
            (since + limits.stall_timeout, CloseReason::Stalled)
        } else if self.slot.is_active() {
            (self.last_message + limits.idle_timeout, CloseReason::Idle)
        } else {
            (self.opened + limits.first_message_timeout, CloseReason::NoMessage)
        }
    }

    /// Counts the end and tells the handler.
    pub(crate) fn report_closed(&self, reason: CloseReason) {
        let domain = self.source.domain();
        //= rfc5592#5.4-1
        //= rfc6353#5.4-1
        if self.source.tm_state.security_name.is_some() && reason.is_local() {
            self.worker.session_event(domain, SessionEvent::ClosedLocally);
        }
        self.worker.statistics.count_close(reason);
        self.worker.session_closed(domain, self.slot.id());
        tracing::debug!(peer = ?self.source.peer(), ?reason, "session closed");
    }

    fn has_no_pending_output(&self, wire: &impl MessageSink) -> bool {
        self.outbox.is_empty() && !wire.is_congested()
    }

    /// Handles the complete messages that wait in the inbox.
    fn handle_inbox(&mut self, wire: &mut impl MessageSink) -> Result<PauseReason, CloseReason> {
        if self.inbox.is_empty() {
            return Ok(PauseReason::Incomplete);
        }
        let worker = Rc::clone(&self.worker);
        let mut scratch = worker.scratch.borrow_mut();
        self.handle_inbox_with(wire, &mut scratch.reply)
    }

    fn handle_inbox_with(
        &mut self,
        wire: &mut impl MessageSink,
        reply: &mut [u8],
    ) -> Result<PauseReason, CloseReason> {
        let mut inbox = mem::take(&mut self.inbox);
        let (handled, pause) = self.handle_messages(wire, &mut inbox, reply)?;
        if handled < inbox.len() {
            inbox.drain(..handled);
            self.inbox = inbox;
        }
        Ok(pause)
    }

    /// Handles messages from the front of `stream`; returns how many octets they had, and why it stopped.
    fn handle_messages(
        &mut self,
        wire: &mut impl MessageSink,
        stream: &mut [u8],
        reply: &mut [u8],
    ) -> Result<(usize, PauseReason), CloseReason> {
        let mut handled = 0;
        for _ in 0..MAX_BATCH {
            if !self.has_no_pending_output(wire) {
                return Ok((handled, PauseReason::Congested));
            }
            let rest = stream.get_mut(handled..).unwrap_or_default();
            let length =
                message_length(rest, self.worker.limits.max_message_size).map_err(close_reason_for)?;
            let Some(message) = length.and_then(|length| rest.get_mut(..length)) else {
                return Ok((handled, PauseReason::Incomplete));
            };
            handled += message.len();
            self.handle(wire, message, reply)?;
        }
        Ok((handled, PauseReason::BatchLimit))
    }

    fn handle(
        &mut self,
        wire: &mut impl MessageSink,
        message: &mut [u8],
        reply: &mut [u8],
    ) -> Result<(), CloseReason> {
        let disposition = match self.worker.handle(&self.source, message, reply) {
            Ok(disposition) => disposition,
            Err(HandlerPanicError) => return Err(CloseReason::Panic),
        };
        self.last_message = self.worker.clock.now();
        self.worker.update_timer();
        if disposition != Disposition::Dropped {
            self.slot.record_accepted_message(self.last_message);
        }
        match disposition {
            Disposition::Reply(range) | Disposition::Report(range) => {
                self.send(wire, reply.get(range).unwrap_or_default())
            }
            Disposition::Pending | Disposition::Accepted | Disposition::Dropped => Ok(()),
        }
    }

    /// Writes an answer, and keeps what the peer does not take at once.
    fn send(&mut self, wire: &mut impl MessageSink, answer: &[u8]) -> Result<(), CloseReason> {
        // Where something waits already, this goes behind it.
        let taken = if self.outbox.is_empty() {
            match wire.try_write(answer) {
                Ok(taken) => taken,
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => 0,
                Err(_) => return Err(CloseReason::Error),
            }
        } else {
            0
        };
        if let Some(rest @ [_, ..]) = answer.get(taken..) {
            self.outbox.push_rest(rest);
        }
        if !self.has_no_pending_output(wire) {
            self.stalled_since.get_or_insert(self.worker.clock.now());
        }
        Ok(())
    }

    fn write_pending(&mut self, wire: &mut impl MessageSink) -> Result<(), CloseReason> {
        if self.has_no_pending_output(wire) {
            self.stalled_since = None;
            return Ok(());
        }
        let progress = match wire.flush() {
            Ok(()) => self.outbox.drain(|octets| wire.try_write(octets)).map_err(|_| CloseReason::Error)?,
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => false,
            Err(_) => return Err(CloseReason::Error),
        };
        if self.has_no_pending_output(wire) {
            self.stalled_since = None;
        } else if progress || self.stalled_since.is_none() {
            self.stalled_since = Some(self.worker.clock.now());
        }
        Ok(())
    }
}

/// Why handling stopped.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum PauseReason {
    /// What is left is no complete message.
    Incomplete,
    /// Answers wait for the peer.
    Congested,
    /// One session has had enough in a row.
    BatchLimit,
}

fn close_reason_for(error: FramingError) -> CloseReason {
    match error {
        FramingError::Malformed => CloseReason::MalformedMessage,
        FramingError::TooLong => CloseReason::MessageTooLong,
    }
}

/// Messages one session may have handled in a row while others wait.
const MAX_BATCH: usize = 32;
/// Octets without a message in them: more than a window of SSH's and the longest message.
const MAX_IDLE_TRAFFIC: u64 = 1 << 20;
