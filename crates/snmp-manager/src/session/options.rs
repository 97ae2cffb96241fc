//! What a session needs to know beside the credentials.

use portreeve_smi::{ClockReading, EngineId};

use crate::RetryPolicy;

/// How the agent is asked.
#[derive(Clone, Debug)]
pub struct SessionOptions {
    /// When to send again and when to give up.
    pub retry: RetryPolicy,
    /// The context asked about (SNMPv3), at most 255 octets.
    pub context_name: Vec<u8>,
    /// Whose context it is (SNMPv3); the agent's own unless told.
    pub context_engine_id: Option<EngineId>,
    /// The agent's engine ID, where it is known: then it is not looked for (SNMPv3). With
    /// [`Credentials::Transport`](crate::Credentials::Transport) it names the contexts asked about.
    pub security_engine_id: Option<EngineId>,
    /// What the agent's clock reads when the session begins, where it is known: then the first authenticated message
    /// carries it (SNMPv3).
    pub agent_clock: Option<ClockReading>,
    /// The largest message to send and to announce as acceptable, in octets.
    pub max_message_size: usize,
}

impl Default for SessionOptions {
    fn default() -> Self {
        Self {
            retry: RetryPolicy::default(),
            context_name: Vec::new(),
            context_engine_id: None,
            security_engine_id: None,
            agent_clock: None,
            max_message_size: MAX_DATAGRAM_LEN,
        }
    }
}

/// What fits a UDP datagram over IPv4.
const MAX_DATAGRAM_LEN: usize = 65_507;
