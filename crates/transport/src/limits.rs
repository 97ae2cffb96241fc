//! Limits on the memory, slots and time that peers may use.

use std::time::Duration;

/// The limits of one running transport. The defaults suit a host agent.
#[derive(Clone, Debug)]
pub struct Limits {
    /// The maximum message size in octets, for reading and writing. A TCP session whose peer
    /// announces a longer message is closed; UDP carries at most 65 507 (IPv4) or 65 527 (IPv6)
    /// octets.
    pub max_message_size: usize,
    /// The size in octets of each buffer in which a handler builds a response: the message and the
    /// space needed to build it.
    pub reply_buffer_size: usize,
    /// The maximum number of open sessions, over all workers and sources.
    pub max_sessions: usize,
    /// The maximum number of open sessions per source: one IPv4 address, or one IPv6 /64.
    pub max_sessions_per_source: usize,
    /// The maximum memory in bytes of all sessions without an accepted message. When this limit is
    /// exceeded, a session is evicted: the oldest such session of the source whose sessions have
    /// grown most since they began.
    pub unauthenticated_memory: usize,
    /// The maximum time from the start of a session to its first accepted message.
    pub first_message_timeout: Duration,
    /// The maximum time between messages of a session after its first accepted message. It does not
    /// include the time in which the peer leaves responses unread, which `stall_timeout` limits; it
    /// starts again when the peer has accepted all of them.
    pub idle_timeout: Duration,
    /// The maximum duration of a session, even if the session is active. It limits how long a
    /// session can continue after the credential that opened it has expired or was revoked.
    pub max_session_duration: Duration,
    /// The maximum time that a peer may leave responses unread.
    pub stall_timeout: Duration,
    /// The minimum rate in octets per second at which a peer must send a message of a protocol that
    /// reports [`Awaited::RestOfMessage`], measured over [`Limits::receive_rate_period`].
    ///
    /// [`Awaited::RestOfMessage`]: crate::Awaited::RestOfMessage
    pub min_receive_rate: u32,
    /// The maximum time for which a peer may send more slowly than at `min_receive_rate`.
    pub receive_rate_period: Duration,
    /// The maximum time for open sessions to send their last responses at shutdown.
    pub shutdown_timeout: Duration,
    /// The maximum number of replies per second to unauthenticated peers whose address is not
    /// verified, for each IPv4 /24 and each IPv6 /56; 0 means unlimited.
    pub unauthenticated_replies: u32,
    /// The maximum number of octets per second in responses over UDP to requests without
    /// authentication (with a community, or at noAuthNoPriv), for each IPv4 /24 and each IPv6 /56;
    /// 0 means unlimited.
    pub community_rate: u32,
    /// SO_RCVBUF of each UDP socket in bytes; the kernel limits it to the system's maximum.
    pub udp_receive_buffer: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            max_message_size: 65_535,
            reply_buffer_size: 65_535,
            max_sessions: 8192,
            max_sessions_per_source: 256,
            unauthenticated_memory: 32 << 20,
            first_message_timeout: Duration::from_secs(30),
            idle_timeout: Duration::from_secs(600),
            max_session_duration: Duration::from_secs(86_400),
            stall_timeout: Duration::from_secs(30),
            min_receive_rate: 1024,
            receive_rate_period: Duration::from_secs(30),
            shutdown_timeout: Duration::from_secs(1),
            unauthenticated_replies: 200,
            community_rate: 4_000_000,
            udp_receive_buffer: 4 << 20,
        }
    }
}
