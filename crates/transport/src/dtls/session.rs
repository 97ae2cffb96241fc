//! One DTLS session: its channel, slot and deadlines.

use std::fmt::Display;
use std::net::SocketAddr;
use std::ops::Range;
use std::os::fd::AsFd;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Instant;

use portreeve_channel::{ChannelEvent, PeerIdentity, SecureDatagrams};
use portreeve_smi::{SecurityLevel, Timestamp};
use portreeve_sys::{Endpoint, LocalAddress, send_to};

use crate::handler::{Disposition, MessageHandler, MessageSource, SessionEvent};
use crate::session_limits::{SessionSlot, new_session_memory};
use crate::session_log::{IDENTITY_NOT_ACCEPTED, NoSecurityNameMessage, SESSION_ENDED, SESSION_REFUSED};
use crate::statistics::{CloseReason, SessionStatistics, increment};
use crate::worker::{HandlerPanicError, Worker};

/// A session, or a handshake that may become one.
pub(super) struct DtlsSession {
    /// The random of the ClientHello that started the handshake.
    pub(super) hello: [u8; 32],
    pub(super) source: MessageSource,
    pub(super) peer: SocketAddr,
    channel: Box<dyn SecureDatagrams>,
    slot: SessionSlot,
    /// The number of octets received until the first accepted message.
    octets_received: usize,
    opened_at: Timestamp,
    last_message_at: Timestamp,
}

impl DtlsSession {
    pub(super) fn new(
        hello: [u8; 32],
        source: MessageSource,
        peer: SocketAddr,
        channel: Box<dyn SecureDatagrams>,
        slot: SessionSlot,
        now: Timestamp,
    ) -> Self {
        slot.record_listener(source.listener);
        Self { hello, source, peer, channel, slot, octets_received: 0, opened_at: now, last_message_at: now }
    }

    pub(super) fn id(&self) -> u64 {
        self.slot.id()
    }

    /// Returns whether the handshake is complete and the peer has a securityName.
    pub(super) fn is_open(&self) -> bool {
        self.source.tm_state.security_name.is_some()
    }

    fn is_evicted(&self) -> bool {
        self.slot.handle().is_evicted()
    }

    /// Returns whether the session has been evicted or must check its identity.
    pub(super) fn has_notice(&self) -> bool {
        self.is_evicted() || self.is_open() && self.slot.handle().needs_recheck()
    }

    /// Returns the reason to close the session, if it was evicted or if its identity is no longer
    /// accepted. Called when the slot handle of the session was notified.
    pub(super) fn handle_notice<H: MessageHandler>(&self, worker: &Worker<H>) -> Option<CloseReason> {
        if self.is_evicted() {
            return Some(CloseReason::Evicted);
        }
        if !self.is_open() || !self.slot.handle().take_recheck() {
            return None;
        }
        self.recheck_identity(worker, self.channel.peer()?).err()
    }

    /// Passes a datagram to the channel. [`process_events`](Self::process_events) handles the
    /// results.
    pub(super) fn handle_datagram(
        &mut self,
        now: Instant,
        local: Option<LocalAddress>,
        datagram: &mut [u8],
    ) -> Result<(), CloseReason> {
        // The peer may have sent to another address of this host; responses are sent from the
        // address that received the last datagram.
        self.source.local = local;
        if !self.slot.is_active() {
            self.octets_received = self.octets_received.saturating_add(datagram.len());
            let base = new_session_memory(self.source.domain(), self.source.peer());
            self.slot.record_memory(base.saturating_add(self.octets_received));
        }
        catch_panic(|| self.channel.handle_datagram(now, datagram))
    }

