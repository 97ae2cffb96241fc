//! The User-based Security Model (RFC 3414), for both roles: authoritative as an agent, non-authoritative as a manager.
//!
//! Pure: clocks, salts and keys are handed in, failures are values. Counting a reason and sending its Report is the
//! message processing model's job. On its way in, a message is decrypted where it lies; on its way out, it is
//! encrypted where it was built; neither way allocates.
//!
//! ```text
//! in:   parameters ── whose engine? ── which user? ── level? ── digest ── time window ── decrypt ──► Incoming
//!            │              │               │           │          │            │           │
//!            └──────────────┴───────────────┴───────────┴──────────┴────────────┴───────────┴──────► Rejected
//!
//! out:  Outgoing::{request, response, discovery} ── secure: encrypt, write parameters ──► Secured
//!       the message processing model puts its header in front ── UnsignedMessage::finish: sign ──► on the wire
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

pub use incoming::{Incoming, UsmIncomingContext, process_incoming_msg};
pub use outgoing::{Outgoing, UnsignedMessage, UsmOutgoingContext};
pub use parameters::SecurityParameters;
pub use peers::{NoPeers, PeerClock, PeerClocks};
pub use protocols::{auth_protocol, auth_protocol_identity, priv_protocol, priv_protocol_identity};
pub use reject_reason::{UsmRejectReason, UsmRejection, UsmSendError};
pub use user_cache::UserCache;
pub use users::{UserKeys, UserLookup};

/// This engine as an authoritative one, at one moment.
#[derive(Clone, Copy, Debug)]
pub struct AuthoritativeEngine {
    /// snmpEngineID.
    pub engine_id: EngineId,
    /// snmpEngineBoots and snmpEngineTime. With [`EngineBoots::LATCHED`](portreeve_smi::EngineBoots::LATCHED) nothing
    /// authenticated is accepted: also the value for an engine that could not store its boots.
    pub clock: ClockReading,
}

#[cfg(test)]
mod tests;
