//! The options of a session besides its credentials.

use portreeve_smi::{ClockReading, EngineId};

use crate::RetryPolicy;

/// The options of a session.
#[derive(Clone, Debug)]
pub struct SessionOptions {
    /// The retransmission policy.
    pub retry: RetryPolicy,
    /// The context name (SNMPv3), at most 255 octets.
    pub context_name: Vec<u8>,
    /// The context engine ID (SNMPv3); by default the agent's own engine ID.
    pub context_engine_id: Option<EngineId>,
    /// The agent's engine ID, if it is known (SNMPv3). Then it is not discovered. With
    /// [`Credentials::Transport`](crate::Credentials::Transport) it is the context engine ID.
    pub security_engine_id: Option<EngineId>,
    /// The reading of the agent's clock at the start of the session, if it is known (SNMPv3). Then
    /// the first authenticated message carries it.
    pub agent_clock: Option<ClockReading>,
    /// The maximum size of sent messages in octets. It is also announced to the agent as the
    /// maximum size of responses.
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

/// The maximum payload of a UDP datagram over IPv4.
const MAX_DATAGRAM_LEN: usize = 65_507;
