//! Sessions with agents over secure transports: an order in, a live session out, and whoever observes hears of each step.
//!
//! ```text
//! Order ──▶ identity (files ▶ credentials, trust) ──▶ connect ─▶ handshake ─▶ Session ◀── messages ──▶ agent
//!                                                        └───────────┴─▶ Observer: which step, what was found
//! ```
//! The session broker and `portreeve doctor` both open theirs here, so that what one finds holds for the other. Reads no
//! SNMP beyond the length of messages. Runs on any tokio runtime.

mod identity;
#[cfg(feature = "link")]
mod link;
mod session;

#[cfg(feature = "link")]
pub use link::SessionLink;
pub use session::{Confirmation, SecureSession};
