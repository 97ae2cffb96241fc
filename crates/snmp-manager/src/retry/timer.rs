//! One request's way through a policy: how often it has left, and until when it waits.

use std::time::Duration;

use portreeve_smi::Timestamp;

use super::{RetryPolicy, RttEstimator, Schedule};

#[derive(Clone, Copy, Debug)]
pub(crate) struct RetryTimer {
    policy: RetryPolicy,
    send_count: u32,
    /// Which of the session's requests this is.
    number: u32,
    first_sent: Timestamp,
    wait: Duration,
    expires: Option<Timestamp>,
}

impl RetryTimer {
    pub(crate) fn new(policy: RetryPolicy) -> Self {
        Self {
            policy,
            send_count: 0,
            number: 0,
            first_sent: Timestamp::ZERO,
            wait: Duration::ZERO,
            expires: None,
        }
    }

    /// The request leaves now.
    pub(crate) fn on_sent(&mut self, now: Timestamp, rtt: &mut RttEstimator) {
        if self.send_count == 0 {
            self.first_sent = now;
            self.number = rtt.on_first_send();
        }
        self.expires = Some(match self.policy.0 {
            Schedule::Fixed { wait, .. } => now + wait,
            Schedule::Adaptive { deadline } => {
                self.wait = match self.send_count {
                    0 => rtt.timeout(),
                    _ => rtt.back_off(self.wait),
                };
                (now + self.wait).min(self.first_sent + deadline)
            }
        });
        self.send_count += 1;
    }

    /// An answer came: what it says about the way there and back.
    pub(crate) fn on_response(&self, now: Timestamp, rtt: &mut RttEstimator) {
        // Karn's rule: nobody knows which of several sendings was answered.
        match self.send_count {
            1 => rtt.sample(self.number, now.since(self.first_sent)),
            _ => rtt.on_ambiguous_response(),
        }
    }

    /// The peer has shown life without answering: the request starts afresh.
    pub(crate) fn restart(&mut self) {
        *self = Self::new(self.policy);
    }

    /// Whether the request has left at least once since it was made or started over.
    pub(crate) fn was_sent(&self) -> bool {
        self.send_count > 0
    }

    /// Whether the request has left more than once.
    pub(crate) fn was_resent(&self) -> bool {
        self.send_count > 1
    }

    /// When it left first.
    pub(crate) fn first_sent(&self) -> Timestamp {
        self.first_sent
    }

    /// When patience ends, `None` while nothing is on its way.
    pub(crate) fn expires(&self) -> Option<Timestamp> {
        self.expires
    }

    /// What to do at `now`.
    pub(crate) fn action(&self, now: Timestamp) -> RetryAction {
        if self.expires.is_none_or(|expires| now < expires) {
            return RetryAction::Wait;
        }
        let spent = match self.policy.0 {
            Schedule::Fixed { retries, .. } => self.send_count > retries,
            Schedule::Adaptive { deadline } => self.first_sent + deadline <= now,
        };
        if spent { RetryAction::GiveUp } else { RetryAction::Resend }
    }

    /// The request is queued to leave again.
    pub(crate) fn on_queued(&mut self) {
        self.expires = None;
    }
}

/// What a timer advises.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RetryAction {
    Wait,
    Resend,
    GiveUp,
}
