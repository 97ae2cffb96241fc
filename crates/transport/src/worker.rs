//! One worker: the state shared by the tasks of one thread.
//!
//! The state is used from one thread and never across an await, so plain cells suffice. Panics of
//! the handler are caught here, because only this module calls the handler.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::fmt::Display;
use std::net::IpAddr;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::Rc;
use std::sync::Arc;
use std::time::Instant;

use portreeve_channel::{LogLimiter, PeerIdentity};
use portreeve_smi::{SecurityLevel, Timestamp, TransportAddress, TransportDomain};
use portreeve_sys::Endpoint;
use tokio::sync::Notify;
use tokio::time::Sleep;

use crate::clock::Clock;
use crate::dtls::DtlsPort;
use crate::handler::{Disposition, MessageHandler, MessageSource, ReplyPath, SessionEvent};
use crate::handshake_turns::HandshakeTurns;
use crate::limits::Limits;
use crate::outbox::{Outbox, OutputBudget};
use crate::reflection_limit::ReflectionLimit;
use crate::security::TransportSecurity;
use crate::services::ServiceTable;
use crate::session_limits::SessionLimits;
use crate::session_log::{CredentialMessage, SESSION_ACCEPTED};
use crate::statistics::{CloseReason, SessionStatistics, increment};
use crate::udp::UdpPort;
use crate::user_log_limiter::UserLogLimiter;

/// The context in which a worker creates its handler.
#[derive(Clone, Debug)]
pub struct WorkerContext {
    /// The worker's index, from 0.
    pub index: usize,
    /// Wakes the worker from any thread, so that [`MessageHandler::poll`] is called.
    pub waker: WorkerWaker,
    /// The clock of the handler's timestamps.
    pub clock: Clock,
}

/// Wakes one worker from any thread: its handler's [`poll`](MessageHandler::poll) is called soon.
/// Several wakes before that call count as one.
#[derive(Clone, Debug)]
pub struct WorkerWaker {
    notify: Arc<Notify>,
}

impl WorkerWaker {
    pub(crate) fn new() -> Self {
        Self { notify: Arc::new(Notify::new()) }
    }

    /// Causes the handler to be polled.
    pub fn wake(&self) {
        self.notify.notify_one();
    }

    async fn woken(&self) {
        self.notify.notified().await;
    }
}

/// The datagram sockets of one worker.
pub(crate) struct DatagramPorts {
    pub(crate) udp: Vec<UdpPort>,
    pub(crate) dtls: Vec<DtlsPort>,
}

/// The stages of a worker until it stops.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stage {
    /// The worker reads and answers messages.
    Serving,
    /// The worker reads no more messages, but sends the responses that become ready.
    Finishing,
    /// Each session closes as soon as its output is sent.
    Closing,
}

/// The state shared by all workers.
#[derive(Clone)]
pub(crate) struct SharedState {
    /// The services of each listener.
    pub(crate) services: Arc<[ServiceTable]>,
    pub(crate) statistics: Arc<SessionStatistics>,
    pub(crate) session_limits: Arc<SessionLimits>,
    /// Limits the rate of Reports and cookies.
    pub(crate) reply_limit: Arc<ReflectionLimit>,
    /// Limits the octets per second in responses to requests without authentication.
    pub(crate) community_limit: Arc<ReflectionLimit>,
}

