//! SNMP in SSH (RFC 5592): one connection, one channel with the subsystem, one session.
//!
//! ```text
//! SshServer ── calls of the Hall: octets in, answers out at once ──▶ Conversation
//!     ▲                                                                  ▲
//!     └── poll ── the session's task ── answers that took time, backlog, deadlines
//! ```
//! A request that can be answered at once is answered within the call that brought it; no queue lies between. When the peer's
//! window is used up, what it sends stays unhandled and its own window shrinks to a trickle: it blocks itself.

mod driver;
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

/// Gives a new connection its task.
pub(crate) fn open<H: MessageHandler + 'static>(
    worker: &Rc<Worker<H>>,
    source: MessageSource,
    slot: SessionSlot,
    listener: Listener,
    stream: TcpStream,
    peer: SocketAddr,
) {
    // Where there is no server, the peer sees its connection closed.
    let Some(server) = worker.security.ssh.clone() else {
        return worker.statistics.count_close(CloseReason::Error);
    };
    let state = SessionState::new(Rc::clone(worker), source, slot);
    tokio::task::spawn_local(driver::run(server, stream, peer, listener, state));
}
