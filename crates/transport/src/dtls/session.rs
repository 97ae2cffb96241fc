//! One session: its channel, its place, and what its peer may do.

use std::net::SocketAddr;
use std::ops::Range;
use std::os::fd::AsFd;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Instant;

use portreeve_channel::{Event, SecureDatagrams};
use portreeve_smi::{SecurityLevel, Timestamp};
use portreeve_sys::{Endpoint, LocalAddress, send_to};

use crate::admission::Place;
use crate::handler::{Disposition, MessageHandler, SessionEvent, Source};
use crate::statistics::{CloseReason, SessionStatistics, raise};
use crate::told::{ENDED, Nameless, REFUSED};
use crate::worker::{Panicked, Worker};

/// A session, or the handshake that may become one.
pub(super) struct Session {
    /// The random of the hello it began with.
    pub(super) hello: [u8; 32],
    pub(super) source: Source,
    pub(super) peer: SocketAddr,
    channel: Box<dyn SecureDatagrams>,
    place: Place,
    opened: Timestamp,
    last_message: Timestamp,
}

/// Why nothing more is to be done for a session, and whether its handshake has ever been done.
pub(super) type Ended = CloseReason;

impl Session {
    pub(super) fn new(
        hello: [u8; 32],
        source: Source,
        peer: SocketAddr,
        channel: Box<dyn SecureDatagrams>,
        place: Place,
        now: Timestamp,
    ) -> Self {
        Self { hello, source, peer, channel, place, opened: now, last_message: now }
    }

    pub(super) fn id(&self) -> u64 {
        self.place.id()
    }

    /// Whether the handshake is done and the peer has a securityName.
    pub(super) fn is_open(&self) -> bool {
        self.source.tm_state.security_name.is_some()
    }

    pub(super) fn is_displaced(&self) -> bool {
        self.place.ticket().is_displaced()
    }

    /// Takes a datagram in. What it brings about is taken out by [`progress`](Self::progress).
    pub(super) fn take_in(
        &mut self,
        now: Instant,
        local: Option<LocalAddress>,
        datagram: &mut [u8],
    ) -> Result<(), Ended> {
        // The peer may reach us by another of our addresses; answers leave from where the last datagram came to.
        self.source.local = local;
        guard(|| self.channel.handle_datagram(now, datagram))
    }

