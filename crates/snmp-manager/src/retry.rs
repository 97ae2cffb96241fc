//! When an unanswered request is sent again, and when it is given up.

mod estimator;
mod timer;

use std::time::Duration;

pub(crate) use estimator::RttEstimator;
pub(crate) use timer::{RetryAction, RetryTimer};

/// A retransmission policy, the same for every request of a session.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RetryPolicy(Schedule);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Schedule {
    Fixed { wait: Duration, retries: u32 },
    Adaptive { deadline: Duration },
}

impl RetryPolicy {
    /// Waits `wait` for an answer each time and sends again at most `retries` times.
    pub const fn fixed(wait: Duration, retries: u32) -> Self {
        Self(Schedule::Fixed { wait, retries })
    }

    /// Sends again when the answer is later than the round trips measured so far explain, ever more rarely, and gives
    /// up `deadline` after the first sending.
    ///
    /// Round trips are estimated as RFC 6298 does, but a wait is not rounded up to a second: on a link of tens of
    /// microseconds a lost datagram costs 1 ms. Until a round trip has been measured the wait is 250 ms.
    ///
    /// ```
    /// use std::time::Duration;
    /// use portreeve_snmp_manager::{RetryPolicy, SessionOptions};
    ///
    /// let retry = RetryPolicy::adaptive(Duration::from_secs(6));
    /// let options = SessionOptions { retry, ..SessionOptions::default() };
    /// assert_eq!(options.retry.total_timeout(), Duration::from_secs(6));
    /// ```
    pub const fn adaptive(deadline: Duration) -> Self {
        Self(Schedule::Adaptive { deadline })
    }

    /// How long the policy waits before it gives up.
    pub fn total_timeout(self) -> Duration {
        match self.0 {
            Schedule::Fixed { wait, retries } => wait.saturating_mul(retries.saturating_add(1)),
            Schedule::Adaptive { deadline } => deadline,
        }
    }

    /// The same patience on a transport that does not lose messages: one sending.
    pub fn without_retransmission(self) -> Self {
        Self::fixed(self.total_timeout(), 0)
    }
}

/// What Net-SNMP's commands do: one second, five retries.
impl Default for RetryPolicy {
    fn default() -> Self {
        Self::fixed(Duration::from_secs(1), 5)
    }
}

#[cfg(test)]
mod tests;
