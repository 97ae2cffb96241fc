//! One connection. The russh session is polled here and not in a task of its own, so that it ends
//! together with this future.

use std::{
    fmt,
    io::ErrorKind,
    net::SocketAddr,
    pin::Pin,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{
            AtomicBool,
            Ordering::{Acquire, Release},
        },
    },
    task::{Context, Poll},
};

use portreeve_channel::{ChannelError, ChannelStep, PeerIdentity, SshAlgorithms};
use russh::{Disconnect, server::run_stream};
use russh_util::runtime::adopting;
use tokio::io::{AsyncRead, AsyncWrite};

use super::{
    SshServer,
    channel::ServerChannel,
    handler::{ConnectionHandler, HandlerError},
    login_steps::{LoginSteps, MoveObserver, SteppedSession},
    progress::ConnectionProgress,
    server_stream::{ServerStream, StreamStats},
};
use crate::{TrafficSettings, coalescing::CoalescingStream};

/// Options of one connection.
pub struct ConnectionOptions {
    /// The address of the peer.
    pub peer: SocketAddr,
    /// Packet and window behavior.
    pub traffic: TrafficSettings,
    /// The enabled algorithms.
    pub algorithms: SshAlgorithms,
    /// The subsystems that the peer may open.
    pub subsystems: Arc<[Box<str>]>,
    /// Called before the login, when the next step of the connection runs on its worker, or does
    /// not: it waits, or runs on another thread. Until it returns to the worker, the stream must
    /// not hold or await what the worker's connections share.
    pub on_move: Box<dyn Fn(bool)>,
}

impl ConnectionOptions {
    /// Creates options with the default traffic settings and algorithms, without subsystems.
    #[must_use]
    pub fn new(peer: SocketAddr) -> Self {
        Self {
            peer,
            traffic: TrafficSettings::default(),
            algorithms: SshAlgorithms::default(),
            subsystems: Arc::default(),
            on_move: Box::new(|_| {}),
        }
    }
}

impl fmt::Debug for ConnectionOptions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ConnectionOptions").field("peer", &self.peer).finish_non_exhaustive()
    }
}

/// Something that happens on a connection.
#[derive(Debug)]
pub enum SshEvent {
    /// The peer has logged in.
    LoggedIn(PeerIdentity),
    /// The peer has opened a subsystem on a channel. Dropping the channel without
    /// [`ServerChannel::finish`] leaves it open.
    Channel(ServerChannel),
    /// The connection has ended; this is the last event.
    Closed(SshCloseReason),
}

/// The events that the handler has reported. Uses no memory while empty.
#[derive(Clone, Default)]
pub(super) struct SshEvents(Arc<EventQueue>);

#[derive(Default)]
struct EventQueue {
    /// True if there are events. The queue is read each time the connection is polled.
    has_events: AtomicBool,
    events: Mutex<Vec<SshEvent>>,
}

impl SshEvents {
    pub(super) fn add(&self, event: SshEvent) {
        self.0.events.lock().unwrap_or_else(PoisonError::into_inner).push(event);
        self.0.has_events.store(true, Release);
    }

    fn take_first(&self) -> Option<SshEvent> {
        if !self.0.has_events.load(Acquire) {
            return None;
        }
        let mut events = self.0.events.lock().unwrap_or_else(PoisonError::into_inner);
        let first = (!events.is_empty()).then(|| events.remove(0))?;
        if events.is_empty() {
            *events = Vec::new();
            self.0.has_events.store(false, Release);
        }
        Some(first)
    }
}

/// Reason for the end of a connection.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SshCloseReason {
    /// Closed gracefully by either side.
    Closed,
    /// Closed because of something the peer did or did not do, or because of the network.
    Failed(ChannelError),
    /// Closed because the peer violated the protocol.
    ProtocolError(ChannelError),
    /// Closed because the peer sent too many octets without data, for example endless key
    /// exchanges.
    IdleTraffic,
    /// Ended by a panic, which was caught.
    Panicked,
}

/// An accepted connection. It makes progress while it is polled, always on the same current-thread
/// runtime, and dropping it closes it at once.
pub struct SshConnection {
    session: Option<Pin<Box<dyn Future<Output = SshCloseReason>>>>,
    /// The reason for the end, until it is returned.
    closed: Option<SshCloseReason>,
    events: SshEvents,
    progress: Arc<ConnectionProgress>,
    stats: Arc<StreamStats>,
}

