//! One worker: what the tasks of one thread share.
//!
//! Everything here is used from one thread and never across an await, so plain cells hold it. A handler's panic is
//! caught here, at the one place where the handler is called.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::fmt::Display;
use std::net::IpAddr;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::Rc;
use std::sync::Arc;
use std::time::Instant;

use portreeve_channel::Seldom;
use portreeve_smi::{Timestamp, TransportDomain};
use tokio::sync::Notify;
use tokio::time::Sleep;

use crate::admission::Admission;
use crate::clock::Clock;
use crate::dtls::DtlsPort;
use crate::handler::{Disposition, MessageHandler, SessionEvent, Source};
use crate::limits::Limits;
use crate::outbox::Outbox;
use crate::security::Security;
use crate::statistics::{SessionStatistics, raise};
use crate::udp::UdpPort;
use crate::unproven::Unproven;

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
pub(crate) struct Ports {
    pub(crate) udp: Vec<UdpPort>,
    pub(crate) dtls: Vec<DtlsPort>,
}

/// What all workers share.
#[derive(Clone)]
pub(crate) struct Shared {
    pub(crate) statistics: Arc<SessionStatistics>,
    pub(crate) admission: Arc<Admission>,
    pub(crate) unproven: Arc<Unproven>,
}

/// What the tasks of one worker share.
pub(crate) struct Worker<H> {
    pub(crate) clock: Clock,
    pub(crate) limits: Limits,
    pub(crate) security: Security,
    pub(crate) statistics: Arc<SessionStatistics>,
    pub(crate) admission: Arc<Admission>,
    unproven: Arc<Unproven>,
    pub(crate) udp: Vec<UdpPort>,
    pub(crate) dtls: Vec<DtlsPort>,
    /// Sessions over streams by tmSessionID, for answers that took time.
    pub(crate) sessions: RefCell<HashMap<u64, Rc<Outbox>>>,
    /// Buffers for streams; a session keeps only what is incomplete or unsent.
    pub(crate) scratch: RefCell<Scratch>,
    pub(crate) complaints: Seldom,
    /// What is said of peers that get no session.
    refusals: Seldom,
    /// What is said of those who come in behind sshd: whoever may, may as often as they like.
    pub(crate) arrivals: Seldom,
    /// Sessions are to end as soon as their answers are taken.
    pub(crate) stopping: Cell<bool>,
    /// Roused by each session that ends.
    pub(crate) session_ended: Notify,
    waker: WorkerWaker,
    handler: RefCell<H>,
    /// The deadline the timekeeper sleeps for.
    armed: Cell<Option<Timestamp>>,
    rearm: Notify,
}

