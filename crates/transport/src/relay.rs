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

use portreeve_channel::{ChannelStep, PeerIdentity, SshIdentity, SshProof};
use portreeve_smi::{TmStateReference, TransportAddress, TransportDomain};
use tokio::net::unix::UCred;
use tokio::net::{UnixListener, UnixStream};
use tokio::time::timeout_at;

use crate::handler::{MessageHandler, MessageSource, SessionEvent};
use crate::session_limits::{SessionSlot, SourceId};
use crate::session_log::SESSION_REFUSED;
use crate::session_state::SessionState;
use crate::statistics::CloseReason;
use crate::stream::{StreamConnection, StreamSession, acquire_slot, handle_accept_error};
use crate::worker::Worker;

pub(crate) use accounts::AccountPolicy;
pub use accounts::AllowedAccounts;
pub(crate) use listener::SocketFile;
pub use listener::{RelayBindError, RelayListener};

/// Accepts connections of the listener with this number; never returns.
pub(crate) async fn accept<H: MessageHandler + 'static>(
    worker: Rc<Worker<H>>,
    number: usize,
    policy: Arc<AccountPolicy>,
    socket: UnixListener,
) {
    loop {
        let accepted = match socket.accept().await {
            Ok((stream, _)) => stream.peer_cred().map(|peer| (stream, peer)),
            Err(error) => Err(error),
        };
        match accepted {
            Ok((stream, peer)) => open(&worker, number, &policy, stream, peer),
            Err(error) => handle_accept_error(&worker, &error).await,
        }
    }
}

/// Gives a new connection a slot and a task, or closes it for want of a slot.
fn open<H: MessageHandler + 'static>(
    worker: &Rc<Worker<H>>,
    number: usize,
    policy: &Arc<AccountPolicy>,
    stream: UnixStream,
    peer: UCred,
) {
    let address = TransportAddress::Local { uid: peer.uid() };
    let Some(slot) = acquire_slot(worker, SourceId::Account(peer.uid()), address) else { return };
    let source = source(worker, number, address, &slot);
    let state = SessionState::new(Rc::clone(worker), source, slot);
    tokio::task::spawn_local(run(Arc::clone(policy), stream, peer, state));
}

fn source<H>(
    worker: &Worker<H>,
    number: usize,
    address: TransportAddress,
    slot: &SessionSlot,
) -> MessageSource {
    let tm_state = TmStateReference {
        session: Some(slot.id()),
        ..TmStateReference::unauthenticated(TransportDomain::Ssh, address)
    };
    MessageSource {
        tm_state,
        local: None,
        max_message_size: worker.limits.max_message_size,
        listener: number,
        socket: usize::MAX,
    }
}

/// A session's whole life.
async fn run<H: MessageHandler>(
    policy: Arc<AccountPolicy>,
    stream: UnixStream,
    peer: UCred,
    mut state: SessionState<H>,
) {
    match identify(&policy, peer, &mut state).await {
        Ok(()) => StreamSession::new(StreamConnection::plain(stream), state, false).run().await,
        Err(reason) => state.report_closed(reason),
    }
}

/// Finds out who the peer is, and whether it may come in.
async fn identify<H: MessageHandler>(
    policy: &Arc<AccountPolicy>,
    peer: UCred,
    state: &mut SessionState<H>,
) -> Result<(), CloseReason> {
    let (uid, pid) = (peer.uid(), peer.pid());
    let worker = Rc::clone(&state.worker);
    let (deadline, late) = state.deadline();
    let judged = timeout_at(worker.clock.instant(deadline).into(), policy.check(uid)).await;
    match judged.map_err(|_| late)? {
        Ok(account) => {
            let identity = SshIdentity { user: account, proof: SshProof::RelayedBySshd };
            if let Some(suppressed) = worker.accept_log.allow(Instant::now()) {
                let suppressed = (suppressed > 0).then_some(suppressed);
                tracing::info!(user = %identity.user, uid, pid, suppressed, "session behind sshd");
            }
            state.identify(&PeerIdentity::Ssh(Arc::new(identity)))
        }
        Err(refusal) => {
            let process = pid.map_or_else(String::new, |pid| format!(", process {pid}"));
            let refusal = format!("uid {uid}{process}: {refusal}");
            worker.log_session(&state.source, SESSION_REFUSED, &refusal);
            worker.session_event(
                TransportDomain::Ssh,
                SessionEvent::HandshakeFailed(ChannelStep::ClientIdentity),
            );
            Err(CloseReason::HandshakeFailed)
        }
    }
}