/// The state shared by the tasks of one worker.
pub(crate) struct Worker<H> {
    /// Is dropped before the sockets, so that it can read their counters a last time.
    handler: RefCell<H>,
    pub(crate) clock: Clock,
    pub(crate) limits: Limits,
    pub(crate) security: TransportSecurity,
    pub(crate) statistics: Arc<SessionStatistics>,
    pub(crate) session_limits: Arc<SessionLimits>,
    reply_limit: Arc<ReflectionLimit>,
    community_limit: Arc<ReflectionLimit>,
    pub(crate) udp: Vec<UdpPort>,
    pub(crate) dtls: Vec<DtlsPort>,
    /// Stream sessions by tmSessionID, to wake them at shutdown.
    pub(crate) sessions: RefCell<HashMap<u64, Rc<Outbox>>>,
    /// The output of all sessions over streams.
    pub(crate) output_budget: Rc<OutputBudget>,
    /// The services of each listener.
    services: Arc<[ServiceTable]>,
    /// The buffer for reading from streams. A session stores only incomplete or unsent data.
    pub(crate) input_buffer: RefCell<Box<[u8]>>,
    /// The buffer in which the handler builds responses.
    pub(crate) reply_buffer: RefCell<Box<[u8]>>,
    pub(crate) error_log: LogLimiter,
    /// Limits the rate of log lines about sessions that are refused or end with an error.
    refusal_log: LogLimiter,
    /// Limits the rate of log lines about accepted sessions.
    pub(crate) accept_log: UserLogLimiter,
    pub(crate) handshake_turns: HandshakeTurns,
    pub(crate) stage: Cell<Stage>,
    /// The number of SSH connections, which end after their sessions.
    connections: Cell<usize>,
    /// Notified by each session and each SSH connection that closes.
    pub(crate) session_ended: Notify,
    waker: WorkerWaker,
    /// The time until which the timer task sleeps.
    timer_deadline: Cell<Option<Timestamp>>,
    timer_changed: Notify,
}

impl<H: MessageHandler> Worker<H> {
    pub(crate) fn new(
        context: WorkerContext,
        handler: H,
        limits: Limits,
        security: TransportSecurity,
        shared: SharedState,
        ports: DatagramPorts,
    ) -> Self {
        Self {
            clock: context.clock,
            waker: context.waker,
            output_budget: Rc::default(),
            services: shared.services,
            input_buffer: RefCell::new(vec![0; limits.max_message_size].into()),
            reply_buffer: RefCell::new(vec![0; limits.reply_buffer_size].into()),
            limits,
            security,
            statistics: shared.statistics,
            session_limits: shared.session_limits,
            reply_limit: shared.reply_limit,
            community_limit: shared.community_limit,
            udp: ports.udp,
            dtls: ports.dtls,
            sessions: RefCell::default(),
            error_log: LogLimiter::per_second(1),
            refusal_log: LogLimiter::per_second(MAX_LOG_LINES_PER_SECOND),
            accept_log: UserLogLimiter::per_second(MAX_LOG_LINES_PER_SECOND),
            handshake_turns: HandshakeTurns::new(),
            stage: Cell::new(Stage::Serving),
            connections: Cell::new(0),
            session_ended: Notify::new(),
            handler: RefCell::new(handler),
            timer_deadline: Cell::new(None),
            timer_changed: Notify::new(),
        }
    }

    /// Passes one message to the handler.
    ///
    /// # Errors
    /// The handler panicked; its `recover` has been called.
    pub(crate) fn handle(
        &self,
        source: &MessageSource,
        message: &mut [u8],
        reply: &mut [u8],
    ) -> Result<Disposition, HandlerPanicError> {
        let now = self.clock.now();
        self.catch_panic(|handler| handler.handle(now, source, message, reply))
    }

    /// Wakes the timer task if the handler now wants to be polled earlier. Must be called after
    /// messages were handled.
    pub(crate) fn update_timer(&self) {
        let armed = self.timer_deadline.get();
        if let Some(wanted) = self.handler.borrow().next_timeout()
            && armed.is_none_or(|armed| wanted < armed)
        {
            self.timer_changed.notify_one();
        }
    }

    /// Returns whether another Report or cookie may be sent to an unauthenticated peer; if not,
    /// counts it as withheld.
    pub(crate) fn allow_unauthenticated_reply(&self, peer: IpAddr) -> bool {
        let is_allowed = self.reply_limit.allow(self.clock.now(), peer, 1);
        if !is_allowed {
            increment(&self.statistics.unauthenticated_replies_withheld);
        }
        is_allowed
    }

