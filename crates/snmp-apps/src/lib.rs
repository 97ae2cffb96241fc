//! SNMP applications (RFC 3413), and the entity that puts them and an engine together.
//!
//! Nothing here does I/O, reads a clock or logs: an [`Entity`] takes messages and the time, and gives back replies,
//! what is to be made durable, and when it wants to be called again.

mod entity;
mod notification;
mod pending;
mod responder;
mod retrieval;
mod set;

pub use entity::{Entity, EntitySettings, HandleOutcome, PersistRequest};
pub use notification::{AgentAddress, NotificationV1, NotificationV2, TranslationError};
pub use set::SetLock;
