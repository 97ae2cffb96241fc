//! The retransmission state of one request.

use std::time::Duration;

use portreeve_smi::Timestamp;

use super::{RetryPolicy, RttEstimator, Schedule};

#[derive(Clone, Copy, Debug)]
pub(crate) struct RetryTimer {
    policy: RetryPolicy,
    send_count: u32,
    /// The number of this request in its session.
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

    /// Records a transmission of the request.
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

    /// Passes the round-trip time of a received response to the estimator.
    pub(crate) fn on_response(&self, now: Timestamp, rtt: &mut RttEstimator) {
        // Karn's rule: the response may answer any of several transmissions.
        match self.send_count {
            1 => rtt.sample(self.number, now.since(self.first_sent)),
            _ => rtt.on_ambiguous_response(),
        }
    }

    /// Resets the timer after the peer sent a message other than the response.
    pub(crate) fn restart(&mut self) {
        *self = Self::new(self.policy);
    }

    /// Returns true if the request was sent since it was created or restarted.
    pub(crate) fn was_sent(&self) -> bool {
        self.send_count > 0
    }

    /// Returns true if the request was sent more than once.
    pub(crate) fn was_resent(&self) -> bool {
        self.send_count > 1
    }

    /// Returns the time of the first transmission.
    pub(crate) fn first_sent(&self) -> Timestamp {
        self.first_sent
    }

    /// Returns the time at which the current wait ends; `None` while nothing is in flight.
    pub(crate) fn expires(&self) -> Option<Timestamp> {
        self.expires
    }

    /// Returns the action to take at `now`.
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

    /// Records that the request is queued for retransmission.
    pub(crate) fn on_queued(&mut self) {
        self.expires = None;
    }
}

/// The action to take for a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RetryAction {
    Wait,
    Resend,
    GiveUp,
}
