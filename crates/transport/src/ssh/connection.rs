//! The task of one connection.
//!
//! ```text
//!           first channel          last session ends
//! login ────────────────▶ sessions ◀───────────────▶ idle ──▶ closed
//!                                    next channel
//! ```
//! A connection has a slot of its own until its first session begins, which takes this slot, and
//! while it is idle.

use std::future::{Future, poll_fn};
use std::net::{IpAddr, SocketAddr};
use std::pin::{Pin, pin};
use std::rc::Rc;
use std::sync::Arc;
use std::task::{Context, Poll};

use portreeve_channel::ChannelStep;
use portreeve_channel_ssh::TrafficSettings;
use portreeve_channel_ssh::server::{
    ConnectionOptions, ServerChannel, SshCloseReason, SshConnection, SshEvent, SshServer,
};
use portreeve_smi::{Timestamp, TransportAddress};
use tokio::net::TcpStream;
use tokio::time::{Sleep, timeout};

use super::login_turns::{LoginTurns, TurnStream};
use super::sessions::{CLOSE_TIMEOUT, Sessions, disconnect_text};
use crate::handler::{MessageHandler, SessionEvent};
use crate::listener::Listener;
use crate::session_limits::{SessionSlot, new_session_memory};
use crate::session_log::{SESSION_ENDED, SESSION_REFUSED};
use crate::session_source::SessionSource;
use crate::session_state::SessionState;
use crate::statistics::CloseReason;
use crate::stream::acquire_slot;
use crate::task_timer::TaskTimer;
use crate::worker::{OpenConnection, Stage, Worker};

/// Starts the task of a connection.
pub(super) fn start<H: MessageHandler + 'static>(
    server: Arc<SshServer>,
    stream: TcpStream,
    peer: SocketAddr,
    listener: Listener,
    worker: Rc<Worker<H>>,
    source: SessionSource,
    slot: SessionSlot,
) {
    let login_turns = LoginTurns::new(worker.handshake_turns.clone());
    let stream = TurnStream::new(stream, Arc::clone(&login_turns));
    let moved = Arc::clone(&login_turns);
    let connection = server.accept(
        stream,
        ConnectionOptions {
            peer,
            traffic: TrafficSettings { nodelay: listener.nodelay, window: listener.window },
            algorithms: listener.algorithms,
            subsystems: Arc::clone(worker.services(source.listener).names()),
            on_move: Box::new(move |is_on_worker| moved.set_on_worker(is_on_worker)),
        },
    );
    let end = worker.clock.now() + worker.limits.max_session_duration;
    let open = OpenConnection::new(&worker);
    let task = Box::new(ConnectionTask {
        worker,
        connection,
        login_turns,
        turn_end: None,
        source,
        end,
        stall: None,
        sessions: Rc::default(),
        _open: open,
    });
    tokio::task::spawn_local(task.run(slot));
}

/// The state of a connection's task.
struct ConnectionTask<H: MessageHandler> {
    worker: Rc<Worker<H>>,
    connection: SshConnection,
    login_turns: Arc<LoginTurns>,
    /// The end of the connection's current turn; `None` if the connection holds no turn.
    turn_end: Option<Pin<Box<dyn Future<Output = ()>>>>,
    /// The source of the octets, of which each session has a copy with its own session ID.
    source: SessionSource,
    /// The time at which the connection reaches its maximum duration.
    end: Timestamp,
    stall: Option<Stall>,
    sessions: Rc<Sessions>,
    /// Dropped last.
    _open: OpenConnection<H>,
}

/// The end of a connection.
enum ConnectionEnd {
    /// The connection is closed.
    Closed(CloseReason),
    /// This side closes the connection.
    Close(CloseReason),
}

/// A socket that accepts no octets.
struct Stall {
    /// The number of octets written before.
    octets_written: u64,
    timer: Pin<Box<Sleep>>,
}