    /// Returns whether a response over UDP to a request without authentication may be sent; if not,
    /// counts it as withheld.
    pub(crate) fn allow_community_response(&self, peer: IpAddr, length: usize) -> bool {
        let is_allowed = self.community_limit.allow(self.clock.now(), peer, length);
        if !is_allowed {
            increment(&self.statistics.community_responses_withheld);
        }
        is_allowed
    }

    /// Logs, at a limited rate, that a session was refused or ended with an error.
    pub(crate) fn log_session(
        &self,
        domain: TransportDomain,
        peer: TransportAddress,
        event: &str,
        error: &dyn Display,
    ) {
        if let Some(suppressed) = self.refusal_log.allow(Instant::now()) {
            let suppressed = (suppressed > 0).then_some(suppressed);
            tracing::info!(%peer, transport = %domain, suppressed, error = %error, "{event}");
        }
    }

    /// Returns the services of a listener.
    pub(crate) fn services(&self, listener: usize) -> ServiceTable {
        self.services.get(listener).cloned().unwrap_or_default()
    }

    /// Logs, at a limited rate, that an authenticated peer was accepted as `user`; `service` is
    /// `None` for SNMP. Sessions of sshd
    /// relays are logged with their process ID, before they are identified.
    pub(crate) fn log_accepted(
        &self,
        domain: TransportDomain,
        peer: TransportAddress,
        user: &[u8],
        identity: &PeerIdentity,
        service: Option<&str>,
    ) {
        if matches!(peer, TransportAddress::Local { .. }) {
            return;
        }
        if let Some(suppressed) = self.accept_log.allow(user, Instant::now()) {
            let suppressed = (suppressed > 0).then_some(suppressed);
            tracing::info!(
                user = %user.escape_ascii(),
                %peer,
                transport = %domain,
                service = service.map(tracing::field::display),
                credential = %CredentialMessage(identity),
                suppressed,
                "{SESSION_ACCEPTED}"
            );
        }
    }

    /// Notifies the handler of a session event.
    pub(crate) fn session_event(&self, domain: TransportDomain, event: SessionEvent) {
        // A panic has already been counted, and there is no message to drop.
        let _ = self.catch_panic(|handler| handler.session_event(domain, event));
    }

    /// Enters the next stage, and wakes all sessions to check it.
    pub(crate) fn set_stage(&self, stage: Stage) {
        self.stage.set(stage);
        self.sessions.borrow().values().for_each(|outbox| outbox.wake());
    }

    /// Removes a closed session.
    pub(crate) fn remove_session(&self, session: u64) {
        self.sessions.borrow_mut().remove(&session);
        self.session_ended.notify_one();
    }

    /// Returns whether all sessions are closed, and all connections that carried them.
    pub(crate) fn is_closed(&self) -> bool {
        self.sessions.borrow().is_empty() && self.connections.get() == 0
    }

    /// Notifies the handler that a session is closed.
    pub(crate) fn session_closed(&self, domain: TransportDomain, session: u64) {
        // A panic has already been counted, and there is no message to drop.
        let _ = self.catch_panic(|handler| handler.session_closed(domain, session));
    }

    /// Polls the handler whenever it is due or woken; never returns.
    pub(crate) async fn run_timer(&self) {
        loop {
            let wanted = self.handler.borrow().next_timeout();
            self.timer_deadline.set(wanted);
            tokio::select! {
                biased;
                () = self.waker.woken() => self.poll_handler(),
                () = self.timer_changed.notified() => {}
                () = async { self.sleep_until(wanted.unwrap_or_default()).await }, if wanted.is_some() => self.poll_handler(),
            }
            // A handler that asks to be polled again and again must not prevent its worker from
            // reading.
            tokio::task::yield_now().await;
        }
    }

    /// Polls the handler once and sends its messages.
    pub(crate) fn poll_handler(&self) {
        let now = self.clock.now();
        let mut lost = Vec::new();
        let mut send = |source: &MessageSource, level: SecurityLevel, message: &[u8]| {
            if let Err(NoSessionError) = self.send_deferred(source, level, message) {
                increment(&self.statistics.late_responses_without_session);
                lost.push(source.domain());
            }
        };
        let _ = self.catch_panic(|handler| handler.poll(now, &mut send));
        self.udp.iter().for_each(|port| port.flush_deferred(&self.statistics));
        lost.into_iter().for_each(|domain| self.session_event(domain, SessionEvent::ResponseLost));
    }

