//! The transport-independent state of one session: received octets, messages to handle, responses
//! to send, and the reasons to close it.
//!
//! ```text
//!            ┌────────── responses pending: no reading (back pressure) ◀─────────────┐
//!            ▼                                                                       │
//! octets ──▶ split into messages ──▶ handle ──▶ write the response ── partial write ─┘
//! ```
//! An idle session holds no buffer: octets are handled in the buffer they were read into. Only the
//! beginning of an incomplete message and the unsent rest of a response are stored. A peer that
//! announces a long message therefore occupies no memory until it sends the octets.

use std::io;
use std::mem;
use std::rc::Rc;

use portreeve_channel::PeerIdentity;
use portreeve_smi::{SecurityLevel, Timestamp};

use crate::framing::{FramingError, message_length};
use crate::handler::{Disposition, MessageHandler, MessageSource, SessionEvent};
use crate::outbox::Outbox;
use crate::session_limits::{SessionSlot, new_session_memory};
use crate::session_log::{NoSecurityNameMessage, SESSION_REFUSED};
use crate::statistics::CloseReason;
use crate::worker::{HandlerPanicError, Worker};

/// The state of one session, separate from the connection that carries it.
pub(crate) struct SessionState<H: MessageHandler> {
    pub(crate) worker: Rc<Worker<H>>,
    pub(crate) source: MessageSource,
    outbox: Rc<Outbox>,
    slot: SessionSlot,
    /// The identity of the peer after it has been authenticated.
    identity: Option<PeerIdentity>,
    /// Octets that were read but not handled yet: an incomplete message, or several messages while
    /// responses are pending.
    inbox: Vec<u8>,
    /// The close reason, if the session is to close as soon as the pending responses are sent.
    close_after_flush: Option<CloseReason>,
    opened_at: Timestamp,
    last_message_at: Timestamp,
    /// The time at which the last message was received, and the total number of octets received by
    /// then.
    traffic_at_last_message: (Timestamp, u64),
    /// The time since which the peer has accepted none of the pending octets.
    stalled_since: Option<Timestamp>,
}

/// The destination of responses. `WouldBlock` means that the peer accepts nothing at the moment.
pub(crate) trait MessageSink {
    /// Writes as many of the first octets as possible without blocking.
    fn try_write(&mut self, octets: &[u8]) -> io::Result<usize>;

    /// Returns whether octets written earlier are still buffered.
    fn is_congested(&self) -> bool;

    /// Sends buffered octets.
    fn flush(&mut self) -> io::Result<()>;
}

impl<H: MessageHandler> SessionState<H> {
    /// Creates the session of `source`; its session ID is that of its slot.
    pub(crate) fn new(worker: Rc<Worker<H>>, source: MessageSource, slot: SessionSlot) -> Self {
        let outbox = Rc::new(Outbox::new(slot.handle().clone()));
        worker.sessions.borrow_mut().insert(slot.id(), Rc::clone(&outbox));
        let now = worker.clock.now();
        Self {
            worker,
            source,
            outbox,
            slot,
            identity: None,
            inbox: Vec::new(),
            close_after_flush: None,
            opened_at: now,
            last_message_at: now,
            traffic_at_last_message: (now, 0),
            stalled_since: None,
        }
    }

    /// Waits until the session is woken to check its state.
    pub(crate) async fn woken(&self) {
        self.outbox.woken().await;
    }

    /// Returns whether the peer has sent more than [`MAX_IDLE_TRAFFIC`] octets since the last
    /// message, for example endless rekeys or records without content. `octets` is the total
    /// received so far.
    pub(crate) fn exceeds_idle_traffic(&mut self, octets: u64) -> bool {
        if self.last_message_at != self.traffic_at_last_message.0 {
            self.traffic_at_last_message = (self.last_message_at, octets);
        }
        octets.saturating_sub(self.traffic_at_last_message.1) > MAX_IDLE_TRAFFIC
    }

    /// Records the memory of an inactive session, including the received octets. `octets` is the
    /// number of octets that the channel has received so far; its buffers may contain all of them.
    pub(crate) fn record_memory(&self, octets: u64) {
        if !self.slot.is_active() {
            let base = new_session_memory(self.source.domain(), self.source.peer());
            let octets = usize::try_from(octets).unwrap_or(usize::MAX);
            self.slot.record_memory(base.saturating_add(self.inbox.capacity()).saturating_add(octets));
        }
    }

