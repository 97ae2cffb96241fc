//! SNMP applications (RFC 3413), and the entity that combines them with an engine.
//!
//! This crate does no I/O, reads no clock and logs nothing. An [`Entity`] receives messages and the
//! current time. It returns replies, records to be made durable, and the time at which the caller
//! must call it again.

mod entity;
mod finished_set;
mod notification;
mod pending;
mod responder;
mod retrieval;
mod set;

pub use entity::{Entity, EntitySettings, HandleOutcome, PersistRequest};
pub use finished_set::{FinishedSet, SetResult};
pub use notification::{AgentAddress, NotificationV1, NotificationV2, TranslationError};
pub use set::SetLock;