    /// Sends a deferred response, or queues it in its UDP port. A response to a request in a
    /// session is sent only in that session.
    //= rfc5591#4.2-1
    //= rfc5591#4.2-5
    //= rfc5592#5.2-1
    //= rfc5592#5.2-2
    //= rfc6353#5.2-2
    //= rfc6353#5.2-3
    fn send_deferred(
        &self,
        source: &MessageSource,
        level: SecurityLevel,
        message: &[u8],
    ) -> Result<(), NoSessionError> {
        match &source.reply_path {
            ReplyPath::Session(answer) => answer.send(message),
            ReplyPath::Dtls(index) => {
                let port = self.dtls.get(*index).ok_or(NoSessionError)?;
                port.send_deferred(source, message, &self.statistics)
            }
            ReplyPath::Udp(index) => {
                let port = self.udp.get(*index).ok_or(NoSessionError)?;
                let TransportAddress::Ip(peer) = source.peer() else { return Err(NoSessionError) };
                if level.is_authenticated() || self.allow_community_response(peer.ip(), message.len()) {
                    let to = Endpoint { peer, local: source.local };
                    port.send_deferred(to, message, &self.statistics);
                }
                Ok(())
            }
            ReplyPath::None => Err(NoSessionError),
        }
    }

    /// Returns a timer that fires when the worker's clock reaches `deadline`.
    pub(crate) fn sleep_until(&self, deadline: Timestamp) -> Sleep {
        tokio::time::sleep_until(self.clock.instant(deadline).into())
    }

    /// Calls the protocol of a session. A panic is caught, counted and logged.
    pub(crate) fn catch_protocol_panic<T>(&self, call: impl FnOnce() -> T) -> Result<T, CloseReason> {
        catch_unwind(AssertUnwindSafe(call)).map_err(|_| {
            self.report_panic();
            CloseReason::Panic
        })
    }

    /// Calls the handler. A panic is caught, counted and logged, and the current message is
    /// dropped.
    fn catch_panic<T>(&self, call: impl FnOnce(&mut H) -> T) -> Result<T, HandlerPanicError> {
        let mut handler = self.handler.borrow_mut();
        catch_unwind(AssertUnwindSafe(|| call(&mut handler))).map_err(|_| {
            self.report_panic();
            // If `recover` panics as well, the next call uses the handler in its current state.
            let _ = catch_unwind(AssertUnwindSafe(|| handler.recover()));
            HandlerPanicError
        })
    }

    fn report_panic(&self) {
        increment(&self.statistics.handler_panics);
        if let Some(suppressed) = self.error_log.allow(Instant::now()) {
            tracing::error!(
                suppressed,
                "the message handler has panicked; a message that it was handling is dropped"
            );
        }
    }
}

/// An SSH connection. Until this value is dropped, [`Worker::is_closed`] is false.
pub(crate) struct OpenConnection<H: MessageHandler>(Rc<Worker<H>>);

impl<H: MessageHandler> OpenConnection<H> {
    pub(crate) fn new(worker: &Rc<Worker<H>>) -> Self {
        worker.connections.set(worker.connections.get() + 1);
        Self(Rc::clone(worker))
    }
}

impl<H: MessageHandler> Drop for OpenConnection<H> {
    fn drop(&mut self) {
        self.0.connections.set(self.0.connections.get() - 1);
        self.0.session_ended.notify_one();
    }
}

/// The response cannot be sent, because its session is closed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NoSessionError;

/// The handler panicked.
#[derive(Clone, Copy, Debug)]
pub(crate) struct HandlerPanicError;

/// The maximum number of log lines of one worker per second about refused or failed sessions, and
/// about accepted sessions of each user.
const MAX_LOG_LINES_PER_SECOND: u32 = 10;
