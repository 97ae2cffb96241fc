//! The agent's side of the control socket, over which commands such as `portreeved reload` send
//! requests to the running agent and receive the outcome.
//!
//! ```text
//! portreeved reload ── Request ──▶ control.sock ──▶ task of the connection ──▶ RequestHandler
//!                   ◀── Response ──             ◀──                        ◀──
//! ```
//! The tasks of all connections run on the main thread; a handler does not block it.

mod server;

use std::{
    path::{Path, PathBuf},
    time::Duration,
};

use portreeve_control_protocol::SOCKET_NAME;

pub(crate) use portreeve_control_protocol::{
    NotificationOutcome, ReloadOutcome, Request, RequestError, Response, StatusFormat, SubmittedNotification,
};
pub(crate) use server::{Answer, ControlServer, RequestHandler};

/// Returns the path of the socket.
pub(crate) fn socket_path(state_dir: &Path) -> PathBuf {
    state_dir.join(SOCKET_NAME)
}

/// Sends a request to the agent that uses this state directory, and returns its response.
///
/// # Errors
/// The reason why there is no response within `max_wait`.
pub(crate) fn send(
    state_dir: &Path,
    request: &Request,
    max_wait: Duration,
) -> Result<Response, RequestError> {
    portreeve_control_protocol::send(&socket_path(state_dir), request, max_wait)
}

#[cfg(test)]
mod tests;
