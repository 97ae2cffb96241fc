//! SNMP applications (RFC 3413), and the entity that combines them with an engine.
//!
//! This crate does no I/O, reads no clock and logs nothing. An [`Entity`] receives messages and the
//! current time. It returns replies, SETs to be executed, and the time at which the caller must
//! call it again.

mod entity;
mod finished_set;
mod notification;
mod pending;
mod responder;
mod retrieval;
mod set;
mod set_executor;

pub use entity::{Entity, EntitySettings, HandleOutcome};
pub use finished_set::{FinishedSet, SetResult};
pub use notification::{
    AcceptedNotification, AgentAddress, InformQueue, InvalidNotificationError, Notification,
    NotificationActions, NotificationReceiver, NotificationRule, NotificationV1, NotificationV2,
    PendingAcknowledgement, QueueEntry, QueueFullError, QueueLimits, QueueStatus, ReceivedNotification,
    Recipient, Recipients, RefusedReason, SourceCounts, StoreResult, TranslationError, Withheld,
    WithheldReason, recipient_named, recipients,
};
pub use set::{SetRequest, SetToken};
pub use set_executor::SetExecutor;
