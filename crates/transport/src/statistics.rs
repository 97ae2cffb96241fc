//! Counters of drops, refusals and closes: one counter per reason.

use std::{
    fmt,
    sync::atomic::{AtomicU64, Ordering::Relaxed},
};

macro_rules! statistics {
    ($($(#[$doc:meta])* $name:ident,)*) => {
        /// Counters of one running transport, shared by its workers. Messages that are handled
        /// normally do not change these counters.
        #[derive(Debug, Default)]
        pub struct SessionStatistics {
            $($(#[$doc])* pub $name: AtomicU64,)*
        }

        impl SessionStatistics {
            /// Returns all counters, read one after the other.
            #[must_use]
            pub fn read(&self) -> StatisticsReading {
                StatisticsReading { $($name: self.$name.load(Relaxed),)* }
            }
        }

        /// The values of the counters in [`SessionStatistics`], read one after the other.
        #[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
        pub struct StatisticsReading {
            $($(#[$doc])* pub $name: u64,)*
        }

        impl StatisticsReading {
            /// Returns the name and value of each counter, in order of declaration.
            pub fn named(&self) -> impl Iterator<Item = (&'static str, u64)> {
                [$((stringify!($name), self.$name),)*].into_iter()
            }
        }
    };
}

statistics! {
    /// Datagrams dropped because they exceeded the maximum message size.
    datagrams_truncated,
    /// Datagrams dropped because the kernel reported no sender.
    datagrams_without_sender,
    /// Failed reads of a datagram socket, including ICMP errors for earlier responses.
    datagram_receive_errors,
    /// Datagrams that the kernel did not send.
    datagram_send_errors,
    /// Reports and cookies withheld because unauthenticated peers in one network caused too many of
    /// them.
    unauthenticated_replies_withheld,
    /// Responses to requests with a community or at noAuthNoPriv, withheld because too many octets
    /// were sent to one network.
    community_responses_withheld,
    /// DTLS datagrams dropped because they neither belong to a session nor start a handshake.
    datagrams_without_session,
    /// DTLS handshakes dropped before the peer's address was verified: expired, or evicted by newer
    /// ones.
    handshakes_dropped,
    /// Deferred responses whose session was closed before the response was ready.
    late_responses_without_session,
    /// Messages dropped and polls aborted by a panic in the handler.
    handler_panics,
    /// Connections that were accepted.
    sessions_opened,
    /// Connections refused because all slots were in use and their source already had the most
    /// sessions, all of them active.
    sessions_refused,
    /// Connections that could not be accepted, usually because file descriptors were exhausted.
    accept_errors,
    /// Sessions closed by the peer between messages.
    closed_by_peer,
    /// Sessions closed or broken by the peer in the middle of a message.
    closed_by_peer_mid_message,
    /// Sessions closed because the peer did not authenticate.
    closed_handshake_failed,
    /// Sessions closed because no rule assigns a securityName to the peer.
    closed_no_security_name,
    /// Sessions closed because of a malformed message.
    closed_malformed_message,
    /// Sessions closed because the announced message was too long.
    closed_message_too_long,
    /// Sessions closed because no message was accepted within the first-message timeout.
    closed_no_message,
    /// Sessions closed by the idle timeout.
    closed_idle,
    /// Sessions closed because a new configuration does not accept their identity.
    closed_identity_revoked,
    /// Sessions closed because they reached the maximum duration.
    closed_max_duration,
    /// Sessions closed because the peer did not read its responses.
    closed_stalled,
    /// Sessions closed because the peer sent a message too slowly.
    closed_too_slow,
    /// Sessions that another session or the operator has ended.
    closed_killed,
    /// Sessions evicted to make room for a newer session.
    closed_evicted,
    /// Sessions closed because of a connection error.
    closed_by_error,
    /// Sessions closed because the handler panicked.
    closed_by_panic,
    /// Sessions closed because the transport was shut down.
    closed_by_shutdown,
}

impl SessionStatistics {
    /// Counts one closed session.
    pub(crate) fn count_close(&self, reason: CloseReason) {
        increment(match reason {
            CloseReason::ByPeer => &self.closed_by_peer,
            CloseReason::ByPeerMidMessage => &self.closed_by_peer_mid_message,
            CloseReason::HandshakeFailed => &self.closed_handshake_failed,
            CloseReason::NoSecurityName => &self.closed_no_security_name,
            CloseReason::MalformedMessage => &self.closed_malformed_message,
            CloseReason::MessageTooLong => &self.closed_message_too_long,
            CloseReason::NoMessage => &self.closed_no_message,
            CloseReason::Idle => &self.closed_idle,
            CloseReason::IdentityRevoked => &self.closed_identity_revoked,
            CloseReason::MaxDuration => &self.closed_max_duration,
            CloseReason::Stalled => &self.closed_stalled,
            CloseReason::TooSlow => &self.closed_too_slow,
            CloseReason::Killed => &self.closed_killed,
            CloseReason::Evicted => &self.closed_evicted,
            CloseReason::Error => &self.closed_by_error,
            CloseReason::Panic => &self.closed_by_panic,
            CloseReason::Shutdown => &self.closed_by_shutdown,
        });
    }
}

/// The reason why a session was closed; each has its counter.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum CloseReason {
    /// The peer closed the session between messages.
    ByPeer,
    /// The peer closed the session in the middle of a message.
    ByPeerMidMessage,
    /// The peer did not authenticate.
    HandshakeFailed,
    /// No rule assigns a securityName to the peer.
    NoSecurityName,
    /// The peer sent a malformed message.
    MalformedMessage,
    /// The announced message was too long.
    MessageTooLong,
    /// No message was accepted within the first-message timeout.
    NoMessage,
    /// No complete message was received within the idle timeout.
    Idle,
    /// A new configuration does not accept the identity of the peer.
    IdentityRevoked,
    /// The session reached the maximum duration.
    MaxDuration,
    /// The peer did not read its responses.
    Stalled,
    /// The peer sent a message too slowly.
    TooSlow,
    /// Another session or the operator has ended the session.
    Killed,
    /// The session was evicted to make room for a newer session.
    Evicted,
    /// The connection failed.
    Error,
    /// The handler panicked.
    Panic,
    /// The transport was shut down.
    Shutdown,
}

impl CloseReason {
    /// Returns whether this side closed the session, and not the peer or a connection error.
    pub(crate) fn is_local(self) -> bool {
        !matches!(self, Self::ByPeer | Self::ByPeerMidMessage | Self::Error)
    }
}

impl fmt::Display for CloseReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::ByPeer => "closed by peer",
            Self::ByPeerMidMessage => "closed by peer in the middle of a message",
            Self::HandshakeFailed => "handshake failed",
            Self::NoSecurityName => "no securityName",
            Self::MalformedMessage => "malformed message",
            Self::MessageTooLong => "message too long",
            Self::NoMessage => "no message",
            Self::Idle => "idle",
            Self::IdentityRevoked => "identity revoked",
            Self::MaxDuration => "maximum duration",
            Self::Stalled => "responses not read",
            Self::TooSlow => "message sent too slowly",
            Self::Killed => "killed",
            Self::Evicted => "evicted",
            Self::Error => "connection error",
            Self::Panic => "panic",
            Self::Shutdown => "shutdown",
        })
    }
}

/// Adds one to a counter.
pub(crate) fn increment(counter: &AtomicU64) {
    add(counter, 1);
}

/// Adds `count` to a counter. If `count` is zero, nothing is written, so that in the normal case
/// the cores do not contend for the cache line.
pub(crate) fn add(counter: &AtomicU64, count: usize) {
    if count > 0 {
        counter.fetch_add(count as u64, Relaxed);
    }
}
