//! The progress of a connection. Before the login, a connection may be polled on the login thread,
//! so its progress can be used on any thread.

use std::{
    net::IpAddr,
    sync::{
        Arc, Mutex, MutexGuard, OnceLock, PoisonError,
        atomic::{AtomicU64, Ordering::Relaxed},
    },
    time::{Duration, Instant},
};

use portreeve_channel::ChannelStep;
use russh::server::Handle;

use super::{authentication::LoginRefusalReason, login_cpu_limit::LoginCpuLimit, statistics::SshStatistics};
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
    reached: Mutex<Reached>,
}

struct Reached {
    step: ChannelStep,
    /// Reason for the last refused login.
    refusal: Option<LoginRefusalReason>,
    /// The protocol violation that ends the connection, if any.
    violation: Option<ProtocolViolation>,
}

impl ConnectionProgress {
    pub(super) fn new(peer: IpAddr, statistics: Arc<SshStatistics>, login_cpu: Arc<LoginCpuLimit>) -> Self {
        Self {
            peer,
            statistics,
            login_cpu,
            charged: AtomicU64::new(0),
            handle: OnceLock::new(),
            reached: Mutex::new(Reached { step: ChannelStep::Negotiate, refusal: None, violation: None }),
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

    /// Returns the protocol violation that ends the connection, if any.
    pub(super) fn violation(&self) -> Option<ProtocolViolation> {
        self.reached().violation
    }

    pub(super) fn set_violation(&self, violation: ProtocolViolation) {
        self.reached().violation = Some(violation);
    }

    fn reached(&self) -> MutexGuard<'_, Reached> {
        self.reached.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Something that a peer must not do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ProtocolViolation {
    /// Data on a channel before a subsystem is open.
    DataWithoutSubsystem,
    /// More data than the window that was granted to the peer.
    WindowExceeded,
    /// A window of more than 2^32-1 octets.
    WindowOverflow,
}

impl ProtocolViolation {
    /// Returns the message for the log and the peer.
    pub(super) fn message(self) -> &'static str {
        match self {
            Self::DataWithoutSubsystem => "data on a channel without a subsystem",
            Self::WindowExceeded => "more data than the channel window allows",
            Self::WindowOverflow => WINDOW_OVERFLOW,
        }
    }
}
