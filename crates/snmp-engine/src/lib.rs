//! The SNMP engine (RFC 3411 §3.1): dispatcher, message processing, security and access control.
//!
//! The input of an [`Engine`] consists of octets, their origin and the current time. It returns a
//! request for an application, a Report to be sent back, or the reason why the message was dropped.
//! It does no I/O, reads no clock, draws no random numbers and logs nothing.

pub mod access;
mod dispatcher;
mod local_engine;
mod message_processing;
mod reject_reason;
mod report_target;
pub mod security;
pub mod senders;
mod short_name;
mod state_reference;
pub mod statistics;

pub use dispatcher::{
    Engine, IncomingNotification, NotificationContent, NotificationOutcome, ReceiveOutcome, Request,
    Response, reply_buffer_size, var_bind_area,
};
pub use local_engine::LocalEngine;
pub use message_processing::PduRules;
pub use reject_reason::{Consequence, RejectReason, ReportSpec, TsmRejectReason};
pub use state_reference::StateReference;