impl<H: MessageHandler> Worker<H> {
    pub(crate) fn new(
        context: WorkerContext,
        handler: H,
        limits: Limits,
        security: Security,
        shared: Shared,
        ports: Ports,
    ) -> Self {
        let Shared { statistics, admission, unproven } = shared;
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
            complaints: Seldom::at_most(1),
            refusals: Seldom::at_most(LINES),
            arrivals: Seldom::at_most(LINES),
            stopping: Cell::new(false),
            session_ended: Notify::new(),
            handler: RefCell::new(handler),
            armed: Cell::new(None),
            rearm: Notify::new(),
        }
    }

    /// Has one message handled.
    ///
    /// # Errors
    /// When the handler panicked; it has been told to recover.
    pub(crate) fn handle(
        &self,
        source: &Source,
        message: &mut [u8],
        reply: &mut [u8],
    ) -> Result<Disposition, Panicked> {
        let now = self.clock.now();
        self.guard(|handler| handler.handle(now, source, message, reply))
    }

    /// To be called after messages were handled: the handler may want to be polled sooner than planned.
    pub(crate) fn reconsider_timeout(&self) {
        let armed = self.armed.get();
        if let Some(wanted) = self.handler.borrow().next_timeout()
            && armed.is_none_or(|armed| wanted < armed)
        {
            self.rearm.notify_one();
        }
    }

    /// Whether somebody who has proven nothing may be answered once more; counted where not.
    pub(crate) fn may_answer_unproven(&self, peer: IpAddr) -> bool {
        let may = self.unproven.admit(self.clock.now(), peer);
        if !may {
            raise(&self.statistics.unproven_withheld);
        }
        may
    }

    /// Tells the log of a peer that gets no session or has lost it, not more often than a log bears.
    pub(crate) fn tell(&self, source: &Source, what: &str, why: &dyn Display) {
        if let Some(suppressed) = self.refusals.allow(Instant::now()) {
            let suppressed = (suppressed > 0).then_some(suppressed);
            tracing::info!(peer = %source.peer(), domain = %source.domain(), suppressed, error = %why, "session {what}");
        }
    }

    /// Tells the handler what has happened to a session.
    pub(crate) fn session_event(&self, domain: TransportDomain, event: SessionEvent) {
        // A panic has been counted, and there is nothing to drop here.
        let _ = self.guard(|handler| handler.session_event(domain, event));
    }

    /// Tells the handler that a session is over.
    pub(crate) fn session_closed(&self, domain: TransportDomain, session: u64) {
        self.sessions.borrow_mut().remove(&session);
        self.session_ended.notify_one();
        // A panic has been counted, and there is nothing to drop here.
        let _ = self.guard(|handler| handler.session_closed(domain, session));
    }

    /// Polls the handler whenever it is due or woken; never returns.
    pub(crate) async fn keep_time(&self) {
        loop {
            let wanted = self.handler.borrow().next_timeout();
            self.armed.set(wanted);
            tokio::select! {
                biased;
                () = self.waker.woken() => self.poll_handler(),
                () = self.rearm.notified() => {}
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
        let mut send = |source: &Source, message: &[u8]| {
            if let Err(NoSession) = self.deliver(source, message) {
                raise(&self.statistics.late_answers_without_session);
                lost.push(source.domain());
            }
        };
        let _ = self.guard(|handler| handler.poll(now, &mut send));
        lost.into_iter().for_each(|domain| self.session_event(domain, SessionEvent::AnswerLost));
    }

    /// Sends an answer that took time: in the session of its request, and in no other.
    //= rfc5591#4.2-1
    //= rfc5591#4.2-5
    //= rfc5592#5.2-1
    //= rfc5592#5.2-2
    //= rfc6353#5.2-2
    //= rfc6353#5.2-3
    fn deliver(&self, source: &Source, message: &[u8]) -> Result<(), NoSession> {
        if source.domain() == TransportDomain::Dtls {
            let port = self.dtls.get(source.socket).ok_or(NoSession)?;
            port.deliver(source, message, &self.statistics)
        } else if let Some(session) = source.session() {
            let sessions = self.sessions.borrow();
            sessions.get(&session).ok_or(NoSession)?.push(message, self.limits.outbox());
            Ok(())
        } else {
            let port = self.udp.get(source.socket).ok_or(NoSession)?;
            port.send(source, message, &self.statistics);
            Ok(())
        }
    }

    /// A timer for when the worker's clock shows `deadline`.
    pub(crate) fn sleep_until(&self, deadline: Timestamp) -> Sleep {
        tokio::time::sleep_until(self.clock.instant(deadline).into())
    }

    /// Calls the handler; a panic drops what it was doing, is counted, and goes no further.
    fn guard<T>(&self, call: impl FnOnce(&mut H) -> T) -> Result<T, Panicked> {
        let mut handler = self.handler.borrow_mut();
        catch_unwind(AssertUnwindSafe(|| call(&mut handler))).map_err(|_| {
            raise(&self.statistics.handler_panics);
            if let Some(suppressed) = self.complaints.allow(Instant::now()) {
                tracing::error!(suppressed, "a message handler panicked; what it was handling is dropped");
            }
            // Should even this panic, the next call tries again with what is there.
            let _ = catch_unwind(AssertUnwindSafe(|| handler.recover()));
            Panicked
        })
    }
}

/// Where an answer was to go to is gone.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NoSession;

/// The handler panicked.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Panicked;

/// One worker's buffers for reading from and answering into streams.
pub(crate) struct Scratch {
    pub(crate) input: Box<[u8]>,
    pub(crate) reply: Box<[u8]>,
}

impl Scratch {
    fn new(limits: &Limits) -> Self {
        Self { input: vec![0; limits.max_message_size].into(), reply: vec![0; limits.reply_buffer].into() }
    }
}

/// Lines a second of one worker's about peers that get no session, and about those behind sshd.
const LINES: u32 = 10;
