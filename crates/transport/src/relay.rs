//! Sessions over SSH (RFC 5592) whose SSH connection is terminated by the local sshd.
//!
//! ```text
//! sshd ── runs as the user ──▶ portreeve-snmp ── octets both ways ──▶ Unix socket ──▶ SessionState
//!                                    └── peer credentials from the kernel ──▶ PeerIdentity
//! ```
//! The peer's identity is provided only by the kernel: the account that its process ran as when it
//! connected. The relay does not send an identity, so it cannot forge one. Only sshd logs the
//! user's network address; our log contains the process ID by which that sshd log line can be
//! found.

mod accounts;
mod listener;

use std::rc::Rc;
use std::sync::Arc;
use std::time::Instant;

use portreeve_channel::{ChannelStep, PeerIdentity, SshIdentity, SshProof};
use portreeve_smi::{TransportAddress, TransportDomain};
use tokio::net::unix::UCred;
use tokio::net::{UnixListener, UnixStream};
use tokio::time::timeout_at;

use crate::handler::{MessageHandler, SessionEvent};
use crate::session_limits::SourceId;
use crate::session_log::SESSION_REFUSED;
use crate::session_source::SessionSource;
use crate::session_state::SessionState;
use crate::statistics::CloseReason;
use crate::stream::{StreamConnection, StreamSession, acquire_slot, handle_accept_error};
use crate::worker::Worker;

pub(crate) use accounts::AccountPolicy;
pub use accounts::AllowedAccounts;
pub(crate) use listener::SocketFile;
pub use listener::{RelayBindError, RelayListener};

/// Accepts connections of the listener with this index; never returns.
pub(crate) async fn accept<H: MessageHandler + 'static>(
    worker: Rc<Worker<H>>,
    listener_index: usize,
    policy: Arc<AccountPolicy>,
    socket: UnixListener,
) {
    loop {
        let accepted = match socket.accept().await {
            Ok((stream, _)) => stream.peer_cred().map(|peer| (stream, peer)),
            Err(error) => Err(error),
        };
        match accepted {
            Ok((stream, peer)) => open(&worker, listener_index, &policy, stream, peer),
            Err(error) => handle_accept_error(&worker, &error).await,
        }
    }
}

/// Acquires a slot for a new connection and starts its task, or closes the connection if no slot is
/// free.
fn open<H: MessageHandler + 'static>(
    worker: &Rc<Worker<H>>,
    listener_index: usize,
    policy: &Arc<AccountPolicy>,
    stream: UnixStream,
    peer: UCred,
) {
    let address = TransportAddress::Local { uid: peer.uid() };
    let account = SourceId::Account(peer.uid());
    let Some(slot) = acquire_slot(worker, account, TransportDomain::Ssh, address) else { return };
    let source = SessionSource {
        domain: TransportDomain::Ssh,
        peer: address,
        local: None,
        listener: listener_index,
        session: slot.id(),
        identity: None,
        security_name: None,
    };
    let state = SessionState::new(Rc::clone(worker), source, slot);
    tokio::task::spawn_local(run(Arc::clone(policy), stream, peer, state));
}

/// Runs a session until it is closed.
async fn run<H: MessageHandler + 'static>(
    policy: Arc<AccountPolicy>,
    stream: UnixStream,
    peer: UCred,
    mut state: SessionState<H>,
) {
    match identify(&policy, peer, &mut state).await {
        Ok(()) => drop(StreamSession::new(StreamConnection::plain(stream), state).run().await),
        Err(reason) => state.report_closed(reason),
    }
}

/// Looks up the peer's account and checks whether it is allowed.
async fn identify<H: MessageHandler + 'static>(
    policy: &Arc<AccountPolicy>,
    peer: UCred,
    state: &mut SessionState<H>,
) -> Result<(), CloseReason> {
    let (uid, pid) = (peer.uid(), peer.pid());
    let worker = Rc::clone(state.worker());
    let (deadline, reason) = state.deadline();
    let result = timeout_at(worker.clock.instant(deadline).into(), policy.check(uid)).await;
    match result.map_err(|_| reason)? {
        Ok(account) => {
            let identity = SshIdentity { user: account, proof: SshProof::RelayedBySshd };
            if let Some(suppressed) = worker.accept_log.allow(identity.user.as_bytes(), Instant::now()) {
                let suppressed = (suppressed > 0).then_some(suppressed);
                tracing::info!(user = %identity.user, uid, pid, suppressed, "session accepted through sshd");
            }
            state.set_identity(&PeerIdentity::Ssh(Arc::new(identity)));
            state.open_first()
        }
        Err(refusal) => {
            let process = pid.map_or_else(String::new, |pid| format!(", process {pid}"));
            let refusal = format!("uid {uid}{process}: {refusal}");
            let source = state.source();
            worker.log_session(source.domain, source.peer, SESSION_REFUSED, &refusal);
            worker.session_event(
                TransportDomain::Ssh,
                SessionEvent::HandshakeFailed(ChannelStep::ClientIdentity),
            );
            Err(CloseReason::HandshakeFailed)
        }
    }
}