    /// Looks up the securityName of the authenticated peer; the caller must close the session if
    /// the peer has no securityName.
    pub(crate) fn identify(&mut self, peer: &PeerIdentity) -> Result<(), CloseReason> {
        let Self { worker, source, slot, .. } = self;
        let domain = source.domain();
        let Some(name) = worker.security.names.security_name(domain, peer) else {
            worker.log_session(source, SESSION_REFUSED, &NoSecurityNameMessage(peer));
            worker.session_event(domain, SessionEvent::NoSecurityName);
            return Err(CloseReason::NoSecurityName);
        };
        //= rfc5592#5.3-7
        //= rfc6353#5.3.1-6
        source.tm_state.security_name = Some(name.clone());
        source.tm_state.transport_level = SecurityLevel::AuthPriv;
        // The configuration may have been replaced during the handshake, so the identity is checked
        // again.
        if slot.handle().take_recheck() {
            worker.recheck_identity(source, peer)?;
        }
        worker.log_accepted(source, &name, peer);
        worker.session_event(domain, SessionEvent::Accepted);
        self.identity = Some(peer.clone());
        Ok(())
    }

    /// Sends pending responses and handles received messages, as far as possible without waiting.
    /// Does not read from the socket.
    pub(crate) fn process(&mut self, sink: &mut impl MessageSink) -> Result<PauseReason, CloseReason> {
        if self.slot.handle().is_evicted() {
            return Err(CloseReason::Evicted);
        }
        self.recheck_identity()?;
        if self.outbox.has_overflowed() {
            return Err(CloseReason::Stalled);
        }
        self.write_pending(sink)?;
        if !self.is_flushed(sink) {
            return Ok(PauseReason::Congested);
        }
        if self.worker.is_shutting_down.get() {
            return Err(CloseReason::Shutdown);
        }
        let pause = self.handle_inbox(sink)?;
        match self.close_after_flush {
            Some(reason) if pause == PauseReason::Incomplete && self.is_flushed(sink) => Err(reason),
            _ => Ok(pause),
        }
    }

    /// Returns whether to read more octets. Returns false while responses are pending and after the
    /// peer has ended its stream.
    pub(crate) fn wants_read(&self, sink: &impl MessageSink) -> bool {
        self.is_flushed(sink) && self.close_after_flush.is_none()
    }

    /// Handles received octets. `reply` is the worker's reply buffer.
    pub(crate) fn receive(
        &mut self,
        sink: &mut impl MessageSink,
        received: &mut [u8],
        reply: &mut [u8],
    ) -> Result<PauseReason, CloseReason> {
        self.recheck_identity()?;
        if self.inbox.is_empty() {
            let (handled, pause) = self.handle_messages(sink, received, reply)?;
            self.inbox.extend_from_slice(received.get(handled..).unwrap_or_default());
            return Ok(pause);
        }
        self.inbox.extend_from_slice(received);
        self.handle_inbox_with(sink, reply)
    }

    /// Checks the identity if the configuration has been replaced since the last check. No message
    /// is handled before this check.
    fn recheck_identity(&self) -> Result<(), CloseReason> {
        match &self.identity {
            Some(identity) if self.slot.handle().take_recheck() => {
                self.worker.recheck_identity(&self.source, identity)
            }
            _ => Ok(()),
        }
    }

    /// Records that the peer has finished sending; it may still wait for responses.
    pub(crate) fn set_peer_eof(&mut self) {
        self.close_after_flush = Some(self.eof_close_reason());
    }

    /// Returns the close reason for a stream that ends now.
    pub(crate) fn eof_close_reason(&self) -> CloseReason {
        if self.inbox.is_empty() { CloseReason::ByPeer } else { CloseReason::ByPeerMidMessage }
    }

    /// Returns the current deadline at which the session will be closed, and the close reason.
    pub(crate) fn deadline(&self) -> (Timestamp, CloseReason) {
        let limits = &self.worker.limits;
        let (deadline, reason) = if let Some(since) = self.stalled_since {
            (since + limits.stall_timeout, CloseReason::Stalled)
        } else if self.slot.is_active() {
            (self.last_message_at + limits.idle_timeout, CloseReason::Idle)
        } else {
            (self.opened_at + limits.first_message_timeout, CloseReason::NoMessage)
        };
        let end = self.opened_at + limits.max_session_duration;
        if end < deadline { (end, CloseReason::MaxDuration) } else { (deadline, reason) }
    }

    /// Counts the close and notifies the handler.
    pub(crate) fn report_closed(&self, reason: CloseReason) {
        let domain = self.source.domain();
        //= rfc5592#5.4-1
        //= rfc6353#5.4-1
        if self.source.tm_state.security_name.is_some() && reason.is_local() {
            self.worker.session_event(domain, SessionEvent::ClosedLocally);
        }
        self.worker.statistics.count_close(reason);
        self.worker.session_closed(domain, self.slot.id());
        tracing::debug!(peer = %self.source.peer(), transport = %domain, %reason, "session closed");
    }

    fn is_flushed(&self, sink: &impl MessageSink) -> bool {
        self.outbox.is_empty() && !sink.is_congested()
    }

