//! When an unanswered request is sent again, and when it is given up.

use std::time::Duration;

use portreeve_smi::Timestamp;

/// A retransmission policy, the same for every request of a session.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RetryPolicy {
    wait: Duration,
    retries: u32,
}

impl RetryPolicy {
    /// Waits `wait` for an answer each time and sends again at most `retries` times.
    pub const fn fixed(wait: Duration, retries: u32) -> Self {
        Self { wait, retries }
    }

    /// How long the policy waits before it gives up.
    pub fn patience(self) -> Duration {
        self.wait.saturating_mul(self.retries.saturating_add(1))
    }

    /// The same patience on a transport that does not lose messages: one sending.
    pub fn without_resending(self) -> Self {
        Self { wait: self.patience(), retries: 0 }
    }
}

/// What Net-SNMP's commands do: one second, five retries.
impl Default for RetryPolicy {
    fn default() -> Self {
        Self::fixed(Duration::from_secs(1), 5)
    }
}

/// One request's way through a policy.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RetryTimer {
    policy: RetryPolicy,
    sent: u32,
    expires: Option<Timestamp>,
}

impl RetryTimer {
    pub(crate) fn new(policy: RetryPolicy) -> Self {
        Self { policy, sent: 0, expires: None }
    }

    /// The request leaves now.
    pub(crate) fn sent(&mut self, now: Timestamp) {
        self.sent += 1;
        self.expires = Some(now + self.policy.wait);
    }

    /// The peer has shown life without answering: the request starts afresh.
    pub(crate) fn restart(&mut self) {
        *self = Self::new(self.policy);
    }

    /// Whether the request has left at least once since it was made or started over.
    pub(crate) fn has_left(&self) -> bool {
        self.sent > 0
    }

    /// When patience ends, `None` while nothing is on its way.
    pub(crate) fn expires(&self) -> Option<Timestamp> {
        self.expires
    }

    /// What to do at `now`.
    pub(crate) fn verdict(&self, now: Timestamp) -> Verdict {
        match self.expires {
            Some(expires) if expires <= now && self.sent > self.policy.retries => Verdict::GiveUp,
            Some(expires) if expires <= now => Verdict::SendAgain,
            _ => Verdict::Wait,
        }
    }

    /// The request is queued to leave again.
    pub(crate) fn queued(&mut self) {
        self.expires = None;
    }
}

/// What a timer advises.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    Wait,
    SendAgain,
    GiveUp,
}
