//! Runs one connection. The russh session is polled here and not in a task of its own, so that it
//! ends together with this future.

use std::{io::ErrorKind, net::SocketAddr, rc::Rc, sync::Arc};

use portreeve_channel::{ChannelError, ChannelStep, SshAlgorithms};
use russh::server::run_stream;
use russh_util::runtime::adopting;
use tokio::io::{AsyncRead, AsyncWrite};

use super::{
    SshServer,
    callbacks::{ConnectionCallbacks, ConnectionHandle},
    handler::{ConnectionHandler, HandlerError},
    login_steps::SteppedSession,
    pre_auth_limit::PreAuthLimit,
    registry::Registration,
    socket_stats::{MeasuredStream, SocketStats},
};
use crate::{TrafficSettings, coalescing::CoalescingStream};

/// Reason for the end of a connection.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SshCloseReason {
    /// Closed gracefully by either side.
    Closed,
    /// Closed because of something the peer did or did not do, or because of the network.
    Failed(ChannelError),
    /// Closed because the peer violated the protocol.
    ProtocolError(ChannelError),
    /// Ended by a panic, which was caught.
    Panicked,
}

pub(super) async fn serve<S>(
    server: &SshServer,
    stream: S,
    peer: SocketAddr,
    traffic: TrafficSettings,
    algorithms: SshAlgorithms,
    callbacks: Rc<dyn ConnectionCallbacks>,
) -> SshCloseReason
where
    S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
{
    let stats = Arc::new(SocketStats::default());
    let current = server.current();
    let registration = Registration::new(
        callbacks,
        peer.ip(),
        Arc::clone(&server.statistics),
        Arc::clone(&server.login_cpu),
    );
    let entry = Rc::clone(&registration.entry);
    let config = current.config(traffic.window, algorithms);
    let handler =
        ConnectionHandler::new(&registration, current, traffic.window).with_stats(Arc::clone(&stats));
    let stream =
        CoalescingStream::new(MeasuredStream::new(stream, Arc::clone(&stats)), traffic.coalesces_writes());
    // Boxed, so that a session does not keep the memory its setup needed.
    let session =
        Box::pin(adopting(run_stream(config, PreAuthLimit::new(stream, Arc::clone(&stats)), handler))).await;
    let session = match session {
        Ok(session) => session,
        Err(error) => return close_reason(&error, &registration),
    };
    let progress = Arc::clone(&registration.progress);
    let _ = progress.handle.set(session.handle());
    entry.callbacks.connected(ConnectionHandle { handle: session.handle(), stats: Arc::clone(&stats) });
    let result =
        SteppedSession::new(session, Arc::clone(&server.login_steps), progress, stats, Rc::clone(&entry))
            .await;
    match (result, entry.violation.get()) {
        (None, _) => SshCloseReason::Panicked,
        (Some(_), Some(violation)) => {
            SshCloseReason::ProtocolError(ChannelError::at(registration.progress.step(), violation.message()))
        }
        (Some(Ok(())), None) => closed_by_peer(&registration),
        (Some(Err(error)), None) => close_reason(&error, &registration),
    }
}

/// Returns the close reason of a connection that the peer closed without violating the protocol.
fn closed_by_peer(registration: &Registration) -> SshCloseReason {
    match registration.progress.step() {
        ChannelStep::Subsystem | ChannelStep::Data => SshCloseReason::Closed,
        step => SshCloseReason::Failed(ChannelError::at(step, give_up_cause(registration))),
    }
}

/// Returns the cause for a peer that disconnected before it logged in: the reason why its last
/// login was refused, if it has tried to log in.
fn give_up_cause(registration: &Registration) -> String {
    match registration.progress.refusal() {
        Some(refusal) => refusal.to_string(),
        None => "the peer disconnected before logging in".to_owned(),
    }
}

fn close_reason(error: &HandlerError, registration: &Registration) -> SshCloseReason {
    let at = |cause: String| ChannelError::at(registration.progress.step(), cause);
    match error {
        HandlerError::Protocol(russh::Error::HUP | russh::Error::Disconnect) => {
            SshCloseReason::Failed(at(give_up_cause(registration)))
        }
        // Many clients close the connection like this, without an SSH disconnect message.
        HandlerError::Protocol(russh::Error::IO(error)) if error.kind() == ErrorKind::UnexpectedEof => {
            closed_by_peer(registration)
        }
        HandlerError::Protocol(error @ russh::Error::IO(_)) => SshCloseReason::Failed(at(error.to_string())),
        // Limited in length, because the text may contain algorithm names sent by the peer.
        HandlerError::Protocol(error) => {
            SshCloseReason::ProtocolError(at(error.to_string().chars().take(MAX_CAUSE_LEN).collect()))
        }
        HandlerError::InvalidState => {
            SshCloseReason::Failed(at("internal error: a login has no result".to_owned()))
        }
        HandlerError::TooManyAttempts => SshCloseReason::Failed(at("too many login attempts".to_owned())),
        HandlerError::WrongThread => SshCloseReason::Failed(at(
            "internal error: the connection was polled on another thread".to_owned(),
        )),
    }
}

/// Maximum number of characters of a cause in the log.
const MAX_CAUSE_LEN: usize = 500;
