//! The interface that the transport calls: one engine and its applications, owned by one worker.

use std::ops::Range;

use portreeve_channel::ChannelStep;
use portreeve_smi::{SecurityLevel, Timestamp, TmStateReference, TransportAddress, TransportDomain};
use portreeve_sys::LocalAddress;

use crate::outbox::ExpectedAnswer;

/// An engine and its applications, owned by one worker.
pub trait MessageHandler {
    /// Handles one message, which may be modified (decrypted in place).
    ///
    /// Writes at most one response, at any position of `reply`, which holds at least
    /// [`Limits::reply_buffer_size`] octets of undefined content; the response must not be longer
    /// than `source.max_message_size`.
    ///
    /// While a handler keeps a clone of `source`, the session expects an answer. The number of
    /// answers that a session expects is limited: it reads no further messages at that limit. A
    /// clone must therefore be dropped when the message is answered, or will not be answered.
    ///
    /// [`Limits::reply_buffer_size`]: crate::Limits::reply_buffer_size
    fn handle(
        &mut self,
        now: Timestamp,
        source: &MessageSource,
        message: &mut [u8],
        reply: &mut [u8],
    ) -> Disposition;

    /// Called when [`next_timeout`](Self::next_timeout) has passed and after the worker was woken.
    /// Sends messages that have become ready, such as SET responses after the durable write, each
    /// to the source of its request and with the security level of the request.
    fn poll(&mut self, now: Timestamp, send: &mut dyn FnMut(&MessageSource, SecurityLevel, &[u8]));

    /// Returns the time of the next call to [`poll`](Self::poll); queried after every batch of
    /// messages and every poll.
    fn next_timeout(&self) -> Option<Timestamp>;

    /// Reports an event of a secure session that the MIB modules of the transport models count.
    fn session_event(&mut self, domain: TransportDomain, event: SessionEvent) {
        let _ = (domain, event);
    }

    /// Reports that the session with this tmSessionID is closed; no more messages can be sent in
    /// that session.
    fn session_closed(&mut self, domain: TransportDomain, session: u64) {
        let _ = (domain, session);
    }

    /// Called after `handle` or `poll` has panicked: discards scratch state that may be incomplete.
    /// The message has been dropped and counted, and the handler remains in use.
    fn recover(&mut self) {}
}

/// Allows choosing a worker's handler at run time.
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

    fn poll(&mut self, now: Timestamp, send: &mut dyn FnMut(&MessageSource, SecurityLevel, &[u8])) {
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

/// Events of secure sessions.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum SessionEvent {
    /// The peer is authenticated and has a securityName.
    Accepted,
    /// The peer is authenticated, but no rule assigns a securityName.
    NoSecurityName,
    /// The handshake failed at this step.
    HandshakeFailed(ChannelStep),
    /// This side closed an accepted session.
    ClosedLocally,
    /// [`MessageHandler::poll`] returned a response for a closed session; it was dropped.
    ResponseLost,
}

/// The result of handling a message.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum Disposition {
    /// Send this range of the reply buffer to the peer.
    Reply(Range<usize>),
    /// Send this range, which responds to a request without authentication: with a community, or at
    /// noAuthNoPriv. Over UDP it is rate-limited by [`Limits::community_rate`], so that attackers
    /// who forge source addresses cannot flood other hosts with responses.
    ///
    /// [`Limits::community_rate`]: crate::Limits::community_rate
    UnauthenticatedReply(Range<usize>),
    /// Send this range, which is a Report to an unauthenticated peer. Does not count as the
    /// session's first message. Over UDP it is rate-limited by [`Limits::unauthenticated_replies`],
    /// so that attackers who forge source addresses cannot flood other hosts with Reports.
    ///
    /// [`Limits::unauthenticated_replies`]: crate::Limits::unauthenticated_replies
    Report(Range<usize>),
    /// The response will be sent by [`MessageHandler::poll`].
    Pending,
    /// The message was accepted and has no response; for example, it is a notification.
    Accepted,
    /// The message was dropped, and the engine has counted it. It does not count as the session's
    /// first message.
    Dropped,
}

impl Disposition {
    /// Returns whether the message was accepted, so that its session becomes active. A message that
    /// is answered with a Report does not count, because its sender is not authenticated.
    pub(crate) fn is_accepted(&self) -> bool {
        match self {
            Self::Reply(_) | Self::UnauthenticatedReply(_) | Self::Pending | Self::Accepted => true,
            Self::Report(_) | Self::Dropped => false,
        }
    }
}

/// The source of a message, with everything needed to send a response later. Cloning does not
/// allocate.
#[derive(Clone, Debug, PartialEq)]
pub struct MessageSource {
    /// Domain, address, identity and session, as defined by RFC 5590.
    pub tm_state: TmStateReference,
    /// The local address and interface at which the message was received and from which the
    /// response is sent. `None` for a UDP socket that is bound to one address, because it always
    /// sends from that address.
    pub local: Option<LocalAddress>,
    /// The maximum response size of the transport, in octets.
    pub max_message_size: usize,
    /// The index of the listener, as in
    /// [`BoundListeners::local_addrs`](crate::BoundListeners::local_addrs).
    pub listener: usize,
    pub(crate) reply_path: ReplyPath,
}

/// The path of responses to a source.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum ReplyPath {
    /// The source belongs to no worker.
    None,
    /// The worker's UDP socket with this index.
    Udp(usize),
    /// The session of the peer at the worker's DTLS socket with this index.
    Dtls(usize),
    /// A session over a stream, which expects an answer.
    Session(ExpectedAnswer),
}

impl MessageSource {
    /// Creates a source for tests and programs that call a handler without this transport. It
    /// belongs to no session of a worker, so no response can be sent to it. Its listener index is
    /// 0.
    #[must_use]
    pub fn detached(tm_state: TmStateReference, max_message_size: usize) -> Self {
        Self { tm_state, local: None, max_message_size, listener: 0, reply_path: ReplyPath::None }
    }

    /// Returns the transport domain.
    #[must_use]
    pub fn domain(&self) -> TransportDomain {
        self.tm_state.domain
    }

    /// Returns the sender.
    #[must_use]
    pub fn peer(&self) -> TransportAddress {
        self.tm_state.address
    }

    /// Returns the session ID, for transports that have sessions.
    #[must_use]
    pub fn session(&self) -> Option<u64> {
        self.tm_state.session
    }
}