    /// Handles the channel's events and sends its output. The response to the first message is
    /// written to `reply` if it fits; its length is returned.
    pub(super) fn process_events<H: MessageHandler>(
        &mut self,
        worker: &Worker<H>,
        socket: &impl AsFd,
        message: &mut [u8],
        mut reply: Option<&mut [u8]>,
    ) -> Result<Option<usize>, CloseReason> {
        let mut reply_len = None;
        // The channel's remaining output is sent even after a failure.
        let result = loop {
            match catch_panic(|| self.channel.poll_event(message)) {
                Ok(None) => break Ok(()),
                Ok(Some(ChannelEvent::Open)) => {
                    if let Err(reason) = self.identify(worker) {
                        let _ = catch_panic(|| self.channel.close(Instant::now()));
                        break Err(reason);
                    }
                }
                Ok(Some(ChannelEvent::Message(range))) => {
                    let octets = message.get_mut(range).unwrap_or_default();
                    match self.handle(worker, octets) {
                        Ok(None) => {}
                        Ok(Some(range)) => {
                            let sent = self.send_reply(worker, range);
                            if let (Ok(true), Some(reply)) = (&sent, reply.take()) {
                                reply_len = catch_panic(|| self.channel.poll_transmit(reply))?;
                            }
                            if let Err(reason) = sent {
                                break Err(reason);
                            }
                        }
                        Err(reason) => break Err(reason),
                    }
                }
                Ok(Some(ChannelEvent::ClosedByPeer)) => break Err(CloseReason::ByPeer),
                Ok(Some(ChannelEvent::Failed(error))) => {
                    self.log(worker, if self.is_open() { SESSION_ENDED } else { SESSION_REFUSED }, &error);
                    if self.is_open() {
                        break Err(CloseReason::Error);
                    }
                    worker.session_event(self.source.domain(), SessionEvent::HandshakeFailed(error.step));
                    break Err(CloseReason::HandshakeFailed);
                }
                Err(reason) => break Err(reason),
            }
        };
        if result != Err(CloseReason::Panic) {
            self.transmit(socket, message, &worker.statistics)?;
        }
        result.map(|()| reply_len)
    }

    /// Sends a deferred response.
    pub(super) fn send_deferred(
        &mut self,
        socket: &impl AsFd,
        scratch: &mut [u8],
        message: &[u8],
        statistics: &SessionStatistics,
    ) {
        match catch_panic(|| self.channel.send(Instant::now(), message)) {
            Ok(Ok(())) => {}
            Ok(Err(_)) => return increment(&statistics.datagram_send_errors),
            Err(_) => return,
        }
        let _ = self.transmit(socket, scratch, statistics);
    }

    /// Handles an expired channel timeout; the caller continues with
    /// [`process_events`](Self::process_events).
    pub(super) fn handle_timeout(&mut self, now: Instant) -> Result<(), CloseReason> {
        catch_panic(|| self.channel.handle_timeout(now))
    }

    /// Returns the time of the channel's next timeout.
    pub(super) fn channel_timeout(&self) -> Option<Instant> {
        self.channel.next_timeout()
    }

    /// Returns the current deadline at which the session will be closed, and the close reason.
    pub(super) fn deadline<H: MessageHandler>(&self, worker: &Worker<H>) -> (Timestamp, CloseReason) {
        let limits = &worker.limits;
        let (deadline, reason) = if self.slot.is_active() {
            (self.last_message_at + limits.idle_timeout, CloseReason::Idle)
        } else {
            (self.opened_at + limits.first_message_timeout, CloseReason::NoMessage)
        };
        let end = self.opened_at + limits.max_session_duration;
        if end < deadline { (end, CloseReason::MaxDuration) } else { (deadline, reason) }
    }

    /// Sends an alert unless the close reason forbids it, counts the close and notifies the
    /// handler.
    pub(super) fn close<H: MessageHandler>(
        mut self,
        worker: &Worker<H>,
        socket: &impl AsFd,
        reason: CloseReason,
    ) {
        //= rfc6353#5.4-4
        if !matches!(reason, CloseReason::Panic | CloseReason::ByPeer) {
            let mut buffer = [0; MAX_ALERT_LEN];
            let _ = catch_panic(|| self.channel.close(Instant::now()));
            let _ = self.transmit(socket, &mut buffer, &worker.statistics);
        }
        //= rfc6353#5.4-1
        if self.is_open() && reason.is_local() {
            worker.session_event(self.source.domain(), SessionEvent::ClosedLocally);
        }
        worker.statistics.count_close(reason);
        worker.session_closed(self.source.domain(), self.id());
        tracing::debug!(peer = %self.peer, transport = %self.source.domain(), %reason, "session closed");
    }

    /// Looks up the securityName of the authenticated peer; the caller must close the session if
    /// the peer has no securityName.
    fn identify<H: MessageHandler>(&mut self, worker: &Worker<H>) -> Result<(), CloseReason> {
        let domain = self.source.domain();
        let Some(identity) = self.channel.peer() else { return Err(CloseReason::HandshakeFailed) };
        let Some(name) = worker.security.names.security_name(domain, identity) else {
            self.log(worker, SESSION_REFUSED, &NoSecurityNameMessage(identity));
            worker.session_event(domain, SessionEvent::NoSecurityName);
            return Err(CloseReason::NoSecurityName);
        };
        //= rfc6353#5.3.1-6
        self.source.tm_state.security_name = Some(name.clone());
        self.source.tm_state.transport_level = SecurityLevel::AuthPriv;
        // The configuration may have been replaced during the handshake, which began before this
        // session had a slot, so the identity is checked again.
        self.slot.handle().take_recheck();
        self.recheck_identity(worker, identity)?;
        worker.log_accepted(domain, self.source.peer(), &name, identity, None);
        worker.session_event(domain, SessionEvent::Accepted);
        Ok(())
    }