impl<H: MessageHandler + 'static> ConnectionTask<H> {
    /// Boxed, like the phases that a connection leaves: an open connection keeps only the memory
    /// that it needs while its sessions are served.
    async fn run(mut self: Box<Self>, slot: SessionSlot) {
        let mut opened = Box::pin(self.open_first_session(slot)).await;
        let end = loop {
            let served = match opened {
                Ok(()) => self.serve_sessions().await,
                Err(end) => break end,
            };
            opened = match served {
                Ok(()) => Box::pin(self.idle()).await,
                Err(end) => break end,
            };
        };
        if let ConnectionEnd::Close(reason) = end {
            Box::pin(self.close(reason)).await;
        }
    }

    /// Waits for the login and the first channel.
    async fn open_first_session(&mut self, slot: SessionSlot) -> Result<(), ConnectionEnd> {
        let mut state = SessionState::new(Rc::clone(&self.worker), self.source.clone(), slot);
        match self.wait_for_channel(&mut state, None).await {
            Ok(channel) => {
                self.source = state.source().clone();
                self.start_session(channel, state)
            }
            Err(end) => {
                let (ConnectionEnd::Closed(reason) | ConnectionEnd::Close(reason)) = end;
                state.report_closed(reason);
                Err(end)
            }
        }
    }

    /// Waits until the peer opens a channel. Before that, it must log in. `deadline` is the
    /// deadline of an idle connection; by default, the deadlines of a new session apply.
    async fn wait_for_channel(
        &mut self,
        state: &mut SessionState<H>,
        deadline: Option<Timestamp>,
    ) -> Result<ServerChannel, ConnectionEnd> {
        let worker = Rc::clone(&self.worker);
        let (deadline, reason) = deadline.map_or_else(|| state.deadline(), |time| (time, CloseReason::Idle));
        let mut timer = pin!(worker.sleep_until(deadline));
        // Only octets that arrive from now on can still be in a buffer.
        let octets_before = self.connection.octets_read();
        let outbox = Rc::clone(state.outbox());
        loop {
            let next_event = poll_fn(|context| {
                let event = self.poll_event(context);
                state.record_memory(self.connection.octets_read() - octets_before);
                event
            });
            tokio::select! {
                biased;
                () = outbox.woken() => self.check(state).map_err(ConnectionEnd::Close)?,
                event = next_event => match event {
                    SshEvent::LoggedIn(identity) => {
                        self.login_turns.set_logged_in();
                        state.set_identity(&identity);
                        self.source.identity = Some(identity);
                        state.open_only().map_err(ConnectionEnd::Close)?;
                    }
                    SshEvent::Channel(channel) => return Ok(channel),
                    SshEvent::Closed(reason) => {
                        return Err(ConnectionEnd::Closed(self.close_reason_for(&reason)));
                    }
                },
                () = &mut timer => {
                    if worker.clock.now() >= deadline {
                        return Err(ConnectionEnd::Close(reason));
                    }
                    timer.as_mut().reset(worker.clock.instant(deadline).into());
                }
            }
        }
    }

    /// Checks whether the connection may stay open without a session.
    fn check(&self, state: &mut SessionState<H>) -> Result<(), CloseReason> {
        state.check_peer()?;
        if self.worker.stage.get() != Stage::Serving { Err(CloseReason::Shutdown) } else { Ok(()) }
    }

    /// Serves the sessions until the last one has ended.
    async fn serve_sessions(&mut self) -> Result<(), ConnectionEnd> {
        let worker = Rc::clone(&self.worker);
        let sessions = Rc::clone(&self.sessions);
        let end_timer = pin!(worker.sleep_until(self.end));
        let mut end_timer = TaskTimer::new(end_timer);
        let end = loop {
            let event = poll_fn(|context| {
                if let Poll::Ready(event) = self.poll_event(context) {
                    return Poll::Ready(TaskEvent::Connection(event));
                }
                if sessions.poll_ended(context).is_ready() {
                    return Poll::Ready(TaskEvent::SessionEnded);
                }
                if self.poll_stall(context).is_ready() {
                    return Poll::Ready(TaskEvent::Timeout(CloseReason::Stalled));
                }
                end_timer.poll(context).map(|()| TaskEvent::Timeout(CloseReason::MaxDuration))
            });
            match event.await {
                TaskEvent::Connection(SshEvent::LoggedIn(_)) => {}
                TaskEvent::Connection(SshEvent::Channel(channel)) => {
                    if let Err(end) = self.open_session(channel) {
                        break end;
                    }
                }
                TaskEvent::Connection(SshEvent::Closed(reason)) => {
                    break ConnectionEnd::Closed(self.close_reason_for(&reason));
                }
                TaskEvent::SessionEnded => match sessions.close_reason() {
                    Some(reason) => break ConnectionEnd::Close(reason),
                    None if sessions.is_empty() => return Ok(()),
                    None => {}
                },
                TaskEvent::Timeout(reason) => break ConnectionEnd::Close(reason),
            }
        };
        match end {
            // The sessions find out whether the peer has closed them in the middle of a message.
            ConnectionEnd::Closed(CloseReason::ByPeer) => {}
            ConnectionEnd::Closed(reason) | ConnectionEnd::Close(reason) => sessions.set_close_reason(reason),
        }
        Err(end)
    }

    /// Waits for the next channel of a connection without sessions.
    async fn idle(&mut self) -> Result<(), ConnectionEnd> {
        let worker = Rc::clone(&self.worker);
        let (domain, address) = (self.source.domain, self.source.peer);
        let memory = new_session_memory(domain, address);
        let slot = self.ip().and_then(|ip| worker.session_limits.admit(ip, memory));
        let slot = slot.ok_or(ConnectionEnd::Close(CloseReason::Evicted))?;
        let id = slot.id();
        let mut state = SessionState::new(Rc::clone(&worker), self.source_of(id), slot);
        let deadline = self.end.min(worker.clock.now() + worker.limits.idle_timeout);
        let result = match self.check_idle(&state) {
            Ok(()) => self.wait_for_channel(&mut state, Some(deadline)).await,
            Err(reason) => Err(ConnectionEnd::Close(reason)),
        };
        worker.remove_session(id);
        // The session gets the slot that the idle connection leaves.
        drop(state);
        self.open_session(result?)
    }

    /// Checks whether the connection may stay open, because the last sessions may have ended for a
    /// reason that concerns the connection, too.
    fn check_idle(&self, state: &SessionState<H>) -> Result<(), CloseReason> {
        if self.worker.stage.get() != Stage::Serving {
            return Err(CloseReason::Shutdown);
        }
        state.check_credential()
    }

    /// Opens a session for another channel, or closes the channel if no slot is free.
    fn open_session(&mut self, channel: ServerChannel) -> Result<(), ConnectionEnd> {
        let (domain, address) = (self.source.domain, self.source.peer);
        let Some(ip) = self.ip() else { return Err(ConnectionEnd::Close(CloseReason::Error)) };
        let Some(slot) = acquire_slot(&self.worker, ip, domain, address) else {
            let socket = self.sessions.add(channel);
            tokio::task::spawn_local(Rc::clone(&self.sessions).finish(socket, CloseReason::Evicted));
            return Ok(());
        };
        let source = self.source_of(slot.id());
        let state = SessionState::new(Rc::clone(&self.worker), source, slot);
        self.start_session(channel, state)
    }

    /// Starts the service that the peer has chosen, and runs the session.
    fn start_session(&self, channel: ServerChannel, mut state: SessionState<H>) -> Result<(), ConnectionEnd> {
        if !state.is_open()
            && let Err(reason) = state.open_named(channel.subsystem())
        {
            state.report_closed(reason);
            if self.sessions.is_empty() {
                return Err(ConnectionEnd::Close(reason));
            }
            // The other sessions of the connection may use another service.
            let socket = self.sessions.add(channel);
            tokio::task::spawn_local(Rc::clone(&self.sessions).finish(socket, reason));
            return Ok(());
        }
        self.sessions.start(channel, state);
        Ok(())
    }

    /// Closes the connection gracefully.
    async fn close(&mut self, reason: CloseReason) {
        //= rfc5592#5.4-3
        // A graceful close is only needed after the login.
        if self.source.identity.is_none() && reason != CloseReason::NoSecurityName {
            return;
        }
        let disconnect = self.connection.disconnect(disconnect_text(reason));
        let closed = async {
            while !matches!(poll_fn(|context| self.poll_event(context)).await, SshEvent::Closed(_)) {}
        };
        // Stop waiting for a peer that does not close the connection.
        let _ = timeout(CLOSE_TIMEOUT, async { tokio::join!(disconnect, closed) }).await;
    }

    fn poll_event(&mut self, context: &mut Context<'_>) -> Poll<SshEvent> {
        let event = self.connection.poll_event(context);
        if let Some(turn) = self.login_turns.take() {
            self.turn_end = Some(Box::pin(turn.finish()));
        }
        if self.turn_end.as_mut().is_some_and(|end| end.as_mut().poll(context).is_ready()) {
            self.turn_end = None;
        }
        event
    }

    /// Waits until the socket has accepted no octets for the stall timeout.
    fn poll_stall(&mut self, context: &mut Context<'_>) -> Poll<()> {
        let Some(octets_written) = self.connection.stalled_at() else {
            self.stall = None;
            return Poll::Pending;
        };
        if self.stall.as_ref().is_none_or(|stall| stall.octets_written != octets_written) {
            let timeout = self.worker.clock.now() + self.worker.limits.stall_timeout;
            self.stall = Some(Stall { octets_written, timer: Box::pin(self.worker.sleep_until(timeout)) });
        }
        self.stall.as_mut().map_or(Poll::Pending, |stall| stall.timer.as_mut().poll(context))
    }

    fn ip(&self) -> Option<IpAddr> {
        match self.source.peer {
            TransportAddress::Ip(peer) => Some(peer.ip()),
            _ => None,
        }
    }

    /// Returns the source of a session's octets.
    fn source_of(&self, session: u64) -> SessionSource {
        SessionSource { session, ..self.source.clone() }
    }

    /// Converts the reason why the SSH connection has ended to the close reason of its sessions.
    fn close_reason_for(&self, ssh_reason: &SshCloseReason) -> CloseReason {
        let (worker, &SessionSource { domain, peer, .. }) = (&self.worker, &self.source);
        match ssh_reason {
            SshCloseReason::Closed => CloseReason::ByPeer,
            SshCloseReason::Panicked => CloseReason::Panic,
            SshCloseReason::IdleTraffic => CloseReason::MalformedMessage,
            SshCloseReason::Failed(error) | SshCloseReason::ProtocolError(error)
                if error.step < ChannelStep::Subsystem =>
            {
                worker.log_session(domain, peer, SESSION_REFUSED, error);
                worker.session_event(domain, SessionEvent::HandshakeFailed(error.step));
                CloseReason::HandshakeFailed
            }
            SshCloseReason::Failed(error) => {
                worker.log_session(domain, peer, SESSION_ENDED, error);
                CloseReason::ByPeer
            }
            SshCloseReason::ProtocolError(error) => {
                worker.log_session(domain, peer, SESSION_ENDED, error);
                CloseReason::Error
            }
        }
    }
}

/// An event while sessions are open.
enum TaskEvent {
    Connection(SshEvent),
    SessionEnded,
    Timeout(CloseReason),
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stream::StreamSession;

    type Handler = Box<dyn MessageHandler>;

    fn size_of_future<A, F>(_: impl FnOnce(A) -> F) -> usize {
        size_of::<F>()
    }

    #[test]
    fn tasks_of_idle_connection_and_session_have_at_most_1600_bytes() {
        let connection =
            size_of_future(|(task, slot): (Box<ConnectionTask<Handler>>, SessionSlot)| task.run(slot));
        let session = size_of_future(StreamSession::<Handler>::run);
        let sizes =
            [connection, size_of::<ConnectionTask<Handler>>(), session, size_of::<StreamSession<Handler>>()];
        assert!(sizes.iter().sum::<usize>() <= 1600, "{sizes:?}");
    }
}
