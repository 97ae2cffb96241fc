//! TCP (RFC 3430): accepting, and one task per session on the worker that accepted it.

mod outbox;
mod session;

use std::io;
use std::net::SocketAddr;
use std::rc::Rc;
use std::time::Duration;

use tokio::net::{TcpListener, TcpStream};

pub(crate) use outbox::Outbox;

use crate::handler::MessageHandler;
use crate::statistics::raise;
use crate::worker::Worker;
use session::Session;

/// Accepts connections of the listener with this number; never returns.
pub(crate) async fn accept<H: MessageHandler + 'static>(
    worker: Rc<Worker<H>>,
    number: usize,
    listener: TcpListener,
) {
    loop {
        match listener.accept().await {
            Ok((stream, peer)) => open(&worker, number, stream, peer),
            // The peer gave up while it waited for us.
            Err(error) if error.kind() == io::ErrorKind::ConnectionAborted => {
                raise(&worker.statistics.accept_errors);
            }
            Err(error) => {
                raise(&worker.statistics.accept_errors);
                if let Some(suppressed) = worker.complaints.allow() {
                    tracing::warn!(%error, suppressed, "accepting a TCP connection failed");
                }
                // As a rule descriptors have run out. The connection stays in the backlog until there is one.
                worker.admission.shed();
                tokio::time::sleep(PAUSE).await;
            }
        }
    }
}

/// Returns when the worker's last session has ended; tells them all to, as soon as their answers are taken.
pub(crate) async fn all_closed<H: MessageHandler>(worker: &Worker<H>) {
    worker.stopping.set(true);
    worker.sessions.borrow().values().for_each(|outbox| outbox.rouse());
    while !worker.sessions.borrow().is_empty() {
        worker.session_ended.notified().await;
    }
}

/// Gives a new connection a place and a task, or closes it for want of a place.
fn open<H: MessageHandler + 'static>(
    worker: &Rc<Worker<H>>,
    listener: usize,
    stream: TcpStream,
    peer: SocketAddr,
) {
    let Some(place) = worker.admission.admit(peer.ip()) else {
        raise(&worker.statistics.sessions_refused);
        if let Some(suppressed) = worker.complaints.allow() {
            tracing::warn!(%peer, suppressed, "connection refused: all session places are in use");
        }
        return;
    };
    raise(&worker.statistics.sessions_opened);
    // Answers are written whole, so waiting for more could only delay them. A socket on which this fails is
    // broken, which its first use will tell.
    let _ = stream.set_nodelay(true);
    let session = Session::new(Rc::clone(worker), listener, stream, peer, place);
    tokio::task::spawn_local(session.run());
}

/// How long accepting rests after an error, so that it does not spin.
const PAUSE: Duration = Duration::from_millis(50);
