//! The User-based Security Model (RFC 3414), for both roles: authoritative as an agent,
//! non-authoritative as a manager.
//!
//! The model is pure: clocks, salts and keys are passed in, and errors are values. The message
//! processing model counts rejected messages and sends Reports. Received messages are decrypted in
//! place, sent messages are encrypted in place, and neither allocates.
//!
//! ```text
//! in:   parameters ─► engine ─► user ─► level ─► digest ─► time ─► decrypt ─► Incoming
//!            │           │        │       │         │        │        │
//!            └───────────┴────────┴───────┴─────────┴────────┴────────┴─► UsmRejectError
//!
//! out:  Outgoing::{request, response, discovery} ─► secure: encrypt, write parameters
//!       ─► UnsignedMessage ─► prepend_v3_message: write header ─► UnsignedMessage::sign ─► send
//! ```

mod incoming;
mod outgoing;
mod parameters;
mod peers;
mod protection;
mod protocols;
mod reject_reason;
mod timeliness;
mod user_cache;
mod users;

use portreeve_smi::{ClockReading, EngineId};

pub(crate) use incoming::is_digest_of;
pub use incoming::{Incoming, UsmIncomingContext, process_incoming_msg};
pub use outgoing::{Outgoing, UnsignedMessage, UsmOutgoingContext};
pub use parameters::SecurityParameters;
pub use peers::{NoPeers, PeerClock, PeerClocks};
pub use protocols::{
    are_protocols_allowed, auth_protocol, auth_protocol_identity, priv_protocol, priv_protocol_identity,
};
pub use reject_reason::{UsmRejectError, UsmRejectReason, UsmSendError};
pub(crate) use timeliness::check_as_non_authoritative;
pub use user_cache::UserCache;
pub use users::{UserKeys, UserLookup};

/// The identity and clock reading of this engine in its authoritative role.
#[derive(Clone, Copy, Debug)]
pub struct AuthoritativeEngine {
    /// The snmpEngineID of this engine.
    pub engine_id: EngineId,
    /// snmpEngineBoots and snmpEngineTime. With
    /// [`EngineBoots::LATCHED`](portreeve_smi::EngineBoots::LATCHED), no authenticated message is
    /// accepted. An engine that could not store its boots also uses this value.
    pub clock: ClockReading,
}

#[cfg(test)]
mod tests;
