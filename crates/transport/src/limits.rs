//! How much a peer may occupy, and for how long.

use std::time::Duration;

/// Bounds of one running transport. The defaults suit a host agent.
#[derive(Clone, Debug)]
pub struct Limits {
    /// The longest message read or written, in octets. A TCP peer that announces a longer one is cut off, and UDP
    /// cannot carry more than 65 507 (IPv4) or 65 527 (IPv6) of it.
    pub max_message_size: usize,
    /// Octets of each buffer that a handler answers in: a message, and what room it needs beside it to build one.
    pub reply_buffer_size: usize,
    /// Sessions open at once, all workers and sources together.
    pub max_sessions: usize,
    /// Sessions open at once from one source: one IPv4 address, or one IPv6 /64.
    pub max_sessions_per_source: usize,
    /// How long a session may take until its first message that the engine accepts.
    pub first_message_timeout: Duration,
    /// How long a session that has been accepted may then stay without a complete message.
    pub idle_timeout: Duration,
    /// How long a peer may leave answers unread.
    pub stall_timeout: Duration,
    /// How long open sessions get to take their last answers when the transport is shut down.
    pub shutdown_timeout: Duration,
    /// Answers a second to those who have proven nothing, not even their address, for each IPv4 /24 and each IPv6 /56; 0: any
    /// number.
    pub unauthenticated_replies: u32,
    /// SO_RCVBUF of each UDP socket, in octets; the kernel lowers it to what the system allows.
    pub udp_receive_buffer: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            max_message_size: 65_535,
            reply_buffer_size: 65_535,
            max_sessions: 8192,
            max_sessions_per_source: 256,
            first_message_timeout: Duration::from_secs(30),
            idle_timeout: Duration::from_secs(600),
            stall_timeout: Duration::from_secs(30),
            shutdown_timeout: Duration::from_secs(1),
            unauthenticated_replies: 200,
            udp_receive_buffer: 4 << 20,
        }
    }
}

impl Limits {
    /// Octets of answers that may wait for one session's peer before it is closed as stalled.
    pub(crate) fn max_outbox_len(&self) -> usize {
        self.max_message_size.saturating_mul(4)
    }
}
