//! SNMP over SSH (RFC 5592): each channel with the subsystem `snmp` is a session.
//!
//! ```text
//! TcpStream ◀─▶ russh, polled by the connection's task ◀─▶ ServerChannel ◀─▶ StreamSession
//! ```
//! The task of a connection waits for the login, starts a session for each channel, and closes the
//! connection. A session over a channel is like one over a TCP socket, so all limits of sessions
//! hold for each channel. When the peer does not enlarge its window for our responses, its requests
//! remain unhandled and the window that we have granted for requests is used up. A peer that does
//! not read can therefore block only itself.

mod connection;
mod login_turns;
mod sessions;

use std::net::SocketAddr;
use std::rc::Rc;

use tokio::net::TcpStream;

use crate::handler::MessageHandler;
use crate::listener::Listener;
use crate::session_limits::SessionSlot;
use crate::session_source::SessionSource;
use crate::statistics::CloseReason;
use crate::worker::Worker;

pub(crate) use sessions::ChannelSocket;

/// Starts the task of a new connection.
pub(crate) fn open<H: MessageHandler + 'static>(
    worker: &Rc<Worker<H>>,
    source: SessionSource,
    slot: SessionSlot,
    listener: Listener,
    stream: TcpStream,
    peer: SocketAddr,
) {
    // If no SSH server is configured, the connection is closed.
    let Some(server) = worker.security.ssh.clone() else {
        return worker.statistics.count_close(CloseReason::Error);
    };
    connection::start(server, stream, peer, listener, Rc::clone(worker), source, slot);
}
