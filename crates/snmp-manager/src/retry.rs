//! Policies that determine when requests are sent again.

mod estimator;
mod timer;

use std::time::Duration;

pub(crate) use estimator::RttEstimator;
pub(crate) use timer::{RetryAction, RetryTimer};

/// The retransmission policy for all requests of a session.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RetryPolicy(Schedule);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Schedule {
    Fixed { wait: Duration, retries: u32 },
    Adaptive { deadline: Duration },
}

impl RetryPolicy {
    /// Waits `wait` for each response and retransmits at most `retries` times.
    pub const fn fixed(wait: Duration, retries: u32) -> Self {
        Self(Schedule::Fixed { wait, retries })
    }

    /// Retransmits when a response is later than the measured round trips suggest, at increasing
    /// intervals, and gives up `deadline` after the first transmission.
    ///
    /// Round trips are estimated as in RFC 6298, but the timeout is not rounded up to one second:
    /// on a link with a round trip of tens of microseconds, a lost datagram costs 1 ms. Until a
    /// round trip has been measured the timeout is 250 ms.
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

    /// Returns the time after which the policy gives up.
    pub fn total_timeout(self) -> Duration {
        match self.0 {
            Schedule::Fixed { wait, retries } => wait.saturating_mul(retries.saturating_add(1)),
            Schedule::Adaptive { deadline } => deadline,
        }
    }

    /// Returns the policy for a transport that does not lose messages: one transmission with the
    /// same total timeout.
    pub fn without_retransmission(self) -> Self {
        Self::fixed(self.total_timeout(), 0)
    }
}

/// Uses the default of Net-SNMP's commands: one second and five retries.
impl Default for RetryPolicy {
    fn default() -> Self {
        Self::fixed(Duration::from_secs(1), 5)
    }
}

#[cfg(test)]
mod tests;
