//! Behind sshd: sessions over SSH (RFC 5592) whose SSH is done by the sshd of this machine.
//!
//! ```text
//! sshd ── runs as the user ──▶ portreeve-snmp ── octets both ways ──▶ Unix socket ──▶ Conversation
//!                                    └── the kernel: which account's process is it? ──▶ PeerIdentity
//! ```
//! Who the peer is comes from the kernel alone: the account that its process ran as when it connected. The relay says
//! nothing of itself, so it cannot lie; where the user came from stands in sshd's log, and ours has the process's number
//! to find it there.

mod accounts;
mod listener;

use std::rc::Rc;
use std::sync::Arc;
use std::time::Instant;

use portreeve_channel::{PeerIdentity, SshIdentity, SshProof, Step};
use portreeve_smi::{TmStateReference, TransportAddress, TransportDomain};
use tokio::net::unix::UCred;
use tokio::net::{UnixListener, UnixStream};
use tokio::time::timeout_at;

use crate::admission::{Origin, Place};
use crate::conversation::Conversation;
use crate::handler::{MessageHandler, SessionEvent, Source};
use crate::statistics::CloseReason;
use crate::stream::{Line, Session, not_accepted, place_for};
use crate::told::REFUSED;
use crate::worker::Worker;

pub use accounts::Accounts;
pub(crate) use accounts::Doorkeeper;
pub(crate) use listener::SocketFile;
pub use listener::{RelayBindError, RelayListener};

/// Accepts connections of the listener with this number; never returns.
pub(crate) async fn accept<H: MessageHandler + 'static>(
    worker: Rc<Worker<H>>,
    number: usize,
    doorkeeper: Arc<Doorkeeper>,
    socket: UnixListener,
) {
    loop {
        let accepted = match socket.accept().await {
            Ok((stream, _)) => stream.peer_cred().map(|peer| (stream, peer)),
            Err(error) => Err(error),
        };
        match accepted {
            Ok((stream, peer)) => open(&worker, number, &doorkeeper, stream, peer),
            Err(error) => not_accepted(&worker, &error).await,
        }
    }
}

/// Gives a new connection a place and a task, or closes it for want of a place.
fn open<H: MessageHandler + 'static>(
    worker: &Rc<Worker<H>>,
    number: usize,
    doorkeeper: &Arc<Doorkeeper>,
    stream: UnixStream,
    peer: UCred,
) {
    let address = TransportAddress::Local { uid: peer.uid() };
    let Some(place) = place_for(worker, Origin::Account(peer.uid()), address) else { return };
    let source = source(worker, number, address, &place);
    let conversation = Conversation::new(Rc::clone(worker), source, place);
    tokio::task::spawn_local(run(Arc::clone(doorkeeper), stream, peer, conversation));
}

fn source<H>(worker: &Worker<H>, number: usize, address: TransportAddress, place: &Place) -> Source {
    let tm_state = TmStateReference {
        session: Some(place.id()),
        ..TmStateReference::unauthenticated(TransportDomain::Ssh, address)
    };
    Source {
        tm_state,
        local: None,
        max_message_size: worker.limits.max_message_size,
        listener: number,
        socket: usize::MAX,
    }
}

/// A session's whole life.
async fn run<H: MessageHandler>(
    doorkeeper: Arc<Doorkeeper>,
    stream: UnixStream,
    peer: UCred,
    mut conversation: Conversation<H>,
) {
    match identify(&doorkeeper, peer, &mut conversation).await {
        Ok(()) => Session::new(Line::plain(stream), conversation, false).run().await,
        Err(reason) => conversation.closed(reason),
    }
}

/// Finds out who the peer is, and whether it may come in.
async fn identify<H: MessageHandler>(
    doorkeeper: &Arc<Doorkeeper>,
    peer: UCred,
    conversation: &mut Conversation<H>,
) -> Result<(), CloseReason> {
    let (uid, pid) = (peer.uid(), peer.pid());
    let worker = Rc::clone(&conversation.worker);
    let (deadline, late) = conversation.deadline();
    let judged = timeout_at(worker.clock.instant(deadline).into(), doorkeeper.judge(uid)).await;
    match judged.map_err(|_| late)? {
        Ok(account) => {
            let identity = SshIdentity { user: account, proof: SshProof::RelayedBySshd };
            if let Some(suppressed) = worker.arrivals.allow(Instant::now()) {
                let suppressed = (suppressed > 0).then_some(suppressed);
                tracing::info!(user = %identity.user, uid, pid, suppressed, "session behind sshd");
            }
            conversation.identify(&PeerIdentity::Ssh(Arc::new(identity)))
        }
        Err(refusal) => {
            let process = pid.map_or_else(String::new, |pid| format!(", process {pid}"));
            let refusal = format!("uid {uid}{process}: {refusal}");
            worker.tell(&conversation.source, REFUSED, &refusal);
            worker.session_event(TransportDomain::Ssh, SessionEvent::HandshakeFailed(Step::ClientIdentity));
            Err(CloseReason::HandshakeFailed)
        }
    }
}
