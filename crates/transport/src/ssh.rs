//! SNMP over SSH (RFC 5592): one connection, one channel with the subsystem, one session.
//!
//! ```text
//! SshServer ── callbacks of SshSession: octets in, immediate responses out ──▶ SessionState
//!     ▲                                                                  ▲
//!     └── poll ── the session's task ── deferred responses, backlog, deadlines
//! ```
//! A request that can be answered at once is answered within the callback that delivered it,
//! without a queue in between. When the peer does not enlarge its window for our responses, its
//! requests remain unhandled and the window that we have granted for requests is used up. A peer
//! that does not read can therefore block only itself.

mod driver;
mod login_turns;
mod session;

use std::net::SocketAddr;
use std::rc::Rc;

use tokio::net::TcpStream;

use crate::handler::{MessageHandler, MessageSource};
use crate::listener::Listener;
use crate::session_limits::SessionSlot;
use crate::session_state::SessionState;
use crate::statistics::CloseReason;
use crate::worker::Worker;

/// Starts the task of a new connection.
pub(crate) fn open<H: MessageHandler + 'static>(
    worker: &Rc<Worker<H>>,
    source: MessageSource,
    slot: SessionSlot,
    listener: Listener,
    stream: TcpStream,
    peer: SocketAddr,
) {
    // If no SSH server is configured, the connection is closed.
    let Some(server) = worker.security.ssh.clone() else {
        return worker.statistics.count_close(CloseReason::Error);
    };
    let state = SessionState::new(Rc::clone(worker), source, slot);
    tokio::task::spawn_local(driver::run(server, stream, peer, listener, state));
}
