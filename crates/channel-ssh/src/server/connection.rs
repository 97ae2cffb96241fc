//! One connection's life: russh's session, polled here and not by a task of its own, so that it ends when we do.

use std::{
    future::poll_fn,
    io::ErrorKind,
    net::SocketAddr,
    panic::{AssertUnwindSafe, catch_unwind},
    pin::pin,
    rc::Rc,
    sync::Arc,
    task::Poll,
};

use portreeve_channel::{ChannelError, ChannelStep, SshAlgorithms};
use russh::server::run_stream;
use russh_util::runtime::adopting;
use tokio::io::{AsyncRead, AsyncWrite};

use super::{
    callbacks::{ConnectionCallbacks, ConnectionHandle},
    handler::{ConnectionHandler, HandlerError},
    pre_auth_limit::PreAuthLimit,
    registry::Registration,
    russh_log::LogScope,
    settings::ActiveSettings,
    socket_stats::{MeasuredStream, SocketStats},
    statistics::SshStatistics,
};
use crate::{TrafficSettings, coalescing::CoalescingStream};

/// How a connection ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SshCloseReason {
    /// In order, by one side or the other.
    Closed,
    /// By something the peer did or did not do, or the network.
    Failed(ChannelError),
    /// By something that no peer may do.
    ProtocolError(ChannelError),
    /// By a panic, which went no further.
    Panicked,
}

pub(super) async fn serve<S>(
    current: Arc<ActiveSettings>,
    statistics: Arc<SshStatistics>,
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
    let registration = Registration::new(callbacks, peer.ip(), Arc::clone(&statistics));
    let entry = Rc::clone(&registration.entry);
    let config = current.config(traffic.window, algorithms);
    let handler =
        ConnectionHandler::new(registration.number(), current, statistics, peer.ip(), traffic.window)
            .with_stats(Arc::clone(&stats));
    let stream =
        CoalescingStream::new(MeasuredStream::new(stream, Arc::clone(&stats)), traffic.coalesces_writes());
    // Boxed, so that a session does not keep the room its beginning needed.
    let session =
        Box::pin(adopting(run_stream(config, PreAuthLimit::new(stream, Arc::clone(&stats)), handler))).await;
    let session = match session {
        Ok(session) => session,
        Err(error) => return close_reason(&error, &registration),
    };
    entry.handle.replace(Some(session.handle()));
    entry.callbacks.connected(ConnectionHandle { handle: session.handle(), stats });
    let mut session = pin!(session);
    let result = poll_fn(|context| {
        let _listening = LogScope::enter(registration.number());
        match catch_unwind(AssertUnwindSafe(|| session.as_mut().poll(context))) {
            Ok(poll) => poll.map(Some),
            Err(_) => Poll::Ready(None),
        }
    })
    .await;
    match (result, entry.violation.get()) {
        (None, _) => SshCloseReason::Panicked,
        (Some(_), Some(violation)) => {
            SshCloseReason::ProtocolError(ChannelError::at(entry.step.get(), violation.message()))
        }
        (Some(Ok(())), None) => closed_by_peer(&registration),
        (Some(Err(error)), None) => close_reason(&error, &registration),
    }
}

/// A peer has gone that broke nothing.
fn closed_by_peer(registration: &Registration) -> SshCloseReason {
    match registration.entry.step.get() {
        ChannelStep::Subsystem | ChannelStep::Data => SshCloseReason::Closed,
        step => SshCloseReason::Failed(ChannelError::at(step, give_up_cause(registration))),
    }
}

/// What a peer that went away before it was in had tried.
fn give_up_cause(registration: &Registration) -> String {
    match registration.entry.refusal.get() {
        Some(refusal) => refusal.to_string(),
        None => "the peer gave up".to_owned(),
    }
}

fn close_reason(error: &HandlerError, registration: &Registration) -> SshCloseReason {
    let at = |cause: String| ChannelError::at(registration.entry.step.get(), cause);
    match error {
        HandlerError::Protocol(russh::Error::HUP | russh::Error::Disconnect) => {
            SshCloseReason::Failed(at(give_up_cause(registration)))
        }
        // Many clients end like that, with no farewell and all said.
        HandlerError::Protocol(russh::Error::IO(error)) if error.kind() == ErrorKind::UnexpectedEof => {
            closed_by_peer(registration)
        }
        HandlerError::Protocol(error @ russh::Error::IO(_)) => SshCloseReason::Failed(at(error.to_string())),
        // It may name all that the peer has said it can do.
        HandlerError::Protocol(error) => {
            SshCloseReason::ProtocolError(at(error.to_string().chars().take(MAX_CAUSE_LEN).collect()))
        }
        HandlerError::InvalidState => SshCloseReason::Failed(at("a login was not judged".to_owned())),
        HandlerError::TooManyAttempts => SshCloseReason::Failed(at("too many tries to log in".to_owned())),
        HandlerError::WrongThread => {
            SshCloseReason::Failed(at("the connection was polled on another thread than its own".to_owned()))
        }
    }
}

/// Letters of what the log hears.
const MAX_CAUSE_LEN: usize = 500;
