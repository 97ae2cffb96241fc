//! Opens sessions with agents over secure transports, and reports each step to an observer.
//!
//! ```text
//! SessionRequest ──▶ identity ──▶ connect ─▶ handshake ─▶ SecureSession ◀── messages ──▶ agent
//!                       │            └───────────┴─▶ ChannelObserver: steps and facts
//!                       └─ files ▶ credentials, trust
//! ```
//! The session broker and `portreeve doctor` both open their sessions here, so a diagnosis of one
//! is valid for the other. The crate parses only the length of SNMP messages. It runs on any tokio
//! runtime.

mod identity;
#[cfg(feature = "link")]
mod link;
mod session;

pub use identity::{MissingCertificateError, NetSnmpCertificates};
#[cfg(feature = "link")]
pub use link::SessionLink;
pub use session::{Confirmation, SecureSession};