    /// Handles what the channel has, and sends what it has for the peer. An answer to the first message is left to
    /// `answer`, if it fits there; its length is returned.
    pub(super) fn progress<H: MessageHandler>(
        &mut self,
        worker: &Worker<H>,
        socket: &impl AsFd,
        message: &mut [u8],
        mut answer: Option<&mut [u8]>,
    ) -> Result<Option<usize>, Ended> {
        let mut answered = None;
        // Whatever happens, the peer gets what the channel still has to say.
        let result = loop {
            match guard(|| self.channel.poll_event(message)) {
                Ok(None) => break Ok(()),
                Ok(Some(Event::Open)) => {
                    if let Err(reason) = self.identify(worker) {
                        let _ = guard(|| self.channel.close(Instant::now()));
                        break Err(reason);
                    }
                }
                Ok(Some(Event::Message(range))) => {
                    let octets = message.get_mut(range).unwrap_or_default();
                    match self.handle(worker, octets) {
                        Ok(None) => {}
                        Ok(Some(reply)) => {
                            let sent = self.send_reply(worker, reply);
                            if let (Ok(true), Some(answer)) = (&sent, answer.take()) {
                                answered = guard(|| self.channel.poll_transmit(answer))?;
                            }
                            if let Err(reason) = sent {
                                break Err(reason);
                            }
                        }
                        Err(reason) => break Err(reason),
                    }
                }
                Ok(Some(Event::ClosedByPeer)) => break Err(CloseReason::ByPeer),
                Ok(Some(Event::Failed(error))) => {
                    worker.tell(&self.source, if self.is_open() { ENDED } else { REFUSED }, &error);
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
        result.map(|()| answered)
    }

    /// Sends one answer that took time.
    pub(super) fn deliver(
        &mut self,
        socket: &impl AsFd,
        scratch: &mut [u8],
        message: &[u8],
        statistics: &SessionStatistics,
    ) {
        match guard(|| self.channel.send(Instant::now(), message)) {
            Ok(Ok(())) => {}
            Ok(Err(_)) => return raise(&statistics.datagram_send_errors),
            Err(_) => return,
        }
        let _ = self.transmit(socket, scratch, statistics);
    }

    /// Lets time pass for the channel; its owner goes on with [`progress`](Self::progress).
    pub(super) fn pass_time(&mut self, now: Instant) -> Result<(), Ended> {
        guard(|| self.channel.handle_timeout(now))
    }

    /// When the channel wants time to pass.
    pub(super) fn channel_timeout(&self) -> Option<Instant> {
        self.channel.next_timeout()
    }

    /// When the session ends unless something happens, and why.
    pub(super) fn deadline<H: MessageHandler>(&self, worker: &Worker<H>) -> (Timestamp, CloseReason) {
        if self.place.is_answered() {
            (self.last_message + worker.limits.idle, CloseReason::Idle)
        } else {
            (self.opened + worker.limits.grace, CloseReason::Unanswered)
        }
    }

    /// Tells the peer, as far as it may know us, counts the end and tells the handler.
    pub(super) fn close<H: MessageHandler>(
        mut self,
        worker: &Worker<H>,
        socket: &impl AsFd,
        reason: CloseReason,
    ) {
        //= rfc6353#5.4-4
        if !matches!(reason, CloseReason::Panic | CloseReason::ByPeer) {
            let mut buffer = [0; FAREWELL];
            let _ = guard(|| self.channel.close(Instant::now()));
            let _ = self.transmit(socket, &mut buffer, &worker.statistics);
        }
        //= rfc6353#5.4-1
        if self.is_open() && reason.is_ours() {
            worker.session_event(self.source.domain(), SessionEvent::ClosedByUs);
        }
        worker.statistics.closed(reason);
        worker.session_closed(self.source.domain(), self.id());
        tracing::debug!(peer = %self.peer, ?reason, "session closed");
    }

    /// The peer has proven who it is: the transport model gives it a securityName, or it may not stay.
    fn identify<H: MessageHandler>(&mut self, worker: &Worker<H>) -> Result<(), Ended> {
        let domain = self.source.domain();
        let Some(identity) = self.channel.peer() else { return Err(CloseReason::HandshakeFailed) };
        let Some(name) = worker.security.names.security_name(domain, identity) else {
            worker.tell(&self.source, REFUSED, &Nameless(identity));
            worker.session_event(domain, SessionEvent::Unnamed);
            return Err(CloseReason::Unnamed);
        };
        //= rfc6353#5.3.1-6
        self.source.tm_state.security_name = Some(name);
        self.source.tm_state.transport_level = SecurityLevel::AuthPriv;
        worker.session_event(domain, SessionEvent::Accepted);
        Ok(())
    }

    /// Has a message handled; returns where in the worker's reply buffer its answer is.
    fn handle<H: MessageHandler>(
        &mut self,
        worker: &Worker<H>,
        message: &mut [u8],
    ) -> Result<Option<Range<usize>>, Ended> {
        if message.len() > worker.limits.max_message_size {
            raise(&worker.statistics.datagrams_truncated);
            return Ok(None);
        }
        let disposition = {
            let mut scratch = worker.scratch.borrow_mut();
            worker.handle(&self.source, message, &mut scratch.reply)
        };
        let disposition = disposition.map_err(|Panicked| CloseReason::Panic)?;
        self.last_message = worker.clock.now();
        if disposition != Disposition::Dropped {
            self.place.accepted(self.last_message);
        }
        Ok(match disposition {
            Disposition::Reply(range) | Disposition::Report(range) => Some(range),
            Disposition::Pending | Disposition::Accepted | Disposition::Dropped => None,
        })
    }

    /// Encrypts an answer; false, and counted, where no datagram can carry it.
    fn send_reply<H: MessageHandler>(
        &mut self,
        worker: &Worker<H>,
        range: Range<usize>,
    ) -> Result<bool, Ended> {
        let scratch = worker.scratch.borrow();
        let answer = scratch.reply.get(range).unwrap_or_default();
        match guard(|| self.channel.send(Instant::now(), answer))? {
            Ok(()) => Ok(true),
            Err(_) => {
                raise(&worker.statistics.datagram_send_errors);
                Ok(false)
            }
        }
    }

    fn transmit(
        &mut self,
        socket: &impl AsFd,
        buffer: &mut [u8],
        statistics: &SessionStatistics,
    ) -> Result<(), Ended> {
        transmit(
            &mut *self.channel,
            socket,
            &Endpoint { peer: self.peer, local: self.source.local },
            buffer,
            statistics,
        )
    }
}

/// Sends what a channel has for its peer. Where the socket's buffer is full it is lost, as datagrams may be.
pub(super) fn transmit(
    channel: &mut dyn SecureDatagrams,
    socket: &impl AsFd,
    to: &Endpoint,
    buffer: &mut [u8],
    statistics: &SessionStatistics,
) -> Result<(), Ended> {
    while let Some(length) = guard(|| channel.poll_transmit(buffer))? {
        if send_to(socket.as_fd(), to, buffer.get(..length).unwrap_or_default()).is_err() {
            raise(&statistics.datagram_send_errors);
        }
    }
    Ok(())
}

/// Calls into a channel's library; a panic there ends the session it happened in.
pub(super) fn guard<T>(call: impl FnOnce() -> T) -> Result<T, Ended> {
    catch_unwind(AssertUnwindSafe(call)).map_err(|_| CloseReason::Panic)
}

/// Room for an alert.
const FAREWELL: usize = 256;