    /// Checks that the configuration still maps the peer to the same securityName and does not
    /// revoke its identity.
    fn recheck_identity<H: MessageHandler>(
        &self,
        worker: &Worker<H>,
        identity: &PeerIdentity,
    ) -> Result<(), CloseReason> {
        let domain = self.source.domain();
        let name = worker.security.names.security_name(domain, identity);
        if name.is_some()
            && name == self.source.tm_state.security_name
            && !worker.security.is_revoked(domain, identity)
        {
            return Ok(());
        }
        self.log(worker, SESSION_ENDED, &IDENTITY_NOT_ACCEPTED);
        Err(CloseReason::IdentityRevoked)
    }

    fn log<H: MessageHandler>(&self, worker: &Worker<H>, event: &str, error: &dyn Display) {
        worker.log_session(self.source.domain(), self.source.peer(), event, error);
    }

    /// Passes a message to the handler; returns the range of the response in the worker's reply
    /// buffer.
    fn handle<H: MessageHandler>(
        &mut self,
        worker: &Worker<H>,
        message: &mut [u8],
    ) -> Result<Option<Range<usize>>, CloseReason> {
        // The configuration may have been replaced since the last message.
        if let Some(reason) = self.handle_notice(worker) {
            return Err(reason);
        }
        if message.len() > worker.limits.max_message_size {
            increment(&worker.statistics.datagrams_truncated);
            return Ok(None);
        }
        let disposition = {
            let mut reply = worker.reply_buffer.borrow_mut();
            worker.handle(&self.source, message, &mut reply)
        };
        let disposition = disposition.map_err(|HandlerPanicError| CloseReason::Panic)?;
        self.last_message_at = worker.clock.now();
        if disposition.is_accepted() {
            self.slot.record_accepted_message(self.last_message_at);
        }
        Ok(match disposition {
            Disposition::Reply(range)
            | Disposition::UnauthenticatedReply(range)
            | Disposition::Report(range) => Some(range),
            Disposition::Pending | Disposition::Accepted | Disposition::Dropped => None,
        })
    }

    /// Encrypts a response. Returns false, and counts an error, if it does not fit in a datagram.
    fn send_reply<H: MessageHandler>(
        &mut self,
        worker: &Worker<H>,
        range: Range<usize>,
    ) -> Result<bool, CloseReason> {
        let buffer = worker.reply_buffer.borrow();
        let reply = buffer.get(range).unwrap_or_default();
        match catch_panic(|| self.channel.send(Instant::now(), reply))? {
            Ok(()) => Ok(true),
            Err(_) => {
                increment(&worker.statistics.datagram_send_errors);
                Ok(false)
            }
        }
    }

    fn transmit(
        &mut self,
        socket: &impl AsFd,
        buffer: &mut [u8],
        statistics: &SessionStatistics,
    ) -> Result<(), CloseReason> {
        transmit(
            &mut *self.channel,
            socket,
            &Endpoint { peer: self.peer, local: self.source.local },
            buffer,
            statistics,
        )
    }
}

/// Sends a channel's output. The output is lost if the socket's send buffer is full.
pub(super) fn transmit(
    channel: &mut dyn SecureDatagrams,
    socket: &impl AsFd,
    to: &Endpoint,
    buffer: &mut [u8],
    statistics: &SessionStatistics,
) -> Result<(), CloseReason> {
    while let Some(length) = catch_panic(|| channel.poll_transmit(buffer))? {
        if send_to(socket.as_fd(), to, buffer.get(..length).unwrap_or_default()).is_err() {
            increment(&statistics.datagram_send_errors);
        }
    }
    Ok(())
}

/// Calls a channel method; a panic in its library closes only this session.
pub(super) fn catch_panic<T>(call: impl FnOnce() -> T) -> Result<T, CloseReason> {
    catch_unwind(AssertUnwindSafe(call)).map_err(|_| CloseReason::Panic)
}

/// The buffer size for an alert.
const MAX_ALERT_LEN: usize = 256;
