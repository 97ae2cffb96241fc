//! What the transport drives: one engine and its applications, owned by one worker.

use std::ops::Range;

use portreeve_channel::ChannelStep;
use portreeve_smi::{Timestamp, TmStateReference, TransportAddress, TransportDomain};
use portreeve_sys::LocalAddress;

/// One engine and its applications, owned by one worker.
pub trait MessageHandler {
    /// Handles one message, which may be modified (decrypted in slot).
    ///
    /// At most one answer is written anywhere into `reply`, which holds [`Limits::max_message_size`] octets of
    /// undefined content; it must not be longer than `source.max_message_size`.
    ///
    /// [`Limits::max_message_size`]: crate::Limits::max_message_size
    fn handle(
        &mut self,
        now: Timestamp,
        source: &MessageSource,
        message: &mut [u8],
        reply: &mut [u8],
    ) -> Disposition;

    /// Called when [`next_timeout`](Self::next_timeout) has come and after the worker's waker was used: sends what
    /// has become ready since, such as SET responses after the durable write, each to the source it answers.
    fn poll(&mut self, now: Timestamp, send: &mut dyn FnMut(&MessageSource, &[u8]));

    /// When [`poll`](Self::poll) wants to be called; asked after every batch of messages and every poll.
    fn next_timeout(&self) -> Option<Timestamp>;

    /// Something has happened to a session of a secure transport that the transport models' MIB modules count.
    fn session_event(&mut self, domain: TransportDomain, event: SessionEvent) {
        let _ = (domain, event);
    }

    /// The session with this tmSessionID is gone; nothing can be sent to it any more.
    fn session_closed(&mut self, domain: TransportDomain, session: u64) {
        let _ = (domain, session);
    }

    /// `handle` or `poll` has panicked: scratch state it may have left half-written is to be thrown away. The
    /// message has been dropped and counted; the next call follows as if nothing had happened.
    fn recover(&mut self) {}
}

/// Lets a worker's handler be chosen at run time.
impl<H: MessageHandler + ?Sized> MessageHandler for Box<H> {
    fn handle(
        &mut self,
        now: Timestamp,
        source: &MessageSource,
        message: &mut [u8],
        reply: &mut [u8],
    ) -> Disposition {
        (**self).handle(now, source, message, reply)
    }

    fn poll(&mut self, now: Timestamp, send: &mut dyn FnMut(&MessageSource, &[u8])) {
        (**self).poll(now, send);
    }

    fn next_timeout(&self) -> Option<Timestamp> {
        (**self).next_timeout()
    }

    fn session_event(&mut self, domain: TransportDomain, event: SessionEvent) {
        (**self).session_event(domain, event);
    }

    fn session_closed(&mut self, domain: TransportDomain, session: u64) {
        (**self).session_closed(domain, session);
    }

    fn recover(&mut self) {
        (**self).recover();
    }
}

/// What happens to sessions of secure transports.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum SessionEvent {
    /// The peer has proven who it is and has a securityName.
    Accepted,
    /// The peer has proven who it is, but no rule gives it a securityName.
    NoSecurityName,
    /// The handshake failed at this step.
    HandshakeFailed(ChannelStep),
    /// We have closed an accepted session.
    ClosedLocally,
    /// An answer came out of [`MessageHandler::poll`] for a session that is gone, and was dropped.
    ResponseLost,
}

/// What became of a message.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum Disposition {
    /// Send this part of the reply buffer back.
    Reply(Range<usize>),
    /// The same, with an error to somebody who has proven nothing: over UDP not more often than [`Limits::unproven_replies`]
    /// allows, because whoever forges a source address could have it sent to others.
    ///
    /// [`Limits::unproven_replies`]: crate::Limits::unproven_replies
    Report(Range<usize>),
    /// The answer will come out of [`MessageHandler::poll`].
    Pending,
    /// Taken, and calls for no answer, such as a notification.
    Accepted,
    /// Dropped and counted by the engine. Does not keep a session from being closed as unanswered.
    Dropped,
}

/// Where a message came from, and all that is needed to send something back there later. Cloning it allocates
/// nothing.
#[derive(Clone, Debug, PartialEq)]
pub struct MessageSource {
    /// Domain, address, identity and session as RFC 5590 wants them.
    pub tm_state: TmStateReference,
    /// Our address and interface the message was sent to; the answer leaves from there. `None` for UDP sockets
    /// that are bound to one address, which is the answer's.
    pub local: Option<LocalAddress>,
    /// The longest answer the transport carries, in octets.
    pub max_message_size: usize,
    /// To which listener it came, counted as in [`Bound::local_addrs`](crate::Bound::local_addrs).
    pub listener: usize,
    /// Which of the worker's datagram sockets it came through.
    pub(crate) socket: usize,
}

impl MessageSource {
    /// A source for tests and programs that drive a handler without this transport; nothing can be sent to it
    /// through a worker that has no such session. It counts as having come to the first listener.
    #[must_use]
    pub fn detached(tm_state: TmStateReference, max_message_size: usize) -> Self {
        Self { tm_state, local: None, max_message_size, listener: 0, socket: usize::MAX }
    }

    /// Over what it came.
    #[must_use]
    pub fn domain(&self) -> TransportDomain {
        self.tm_state.domain
    }

    /// Who sent it.
    #[must_use]
    pub fn peer(&self) -> TransportAddress {
        self.tm_state.address
    }

    /// The session it came in, for transports that have sessions.
    #[must_use]
    pub fn session(&self) -> Option<u64> {
        self.tm_state.session
    }
}