impl SshConnection {
    pub(super) fn new<S>(server: &SshServer, stream: S, options: ConnectionOptions) -> Self
    where
        S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
    {
        let ConnectionOptions { peer, traffic, algorithms, subsystems, on_move } = options;
        let current = server.current();
        let config = current.config(traffic.window, algorithms);
        let stats = Arc::new(StreamStats::default());
        let progress = Arc::new(ConnectionProgress::new(
            peer.ip(),
            Arc::clone(&server.statistics),
            Arc::clone(&server.login_cpu),
        ));
        let events = SshEvents::default();
        let handler = ConnectionHandler::new(
            Arc::clone(&progress),
            current,
            traffic,
            subsystems,
            Arc::clone(&stats),
            events.clone(),
        );
        let stream = CoalescingStream::new(stream, traffic.coalesces_writes());
        // Boxed, because the future of russh's session has room for several copies.
        let stream = Box::new(ServerStream::new(stream, Arc::clone(&stats)));
        let session = run_session(
            Box::pin(adopting(run_stream(config, stream, handler))),
            Arc::clone(&server.login_steps),
            Arc::clone(&progress),
            Arc::clone(&stats),
            on_move,
        );
        Self { session: Some(Box::pin(session)), closed: None, events, progress, stats }
    }

    /// Makes progress as far as possible without waiting, and returns the next event.
    pub fn poll_event(&mut self, context: &mut Context<'_>) -> Poll<SshEvent> {
        let session = self.session.as_mut().map(|session| session.as_mut().poll(context));
        if let Some(Poll::Ready(reason)) = session {
            self.session = None;
            self.closed = Some(reason);
        }
        // A peer may open a channel, send a notification, which has no response, and close the
        // connection at once: its channel comes first.
        let event = self.events.take_first().or_else(|| self.closed.take().map(SshEvent::Closed));
        event.map_or(Poll::Pending, Poll::Ready)
    }

    /// If the socket currently accepts no data, returns the number of octets written so far;
    /// otherwise `None`.
    pub fn stalled_at(&self) -> Option<u64> {
        self.stats.stalled_at()
    }

    /// Returns the number of octets received from the peer, of any kind.
    pub fn octets_read(&self) -> u64 {
        self.stats.octets_read()
    }

    /// Closes the connection with a message to the peer, after all data sent before. The connection
    /// must be polled until it is closed.
    pub fn disconnect(&self, message: &'static str) -> impl Future<Output = ()> + use<> {
        let handle = self.progress.handle.get().cloned();
        async move {
            if let Some(handle) = handle {
                // Fails if the connection has ended already.
                let _ = handle.disconnect(Disconnect::ByApplication, message.to_owned(), String::new()).await;
            }
        }
    }
}

impl fmt::Debug for SshConnection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SshConnection").finish_non_exhaustive()
    }
}

/// Runs the russh session until the connection ends. `setup` is boxed, so that a session does not
/// keep the memory its setup needed.
async fn run_session<F>(
    setup: Pin<Box<F>>,
    steps: Arc<LoginSteps>,
    progress: Arc<ConnectionProgress>,
    stats: Arc<StreamStats>,
    on_move: MoveObserver,
) -> SshCloseReason
where
    F: Future<Output = Result<russh::server::RunningSession<ConnectionHandler>, HandlerError>>,
{
    let session = match setup.await {
        Ok(session) => session,
        Err(error) => return close_reason(&error, &progress, &stats),
    };
    let _ = progress.handle.set(session.handle());
    let result =
        SteppedSession::new(session, steps, Arc::clone(&progress), Arc::clone(&stats), on_move).await;
    match (result, progress.violation()) {
        (None, _) => SshCloseReason::Panicked,
        (Some(_), Some(violation)) => {
            SshCloseReason::ProtocolError(ChannelError::at(progress.step(), violation.message()))
        }
        (Some(Ok(())), None) => closed_by_peer(&progress),
        (Some(Err(error)), None) => close_reason(&error, &progress, &stats),
    }
}

/// Returns the close reason of a connection that the peer closed without violating the protocol.
fn closed_by_peer(progress: &ConnectionProgress) -> SshCloseReason {
    match progress.step() {
        ChannelStep::Subsystem | ChannelStep::Data => SshCloseReason::Closed,
        step => SshCloseReason::Failed(ChannelError::at(step, give_up_cause(progress))),
    }
}

/// Returns the cause for a peer that disconnected before it logged in: the reason why its last
/// login was refused, if it has tried to log in.
fn give_up_cause(progress: &ConnectionProgress) -> String {
    match progress.refusal() {
        Some(refusal) => refusal.to_string(),
        None => "the peer disconnected before logging in".to_owned(),
    }
}

fn close_reason(error: &HandlerError, progress: &ConnectionProgress, stats: &StreamStats) -> SshCloseReason {
    let at = |cause: String| ChannelError::at(progress.step(), cause);
    match error {
        HandlerError::Protocol(russh::Error::HUP | russh::Error::Disconnect) => {
            SshCloseReason::Failed(at(give_up_cause(progress)))
        }
        // Many clients close the connection like this, without an SSH disconnect message.
        HandlerError::Protocol(russh::Error::IO(error)) if error.kind() == ErrorKind::UnexpectedEof => {
            closed_by_peer(progress)
        }
        HandlerError::Protocol(russh::Error::IO(_)) if stats.exceeds_idle_traffic() => {
            SshCloseReason::IdleTraffic
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
    }
}

/// Maximum number of characters of a cause in the log.
const MAX_CAUSE_LEN: usize = 500;
