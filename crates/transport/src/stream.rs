//! TCP (RFC 3430), bare or under TLS (RFC 6353): accepting, and one task per session on the worker that accepted it.

mod connection;
mod session;
mod socket;

use std::io;
use std::net::SocketAddr;
use std::rc::Rc;
use std::time::{Duration, Instant};

use portreeve_smi::{TmStateReference, TransportAddress};
use portreeve_sys::LocalAddress;
use tokio::net::{TcpListener, TcpStream};

use crate::handler::{MessageHandler, MessageSource};
use crate::listener::{Listener, Protocol};
use crate::session_limits::{SessionSlot, SourceId};
use crate::session_state::SessionState;
use crate::ssh;
use crate::statistics::{CloseReason, increment};
use crate::worker::Worker;

pub(crate) use connection::StreamConnection;
pub(crate) use session::StreamSession;

/// Accepts connections of a listener, the one with this number; never returns.
pub(crate) async fn accept<H: MessageHandler + 'static>(
    worker: Rc<Worker<H>>,
    number: usize,
    listener: Listener,
    socket: TcpListener,
) {
    loop {
        match socket.accept().await {
            Ok((stream, peer)) => open(&worker, number, listener, stream, peer),
            Err(error) => handle_accept_error(&worker, &error).await,
        }
    }
}

/// A connection could not be accepted: rests for a while where it would only happen again.
pub(crate) async fn handle_accept_error<H: MessageHandler>(worker: &Worker<H>, error: &io::Error) {
    increment(&worker.statistics.accept_errors);
    // The peer gave up while it waited for us.
    if error.kind() == io::ErrorKind::ConnectionAborted {
        return;
    }
    if let Some(suppressed) = worker.error_log.allow(Instant::now()) {
        tracing::warn!(%error, suppressed, "accepting a connection failed");
    }
    // As a rule descriptors have run out. The connection stays in the backlog until there is one.
    worker.admission.evict_one();
    tokio::time::sleep(ACCEPT_RETRY_DELAY).await;
}

/// A slot for a connection that was accepted; `None`, counted and told, where all are taken.
pub(crate) fn acquire_slot<H: MessageHandler>(
    worker: &Worker<H>,
    origin: impl Into<SourceId>,
    peer: TransportAddress,
) -> Option<SessionSlot> {
    let slot = worker.admission.admit(origin);
    if slot.is_some() {
        increment(&worker.statistics.sessions_opened);
    } else {
        increment(&worker.statistics.sessions_refused);
        if let Some(suppressed) = worker.error_log.allow(Instant::now()) {
            tracing::warn!(?peer, suppressed, "connection refused: all session places are in use");
        }
    }
    slot
}

/// Returns when the worker's last session has ended; tells them all to, as soon as their answers are taken.
pub(crate) async fn close_all<H: MessageHandler>(worker: &Worker<H>) {
    worker.is_shutting_down.set(true);
    worker.sessions.borrow().values().for_each(|outbox| outbox.wake());
    while !worker.sessions.borrow().is_empty() {
        worker.session_ended.notified().await;
    }
}

/// Gives a new connection a slot and a task, or closes it for want of a slot.
fn open<H: MessageHandler + 'static>(
    worker: &Rc<Worker<H>>,
    number: usize,
    listener: Listener,
    stream: TcpStream,
    peer: SocketAddr,
) {
    let Some(slot) = acquire_slot(worker, peer.ip(), TransportAddress::Ip(peer)) else { return };
    // Answers are written whole, so waiting for more could only delay them. A socket on which this fails is
    // broken, which its first use will tell.
    let _ = stream.set_nodelay(listener.nodelay);
    let local = stream.local_addr().ok();
    let tm_state = TmStateReference {
        session: Some(slot.id()),
        ..TmStateReference::unauthenticated(listener.protocol.into(), TransportAddress::Ip(peer))
    };
    let source = MessageSource {
        tm_state,
        local: local.map(|local| LocalAddress { address: local.ip(), interface: 0 }),
        max_message_size: worker.limits.max_message_size,
        listener: number,
        socket: usize::MAX,
    };
    if listener.protocol == Protocol::Ssh {
        return ssh::open(worker, source, slot, listener, stream, peer);
    }
    let secured = listener.protocol == Protocol::Tls;
    let line = if secured {
        // Where no channel can be made, the peer sees its connection closed.
        let Some(channel) = worker.security.tls.as_ref().and_then(|tls| tls.accept()) else {
            return worker.statistics.count_close(CloseReason::Error);
        };
        StreamConnection::with_channel(stream, channel)
    } else {
        StreamConnection::plain(stream)
    };
    let state = SessionState::new(Rc::clone(worker), source, slot);
    tokio::task::spawn_local(StreamSession::new(line, state, secured).run());
}

/// How long accepting rests after an error, so that it does not spin.
const ACCEPT_RETRY_DELAY: Duration = Duration::from_millis(50);
