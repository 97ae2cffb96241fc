//! The control socket, over which commands such as `portreeved reload` send requests to the running
//! agent and receive the outcome.
//!
//! ```text
//! portreeved reload ── Request ──▶ control.sock ──▶ task of the connection ──▶ RequestHandler
//!                   ◀── Response ──             ◀──                        ◀──
//! ```
//! A connection carries one request and one response. The socket is a file in the state directory,
//! where other users cannot create files. Both sides ask the kernel which user the peer process
//! runs as. The tasks of all connections run on the main thread; a handler does not block it.

mod client;
mod message;
mod request;
mod server;

use std::{
    fs::File,
    io,
    os::fd::AsRawFd,
    path::{Path, PathBuf},
};

pub(crate) use client::{RequestError, send};
pub(crate) use request::{ReloadOutcome, Request, Response, StatusFormat};
pub(crate) use server::{Answer, ControlServer, RequestHandler};

/// Returns the path of the socket.
pub(crate) fn socket_path(state_dir: &Path) -> PathBuf {
    state_dir.join(SOCKET_NAME)
}

/// Calls `use_path` with a path of the socket that fits into a socket address.
fn with_short_path<T>(state_dir: &Path, use_path: impl FnOnce(&Path) -> io::Result<T>) -> io::Result<T> {
    let path = socket_path(state_dir);
    if path.as_os_str().len() <= MAX_SOCKET_PATH_LEN {
        return use_path(&path);
    }
    let directory = File::open(state_dir)?;
    use_path(&Path::new("/proc/self/fd").join(directory.as_raw_fd().to_string()).join(SOCKET_NAME))
}

const SOCKET_NAME: &str = "control.sock";
/// The maximum length of a path in a socket address, in octets (unix(7)).
const MAX_SOCKET_PATH_LEN: usize = 107;

#[cfg(test)]
mod tests;
