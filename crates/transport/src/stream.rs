//! TCP (RFC 3430), with or without TLS (RFC 6353): accepts connections and runs one task per
//! session on the accepting worker.

mod connection;
mod session;
mod socket;

use std::io;
use std::net::SocketAddr;
use std::rc::Rc;
use std::time::{Duration, Instant};

use portreeve_smi::{TransportAddress, TransportDomain};
use portreeve_sys::LocalAddress;
use tokio::net::{TcpListener, TcpStream};

use crate::handler::MessageHandler;
use crate::listener::{Listener, Protocol};
use crate::session_limits::{SessionSlot, SourceId, new_session_memory};
use crate::session_source::SessionSource;
use crate::session_state::SessionState;
use crate::ssh;
use crate::statistics::{CloseReason, increment};
use crate::worker::{Stage, Worker};

pub(crate) use connection::StreamConnection;
pub(crate) use session::StreamSession;

/// Accepts connections of the listener with this index; never returns.
pub(crate) async fn accept<H: MessageHandler + 'static>(
    worker: Rc<Worker<H>>,
    listener_index: usize,
    listener: Listener,
    socket: TcpListener,
) {
    let mut accepted = 0_usize;
    loop {
        match socket.accept().await {
            Ok((stream, peer)) => open(&worker, listener_index, listener, stream, peer),
            Err(error) => handle_accept_error(&worker, &error).await,
        }
        accepted += 1;
        if accepted.is_multiple_of(MAX_ACCEPTS) {
            // More connections may be waiting, but other sockets are served first.
            tokio::task::yield_now().await;
        }
    }
}

/// Handles a failed accept: waits for [`ACCEPT_RETRY_DELAY`], unless the next attempt is expected
/// to succeed.
pub(crate) async fn handle_accept_error<H: MessageHandler>(worker: &Worker<H>, error: &io::Error) {
    increment(&worker.statistics.accept_errors);
    // The peer closed the connection before it was accepted.
    if error.kind() == io::ErrorKind::ConnectionAborted {
        return;
    }
    if let Some(suppressed) = worker.error_log.allow(Instant::now()) {
        tracing::warn!(%error, suppressed, "cannot accept a connection");
    }
    // The usual cause is that file descriptors are exhausted, so a session is evicted to free one.
    // The connection remains in the backlog until then.
    worker.session_limits.evict_one();
    tokio::time::sleep(ACCEPT_RETRY_DELAY).await;
}

/// Acquires a slot for an accepted connection. If none is free, the connection is counted as
/// refused and logged.
pub(crate) fn acquire_slot<H: MessageHandler>(
    worker: &Worker<H>,
    source: impl Into<SourceId>,
    domain: TransportDomain,
    peer: TransportAddress,
) -> Option<SessionSlot> {
    let slot = worker.session_limits.admit(source, new_session_memory(domain, peer));
    if slot.is_some() {
        increment(&worker.statistics.sessions_opened);
    } else {
        increment(&worker.statistics.sessions_refused);
        if let Some(suppressed) = worker.error_log.allow(Instant::now()) {
            tracing::warn!(
                %peer,
                transport = %domain,
                limit = worker.limits.max_sessions,
                limit_per_source = worker.limits.max_sessions_per_source,
                suppressed,
                "session refused: session limit reached"
            );
        }
    }
    slot
}

/// Closes all sessions of the worker as soon as their pending responses are sent, and their
/// connections; returns when the last one has closed.
pub(crate) async fn close_all<H: MessageHandler>(worker: &Worker<H>) {
    worker.set_stage(Stage::Closing);
    while !worker.is_closed() {
        worker.session_ended.notified().await;
    }
}

/// Acquires a slot for a new connection and starts its task, or closes the connection if no slot is
/// free.
fn open<H: MessageHandler + 'static>(
    worker: &Rc<Worker<H>>,
    listener_index: usize,
    listener: Listener,
    stream: TcpStream,
    peer: SocketAddr,
) {
    let (domain, address) = (listener.protocol.into(), TransportAddress::Ip(peer));
    let Some(slot) = acquire_slot(worker, peer.ip(), domain, address) else { return };
    // Responses are written as a whole, so Nagle's algorithm could only delay them. If this call
    // fails, the socket is unusable, and the first read or write reports the error.
    let _ = stream.set_nodelay(listener.nodelay);
    let local = stream.local_addr().ok();
    let source = SessionSource {
        domain,
        peer: address,
        local: local.map(|local| LocalAddress { address: local.ip(), interface: 0 }),
        listener: listener_index,
        session: slot.id(),
        identity: None,
        security_name: None,
    };
    if listener.protocol == Protocol::Ssh {
        return ssh::open(worker, source, slot, listener, stream, peer);
    }
    let is_secure = listener.protocol == Protocol::Tls;
    let connection = if is_secure {
        // If no channel can be created, the connection is closed.
        let Some(channel) = worker.security.tls.as_ref().and_then(|tls| tls.accept()) else {
            return worker.statistics.count_close(CloseReason::Error);
        };
        StreamConnection::with_channel(stream, channel)
    } else {
        StreamConnection::plain(stream)
    };
    let mut state = SessionState::new(Rc::clone(worker), source, slot);
    // The service of a secure session starts when the peer is authenticated.
    if !is_secure && let Err(reason) = state.open_first() {
        return state.report_closed(reason);
    }
    tokio::task::spawn_local(StreamSession::new(connection, state).run());
}

/// The maximum number of connections accepted before other tasks of the worker run.
const MAX_ACCEPTS: usize = 8;

/// The delay before the next accept after an error, so that the task does not spin.
const ACCEPT_RETRY_DELAY: Duration = Duration::from_millis(50);
