//! The protocol of the control socket, over which commands send requests to the running agent and
//! receive the outcome.
//!
//! ```text
//! command ── Request ──▶ control.sock ──▶ agent
//!         ◀── Response ──             ◀──
//! ```
//! A connection carries one request and one response. The socket is a file in the state directory
//! of the agent, where other users cannot create files. Both sides ask the kernel which user the
//! peer process runs as.
//!
//! [`send`] is the command's side. The agent's side is in its own crate, on top of
//! [`Request::decode`] and [`Response::encode`].

mod client;
mod hex;
mod message;
mod notification;
mod request;
mod response;
mod socket_path;

pub use client::{RequestError, send};
pub use notification::{NotificationOutcome, SubmittedNotification};
pub use request::{Request, StatusFormat};
pub use response::{ReloadOutcome, Response};
pub use socket_path::{DEFAULT_SOCKET, SOCKET_NAME, with_short_path};
