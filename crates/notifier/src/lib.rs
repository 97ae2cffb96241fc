//! Sends notifications to the targets of the tables (RFC 3413 §3.3).
//!
//! ```text
//! agent, local programs ──submit──► Core: recipients (snmp-apps)
//!                                     │ traps                  │ informs
//!                                     │                        ▼
//!                                     │               DiskQueue: one sync for a group
//!                                     ▼                        │ durable
//!                                  Target: one task each ◄─────┘
//!                                     │ Link: UDP, TCP, or a session over SSH, TLS, DTLS
//!                                     ▼
//!                                  receiver, or the fallback while it does not answer
//! ```
//! Everything runs on one thread, except for the writes to the disk and the reads of the files with
//! which sessions are opened. An inform is sent until its
//! receiver acknowledges it, also after a restart, or until its queue discards it. What a target
//! leaves unread is bounded: traps by 1 MiB, informs by the limits of [`TargetSettings`].

mod certificate_report;
mod connection;
mod core;
mod destination;
mod disk_queue;
mod file_reads;
mod link;
mod notification;
mod notifier;
mod queue_clock;
mod room;
mod session_counters;
mod settings;
mod status;
mod target;
mod targets;
#[cfg(test)]
mod test_site;
mod writes;

pub use notification::OutgoingNotification;
pub use notifier::{Notifier, NotifierHandle, NotifierParts, StartError};
pub use settings::{NotifierSettings, SessionCredentials, TargetSettings};
pub use status::{NotifierStatus, SubmitError, Submitted, TargetStatus};
