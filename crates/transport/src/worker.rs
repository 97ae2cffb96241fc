//! One worker: what the tasks of one thread share.
//!
//! Everything here is used from one thread and never across an await, so plain cells hold it. A handler's panic is
//! caught here, at the one slot where the handler is called.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::fmt::Display;
use std::net::IpAddr;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::Rc;
use std::sync::Arc;
use std::time::Instant;

use portreeve_channel::LogLimiter;
use portreeve_smi::{Timestamp, TransportDomain};
use tokio::sync::Notify;
use tokio::time::Sleep;

use crate::clock::Clock;
use crate::dtls::DtlsPort;
use crate::handler::{Disposition, MessageHandler, MessageSource, SessionEvent};
use crate::limits::Limits;
use crate::outbox::Outbox;
use crate::reflection_limit::ReflectionLimit;
use crate::security::TransportSecurity;
use crate::session_limits::SessionLimits;
use crate::statistics::{SessionStatistics, increment};
use crate::udp::UdpPort;

/// What a handler is told of the worker it is made for.
#[derive(Clone, Debug)]
pub struct WorkerContext {
    /// Counts from 0.
    pub index: usize,
    /// Has [`MessageHandler::poll`] called, from any thread.
    pub waker: WorkerWaker,
    /// The clock the handler's timestamps come from.
    pub clock: Clock,
}

/// Wakes one worker from any thread: its handler's [`poll`](MessageHandler::poll) is called soon. Wakes that come
/// before it is called are one wake.
#[derive(Clone, Debug)]
pub struct WorkerWaker {
    notify: Arc<Notify>,
}

impl WorkerWaker {
    pub(crate) fn new() -> Self {
        Self { notify: Arc::new(Notify::new()) }
    }

    /// Has the handler polled.
    pub fn wake(&self) {
        self.notify.notify_one();
    }

    async fn woken(&self) {
        self.notify.notified().await;
    }
}

/// One worker's datagram sockets.
pub(crate) struct DatagramPorts {
    pub(crate) udp: Vec<UdpPort>,
    pub(crate) dtls: Vec<DtlsPort>,
}

/// What all workers share.
#[derive(Clone)]
pub(crate) struct SharedState {
    pub(crate) statistics: Arc<SessionStatistics>,
    pub(crate) session_limits: Arc<SessionLimits>,
    pub(crate) reflection_limit: Arc<ReflectionLimit>,
}

