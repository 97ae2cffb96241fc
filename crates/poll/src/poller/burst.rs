//! Limits the number of requests that the poller sends at about the same time to all targets.
//!
//! Responses that arrive at the same time must fit into the sockets' receive buffers. A slot is
//! freed by a response, or after a short interval: a peer that has not responded by then will not
//! respond at the same time as the others.

use std::time::Duration;

use portreeve_smi::Timestamp;

/// The slots for messages whose responses may arrive soon. Each sent message takes one.
pub(super) struct BurstLimit {
    free: u32,
    refilled: Timestamp,
    /// The number of unanswered messages sent in this interval, and the number of those sent in the
    /// previous one.
    due: (u32, u32),
}

impl Default for BurstLimit {
    fn default() -> Self {
        Self { free: MAX_BURST, refilled: Timestamp::ZERO, due: (0, 0) }
    }
}

impl BurstLimit {
    /// Returns true if a message may be sent now.
    pub(super) fn allows(&mut self, now: Timestamp) -> bool {
        if now.since(self.refilled) >= BURST_INTERVAL {
            *self = Self { free: MAX_BURST, refilled: now, due: (0, self.due.0) };
        }
        self.free > 0
    }

    pub(super) fn on_sent(&mut self) {
        self.free = self.free.saturating_sub(1);
        self.due.0 += 1;
    }

    pub(super) fn on_response(&mut self) {
        self.free = (self.free + 1).min(MAX_BURST);
        let due = if self.due.1 > 0 { &mut self.due.1 } else { &mut self.due.0 };
        *due = due.saturating_sub(1);
    }

    /// Returns the time to wait for more responses; zero if few are expected.
    pub(super) fn gather_time(&self, now: Timestamp) -> Duration {
        let many = self.due.0 + self.due.1 >= MIN_GATHER_COUNT && now.since(self.refilled) < BURST_INTERVAL;
        if many { GATHER_TIME } else { Duration::ZERO }
    }

    /// Returns the time at which the next message may be sent even if no response arrives.
    pub(super) fn next_send_time(&self, now: Timestamp) -> Timestamp {
        if self.free > 0 { now } else { self.refilled + BURST_INTERVAL }
    }
}

/// About the number of full-size responses that fit into the kernel's default receive buffer.
const MAX_BURST: u32 = 64;
/// The interval after which slots are freed: longer than the response time of nearby agents.
const BURST_INTERVAL: Duration = Duration::from_millis(10);
/// The number of unanswered messages, sent in two intervals, from which waiting for more responses
/// is worthwhile.
const MIN_GATHER_COUNT: u32 = 8;
/// The time to wait for more responses. It is short compared with the difference between a
/// request's timeout and the usual round-trip time.
const GATHER_TIME: Duration = Duration::from_micros(500);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn poller_waits_to_gather_responses_only_while_many_are_due() {
        let mut burst = BurstLimit::default();
        let now = Timestamp::ZERO + BURST_INTERVAL;
        assert!(burst.allows(now));
        (1..MIN_GATHER_COUNT).for_each(|_| burst.on_sent());
        assert_eq!(burst.gather_time(now), Duration::ZERO);
        burst.on_sent();
        assert_eq!(burst.gather_time(now), GATHER_TIME);
        // A peer that has not responded within the interval is not waited for.
        assert_eq!(burst.gather_time(now + BURST_INTERVAL), Duration::ZERO);
        burst.on_response();
        assert_eq!(burst.gather_time(now), Duration::ZERO);
    }

    #[test]
    fn poller_still_waits_to_gather_responses_due_from_previous_interval() {
        let mut burst = BurstLimit::default();
        (0..MIN_GATHER_COUNT).for_each(|_| burst.on_sent());
        let next_send_time = Timestamp::ZERO + BURST_INTERVAL;
        assert!(burst.allows(next_send_time));
        assert_eq!(burst.gather_time(next_send_time), GATHER_TIME);
        assert!(burst.allows(next_send_time + BURST_INTERVAL));
        assert_eq!(burst.gather_time(next_send_time + BURST_INTERVAL), Duration::ZERO);
    }
}