    /// Handles the complete messages in the inbox.
    fn handle_inbox(&mut self, sink: &mut impl MessageSink) -> Result<PauseReason, CloseReason> {
        if self.inbox.is_empty() {
            return Ok(PauseReason::Incomplete);
        }
        let worker = Rc::clone(&self.worker);
        let mut scratch = worker.scratch.borrow_mut();
        self.handle_inbox_with(sink, &mut scratch.reply)
    }

    fn handle_inbox_with(
        &mut self,
        sink: &mut impl MessageSink,
        reply: &mut [u8],
    ) -> Result<PauseReason, CloseReason> {
        let mut inbox = mem::take(&mut self.inbox);
        let (handled, pause) = self.handle_messages(sink, &mut inbox, reply)?;
        if handled < inbox.len() {
            inbox.drain(..handled);
            self.inbox = inbox;
        }
        Ok(pause)
    }

    /// Handles messages from the front of `stream`. Returns the number of octets handled and the
    /// reason for stopping.
    fn handle_messages(
        &mut self,
        sink: &mut impl MessageSink,
        stream: &mut [u8],
        reply: &mut [u8],
    ) -> Result<(usize, PauseReason), CloseReason> {
        let mut handled = 0;
        for _ in 0..MAX_BATCH {
            if !self.is_flushed(sink) {
                return Ok((handled, PauseReason::Congested));
            }
            let rest = stream.get_mut(handled..).unwrap_or_default();
            let length =
                message_length(rest, self.worker.limits.max_message_size).map_err(close_reason_for)?;
            let Some(message) = length.and_then(|length| rest.get_mut(..length)) else {
                return Ok((handled, PauseReason::Incomplete));
            };
            handled += message.len();
            self.handle(sink, message, reply)?;
        }
        Ok((handled, PauseReason::BatchLimit))
    }

    fn handle(
        &mut self,
        sink: &mut impl MessageSink,
        message: &mut [u8],
        reply: &mut [u8],
    ) -> Result<(), CloseReason> {
        let disposition = match self.worker.handle(&self.source, message, reply) {
            Ok(disposition) => disposition,
            Err(HandlerPanicError) => return Err(CloseReason::Panic),
        };
        self.last_message_at = self.worker.clock.now();
        self.worker.update_timer();
        if disposition.is_accepted() {
            self.slot.record_accepted_message(self.last_message_at);
        }
        match disposition {
            Disposition::Reply(range)
            | Disposition::UnauthenticatedReply(range)
            | Disposition::Report(range) => self.send(sink, reply.get(range).unwrap_or_default()),
            Disposition::Pending | Disposition::Accepted | Disposition::Dropped => Ok(()),
        }
    }

    /// Sends a response, and queues what cannot be written at once.
    fn send(&mut self, sink: &mut impl MessageSink, response: &[u8]) -> Result<(), CloseReason> {
        // If octets are already queued, append this response to them.
        let written = if self.outbox.is_empty() {
            match sink.try_write(response) {
                Ok(written) => written,
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => 0,
                Err(_) => return Err(CloseReason::Error),
            }
        } else {
            0
        };
        if let Some(rest @ [_, ..]) = response.get(written..) {
            self.outbox.push_rest(rest);
        }
        if !self.is_flushed(sink) {
            self.stalled_since.get_or_insert(self.worker.clock.now());
        }
        Ok(())
    }

    fn write_pending(&mut self, sink: &mut impl MessageSink) -> Result<(), CloseReason> {
        if self.is_flushed(sink) {
            self.stalled_since = None;
            return Ok(());
        }
        let progress = match sink.flush() {
            Ok(()) => self.outbox.drain(|octets| sink.try_write(octets)).map_err(|_| CloseReason::Error)?,
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => false,
            Err(_) => return Err(CloseReason::Error),
        };
        if self.is_flushed(sink) {
            self.stalled_since = None;
        } else if progress || self.stalled_since.is_none() {
            self.stalled_since = Some(self.worker.clock.now());
        }
        Ok(())
    }
}

/// The reason why handling of messages paused.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum PauseReason {
    /// The rest is not a complete message.
    Incomplete,
    /// Responses are pending, and the peer must accept them first.
    Congested,
    /// The session has handled [`MAX_BATCH`] messages; other sessions run first.
    BatchLimit,
}

fn close_reason_for(error: FramingError) -> CloseReason {
    match error {
        FramingError::Malformed => CloseReason::MalformedMessage,
        FramingError::TooLong => CloseReason::MessageTooLong,
    }
}

/// The maximum number of messages that one session handles before other sessions run.
const MAX_BATCH: usize = 32;
/// The maximum number of octets received without a complete message. It exceeds an SSH window plus
/// the longest message.
const MAX_IDLE_TRAFFIC: u64 = 1 << 20;