/// What the tasks of one worker share.
pub(crate) struct Worker<H> {
    pub(crate) clock: Clock,
    pub(crate) limits: Limits,
    pub(crate) security: TransportSecurity,
    pub(crate) statistics: Arc<SessionStatistics>,
    pub(crate) admission: Arc<SessionLimits>,
    unproven: Arc<ReflectionLimit>,
    pub(crate) udp: Vec<UdpPort>,
    pub(crate) dtls: Vec<DtlsPort>,
    /// Sessions over streams by tmSessionID, for answers that took time.
    pub(crate) sessions: RefCell<HashMap<u64, Rc<Outbox>>>,
    /// Buffers for streams; a session keeps only what is incomplete or unsent.
    pub(crate) scratch: RefCell<Scratch>,
    pub(crate) error_log: LogLimiter,
    /// What is said of peers that get no session.
    refusal_log: LogLimiter,
    /// What is said of those who come in behind sshd: whoever may, may as often as they like.
    pub(crate) accept_log: LogLimiter,
    /// Sessions are to end as soon as their answers are taken.
    pub(crate) is_shutting_down: Cell<bool>,
    /// Roused by each session that ends.
    pub(crate) session_ended: Notify,
    waker: WorkerWaker,
    handler: RefCell<H>,
    /// The deadline the timekeeper sleeps for.
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
        let SharedState { statistics, session_limits: admission, reflection_limit: unproven } = shared;
        Self {
            clock: context.clock,
            waker: context.waker,
            scratch: RefCell::new(Scratch::new(&limits)),
            limits,
            security,
            statistics,
            admission,
            unproven,
            udp: ports.udp,
            dtls: ports.dtls,
            sessions: RefCell::default(),
            error_log: LogLimiter::per_second(1),
            refusal_log: LogLimiter::per_second(MAX_LOG_LINES_PER_SECOND),
            accept_log: LogLimiter::per_second(MAX_LOG_LINES_PER_SECOND),
            is_shutting_down: Cell::new(false),
            session_ended: Notify::new(),
            handler: RefCell::new(handler),
            timer_deadline: Cell::new(None),
            timer_changed: Notify::new(),
        }
    }

    /// Has one message handled.
    ///
    /// # Errors
    /// When the handler panicked; it has been told to recover.
    pub(crate) fn handle(
        &self,
        source: &MessageSource,
        message: &mut [u8],
        reply: &mut [u8],
    ) -> Result<Disposition, HandlerPanicError> {
        let now = self.clock.now();
        self.catch_panic(|handler| handler.handle(now, source, message, reply))
    }

    /// To be called after messages were handled: the handler may want to be polled sooner than planned.
    pub(crate) fn update_timer(&self) {
        let armed = self.timer_deadline.get();
        if let Some(wanted) = self.handler.borrow().next_timeout()
            && armed.is_none_or(|armed| wanted < armed)
        {
            self.timer_changed.notify_one();
        }
    }

    /// Whether somebody who has proven nothing may be answered once more; counted where not.
    pub(crate) fn allow_unauthenticated_reply(&self, peer: IpAddr) -> bool {
        let may = self.unproven.allow(self.clock.now(), peer);
        if !may {
            increment(&self.statistics.unauthenticated_replies_withheld);
        }
        may
    }

    /// Tells the log of a peer that gets no session or has lost it, not more often than a log bears.
    pub(crate) fn log_session(&self, source: &MessageSource, what: &str, why: &dyn Display) {
        if let Some(suppressed) = self.refusal_log.allow(Instant::now()) {
            let suppressed = (suppressed > 0).then_some(suppressed);
            tracing::info!(peer = %source.peer(), domain = %source.domain(), suppressed, error = %why, "session {what}");
        }
    }

    /// Tells the handler what has happened to a session.
    pub(crate) fn session_event(&self, domain: TransportDomain, event: SessionEvent) {
        // A panic has been counted, and there is nothing to drop here.
        let _ = self.catch_panic(|handler| handler.session_event(domain, event));
    }

    /// Tells the handler that a session is over.
    pub(crate) fn session_closed(&self, domain: TransportDomain, session: u64) {
        self.sessions.borrow_mut().remove(&session);
        self.session_ended.notify_one();
        // A panic has been counted, and there is nothing to drop here.
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
            // A handler that is always due must not keep its worker from reading.
            tokio::task::yield_now().await;
        }
    }

    /// Polls the handler once and sends what it has.
    pub(crate) fn poll_handler(&self) {
        let now = self.clock.now();
        let mut lost = Vec::new();
        let mut send = |source: &MessageSource, message: &[u8]| {
            if let Err(NoSessionError) = self.send_deferred(source, message) {
                increment(&self.statistics.late_responses_without_session);
                lost.push(source.domain());
            }
        };
        let _ = self.catch_panic(|handler| handler.poll(now, &mut send));
        lost.into_iter().for_each(|domain| self.session_event(domain, SessionEvent::ResponseLost));
    }

    /// Sends an answer that took time: in the session of its request, and in no other.
    //= rfc5591#4.2-1
    //= rfc5591#4.2-5
    //= rfc5592#5.2-1
    //= rfc5592#5.2-2
    //= rfc6353#5.2-2
    //= rfc6353#5.2-3
    fn send_deferred(&self, source: &MessageSource, message: &[u8]) -> Result<(), NoSessionError> {
        if source.domain() == TransportDomain::Dtls {
            let port = self.dtls.get(source.socket).ok_or(NoSessionError)?;
            port.send_deferred(source, message, &self.statistics)
        } else if let Some(session) = source.session() {
            let sessions = self.sessions.borrow();
            sessions.get(&session).ok_or(NoSessionError)?.push(message, self.limits.max_outbox_len());
            Ok(())
        } else {
            let port = self.udp.get(source.socket).ok_or(NoSessionError)?;
            port.send(source, message, &self.statistics);
            Ok(())
        }
    }

    /// A timer for when the worker's clock shows `deadline`.
    pub(crate) fn sleep_until(&self, deadline: Timestamp) -> Sleep {
        tokio::time::sleep_until(self.clock.instant(deadline).into())
    }

    /// Calls the handler; a panic drops what it was doing, is counted, and goes no further.
    fn catch_panic<T>(&self, call: impl FnOnce(&mut H) -> T) -> Result<T, HandlerPanicError> {
        let mut handler = self.handler.borrow_mut();
        catch_unwind(AssertUnwindSafe(|| call(&mut handler))).map_err(|_| {
            increment(&self.statistics.handler_panics);
            if let Some(suppressed) = self.error_log.allow(Instant::now()) {
                tracing::error!(suppressed, "a message handler panicked; what it was handling is dropped");
            }
            // Should even this panic, the next call tries again with what is there.
            let _ = catch_unwind(AssertUnwindSafe(|| handler.recover()));
            HandlerPanicError
        })
    }
}

/// Where an answer was to go to is gone.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NoSessionError;

/// The handler panicked.
#[derive(Clone, Copy, Debug)]
pub(crate) struct HandlerPanicError;

/// One worker's buffers for reading from and answering into streams.
pub(crate) struct Scratch {
    pub(crate) input: Box<[u8]>,
    pub(crate) reply: Box<[u8]>,
}

impl Scratch {
    fn new(limits: &Limits) -> Self {
        Self {
            input: vec![0; limits.max_message_size].into(),
            reply: vec![0; limits.reply_buffer_size].into(),
        }
    }
}

/// Lines a second of one worker's about peers that get no session, and about those behind sshd.
const MAX_LOG_LINES_PER_SECOND: u32 = 10;
