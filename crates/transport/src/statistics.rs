//! What the transport dropped, refused and closed: one counter per reason.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

macro_rules! statistics {
    ($($(#[$doc:meta])* $name:ident,)*) => {
        /// Counters of one running transport, shared by its workers. None of them is touched by a message that
        /// is read and answered in the ordinary way.
        #[derive(Debug, Default)]
        pub struct SessionStatistics {
            $($(#[$doc])* pub $name: AtomicU64,)*
        }

        impl SessionStatistics {
            /// All counters, read one after the other.
            #[must_use]
            pub fn read(&self) -> StatisticsReading {
                StatisticsReading { $($name: self.$name.load(Relaxed),)* }
            }
        }

        /// The counters of [`SessionStatistics`] at one time.
        #[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
        pub struct StatisticsReading {
            $($(#[$doc])* pub $name: u64,)*
        }

        impl StatisticsReading {
            /// Each counter's name and value, in the order they are declared in.
            pub fn named(&self) -> impl Iterator<Item = (&'static str, u64)> {
                [$((stringify!($name), self.$name),)*].into_iter()
            }
        }
    };
}

statistics! {
    /// Datagrams dropped because they were longer than a message may be.
    datagrams_truncated,
    /// Datagrams dropped because the kernel named no sender to answer.
    datagrams_without_sender,
    /// Failed reads of a datagram socket, ICMP errors of earlier answers among them.
    datagram_receive_errors,
    /// Datagrams the kernel would not send.
    datagram_send_errors,
    /// Reports and cookies withheld because too many went to one network whose senders have proven nothing.
    unauthenticated_replies_withheld,
    /// DTLS datagrams dropped because they were of no session and began none.
    datagrams_without_session,
    /// DTLS handshakes given up for newer ones, or for their age, before the peer had proven its address.
    handshakes_dropped,
    /// Answers that took time and whose session was gone when they were ready.
    late_responses_without_session,
    /// Messages dropped, and polls cut short, by a panic in the handler.
    handler_panics,
    /// Connections accepted.
    sessions_opened,
    /// Connections refused because all places were taken by sessions in use.
    sessions_refused,
    /// Connections that could not be accepted, mostly for want of descriptors.
    accept_errors,
    /// Sessions the peer closed between messages.
    closed_by_peer,
    /// Sessions the peer closed or broke in the middle of a message.
    closed_by_peer_mid_message,
    /// Sessions closed because the peer did not prove who it is.
    closed_handshake_failed,
    /// Sessions closed because no rule gives the peer a securityName.
    closed_no_security_name,
    /// Sessions closed because what came was no message.
    closed_malformed_message,
    /// Sessions closed because the announced message was too long.
    closed_message_too_long,
    /// Sessions closed because no message was accepted within the grace time.
    closed_no_message,
    /// Sessions closed for being idle.
    closed_idle,
    /// Sessions closed because the peer did not read its answers.
    closed_stalled,
    /// Sessions closed to make room for a newer one.
    closed_evicted,
    /// Sessions closed by an error of the connection.
    closed_by_error,
    /// Sessions closed by a panic in the handler.
    closed_by_panic,
    /// Sessions closed because the transport was shut down.
    closed_by_shutdown,
}

impl SessionStatistics {
    /// Counts one session's end.
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
            CloseReason::Stalled => &self.closed_stalled,
            CloseReason::Evicted => &self.closed_evicted,
            CloseReason::Error => &self.closed_by_error,
            CloseReason::Panic => &self.closed_by_panic,
            CloseReason::Shutdown => &self.closed_by_shutdown,
        });
    }
}

/// Why a session ended; one counter each.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum CloseReason {
    /// The peer closed it between messages.
    ByPeer,
    /// The peer closed it in the middle of a message.
    ByPeerMidMessage,
    /// The peer did not prove who it is.
    HandshakeFailed,
    /// No rule gives the peer a securityName.
    NoSecurityName,
    /// What came was no message.
    MalformedMessage,
    /// The announced message was too long.
    MessageTooLong,
    /// No message was accepted within the grace time.
    NoMessage,
    /// Nothing complete came for too long.
    Idle,
    /// The peer did not read its answers.
    Stalled,
    /// A newer session of the same source needed its slot.
    Evicted,
    /// The connection failed.
    Error,
    /// The handler panicked.
    Panic,
    /// The transport was shut down.
    Shutdown,
}

impl CloseReason {
    /// Whether it was we who ended the session, and not the peer or the way to it.
    pub(crate) fn is_local(self) -> bool {
        !matches!(self, Self::ByPeer | Self::ByPeerMidMessage | Self::Error)
    }
}

/// Adds one.
pub(crate) fn increment(counter: &AtomicU64) {
    add(counter, 1);
}

/// Adds `count`; nothing is written for none, so that the ordinary case shares no cache line.
pub(crate) fn add(counter: &AtomicU64, count: usize) {
    if count > 0 {
        counter.fetch_add(count as u64, Relaxed);
    }
}
