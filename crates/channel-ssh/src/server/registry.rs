//! The state that a connection's future and its handler share.
//!
//! Before the login, the handler may run on the login thread, so the progress of the connection can
//! be used on any thread. The [`ConnectionCallbacks`] cannot: the handler holds a number, and a
//! thread-local table of the connection's worker maps it to the callbacks.

use std::{
    cell::{Cell, RefCell},
    net::IpAddr,
    rc::Rc,
    sync::{
        Arc, Mutex, MutexGuard, OnceLock, PoisonError,
        atomic::{AtomicBool, AtomicU64, Ordering::Relaxed},
    },
    time::{Duration, Instant},
};

use portreeve_channel::ChannelStep;
use russh::server::Handle;

use super::{
    authentication::LoginRefusalReason, callbacks::ConnectionCallbacks, login_cpu_limit::LoginCpuLimit,
    statistics::SshStatistics,
};
use crate::traffic::WINDOW_OVERFLOW;

/// The progress of a connection, for use on any thread.
pub(super) struct ConnectionProgress {
    pub(super) peer: IpAddr,
    pub(super) statistics: Arc<SshStatistics>,
    login_cpu: Arc<LoginCpuLimit>,
    /// The processor time charged for this login so far, in nanoseconds.
    charged: AtomicU64,
    /// The russh handle of the connection, once it is set up.
    pub(super) handle: OnceLock<Handle>,
    /// True if the handler waits until its worker polls it.
    awaits_worker: AtomicBool,
    reached: Mutex<Reached>,
}

struct Reached {
    step: ChannelStep,
    /// Reason for the last refused login.
    refusal: Option<LoginRefusalReason>,
}

impl ConnectionProgress {
    pub(super) fn new(peer: IpAddr, statistics: Arc<SshStatistics>, login_cpu: Arc<LoginCpuLimit>) -> Self {
        Self {
            peer,
            statistics,
            login_cpu,
            charged: AtomicU64::new(0),
            handle: OnceLock::new(),
            awaits_worker: AtomicBool::new(false),
            reached: Mutex::new(Reached { step: ChannelStep::Negotiate, refusal: None }),
        }
    }

    /// Charges processor time for the login to the peer's source.
    pub(super) fn charge(&self, cpu_time: Duration) {
        self.charged.fetch_add(u64::try_from(cpu_time.as_nanos()).unwrap_or(u64::MAX), Relaxed);
        self.login_cpu.charge(self.peer, cpu_time, Instant::now());
    }

    /// Returns the processor time charged for this login so far.
    #[cfg(test)]
    pub(super) fn charged(&self) -> Duration {
        Duration::from_nanos(self.charged.load(Relaxed))
    }

    /// Returns the charged processor time to the peer's source, because the peer has logged in.
    pub(super) fn refund(&self) {
        self.login_cpu.refund(self.peer, Duration::from_nanos(self.charged.swap(0, Relaxed)));
    }

    /// Returns the time until which the login has to wait, or `None` if it may continue.
    pub(super) fn wait_end(&self) -> Option<Instant> {
        self.login_cpu.wait_end(self.peer, Instant::now())
    }

    /// Returns the step that the connection has reached.
    pub(super) fn step(&self) -> ChannelStep {
        self.reached().step
    }

    pub(super) fn set_step(&self, step: ChannelStep) {
        self.reached().step = step;
    }

    /// Returns true if the key exchange is done and the peer tries to log in. Only then is
    /// processor time charged to the peer's source: peers that do not get so far must not delay the
    /// logins of others at the same address.
    pub(super) fn is_authenticating(&self) -> bool {
        self.step() >= ChannelStep::ClientIdentity
    }

    /// Returns the reason for the last refused login.
    pub(super) fn refusal(&self) -> Option<LoginRefusalReason> {
        self.reached().refusal
    }

    pub(super) fn set_refusal(&self, reason: LoginRefusalReason) {
        self.reached().refusal = Some(reason);
    }

    /// Returns true if the next poll must be on the connection's worker.
    pub(super) fn awaits_worker(&self) -> bool {
        self.awaits_worker.load(Relaxed)
    }

    pub(super) fn set_awaits_worker(&self, awaits_worker: bool) {
        self.awaits_worker.store(awaits_worker, Relaxed);
    }

    fn reached(&self) -> MutexGuard<'_, Reached> {
        self.reached.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The part of a connection that stays on its worker.
pub(super) struct ConnectionEntry {
    pub(super) callbacks: Rc<dyn ConnectionCallbacks>,
    /// The protocol violation that ends the connection, if any.
    pub(super) violation: Cell<Option<ProtocolViolation>>,
}

/// Something that a peer must not do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ProtocolViolation {
    /// Data on a channel before a subsystem is open.
    DataWithoutSubsystem,
    /// A window of more than 2^32-1 octets.
    WindowOverflow,
}

impl ProtocolViolation {
    /// Returns the message for the log and the peer.
    pub(super) fn message(self) -> &'static str {
        match self {
            Self::DataWithoutSubsystem => "data on a channel without a subsystem",
            Self::WindowOverflow => WINDOW_OVERFLOW,
        }
    }
}

/// A slot in the table, released on drop.
pub(super) struct Registration {
    number: usize,
    pub(super) entry: Rc<ConnectionEntry>,
    pub(super) progress: Arc<ConnectionProgress>,
}

impl Registration {
    pub(super) fn new(
        callbacks: Rc<dyn ConnectionCallbacks>,
        peer: IpAddr,
        statistics: Arc<SshStatistics>,
        login_cpu: Arc<LoginCpuLimit>,
    ) -> Self {
        let entry = Rc::new(ConnectionEntry { callbacks, violation: Cell::default() });
        let number = TABLE.with_borrow_mut(|table| {
            let free = table.iter().position(Option::is_none);
            match free.and_then(|number| table.get_mut(number).map(|slot| (number, slot))) {
                Some((number, slot)) => {
                    *slot = Some(Rc::clone(&entry));
                    number
                }
                None => {
                    table.push(Some(Rc::clone(&entry)));
                    table.len() - 1
                }
            }
        });
        Self { number, entry, progress: Arc::new(ConnectionProgress::new(peer, statistics, login_cpu)) }
    }

    pub(super) fn number(&self) -> usize {
        self.number
    }
}

impl Drop for Registration {
    fn drop(&mut self) {
        // When the thread ends, the table may be destroyed before the registrations.
        let _ = TABLE.try_with(|table| {
            if let Some(slot) = table.borrow_mut().get_mut(self.number) {
                *slot = None;
            }
        });
    }
}

/// Returns the entry with that number; `None` on another thread or after the connection has ended.
pub(super) fn find(number: usize) -> Option<Rc<ConnectionEntry>> {
    TABLE.with_borrow(|table| table.get(number).cloned().flatten())
}

thread_local! {
    static TABLE: RefCell<Vec<Option<Rc<ConnectionEntry>>>> = const { RefCell::new(Vec::new()) };
}
