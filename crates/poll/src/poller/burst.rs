//! How much may be asked at once by all peers together.
//!
//! Answers that come at the same moment have to fit the sockets' receive buffers. A place is given back by an answer,
//! or after a moment: whoever does not answer within it will not answer together with the others either.

use std::time::Duration;

use portreeve_smi::Timestamp;

/// Places for messages that may be answered any moment.
pub(super) struct BurstLimit {
    free: u32,
    refilled: Timestamp,
    /// How many of this moment's messages, and of the last one's, are unanswered.
    due: (u32, u32),
}

impl Default for BurstLimit {
    fn default() -> Self {
        Self { free: MAX_BURST, refilled: Timestamp::ZERO, due: (0, 0) }
    }
}

impl BurstLimit {
    /// Whether a message may leave now.
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

    /// How long to wait for more answers than one, where many are due.
    pub(super) fn gather_time(&self, now: Timestamp) -> Duration {
        let many = self.due.0 + self.due.1 >= MIN_GATHER_COUNT && now.since(self.refilled) < BURST_INTERVAL;
        if many { GATHER_TIME } else { Duration::ZERO }
    }

    /// When a message may leave at the latest.
    pub(super) fn next_send_time(&self, now: Timestamp) -> Timestamp {
        if self.free > 0 { now } else { self.refilled + BURST_INTERVAL }
    }
}

/// About what the kernel's usual receive buffer holds of full-size answers.
const MAX_BURST: u32 = 64;
/// Longer than agents nearby take to answer.
const BURST_INTERVAL: Duration = Duration::from_millis(10);
/// So many unanswered within two moments that it pays to let answers gather.
const MIN_GATHER_COUNT: u32 = 8;
/// Short beside the margin that a request's patience has over the usual round trip.
const GATHER_TIME: Duration = Duration::from_micros(500);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn responses_are_gathered_only_while_many_are_due() {
        let mut burst = BurstLimit::default();
        let now = Timestamp::ZERO + BURST_INTERVAL;
        assert!(burst.allows(now));
        (1..MIN_GATHER_COUNT).for_each(|_| burst.on_sent());
        assert_eq!(burst.gather_time(now), Duration::ZERO);
        burst.on_sent();
        assert_eq!(burst.gather_time(now), GATHER_TIME);
        // Whoever has not answered within a moment is not waited for.
        assert_eq!(burst.gather_time(now + BURST_INTERVAL), Duration::ZERO);
        burst.on_response();
        assert_eq!(burst.gather_time(now), Duration::ZERO);
    }

    #[test]
    fn responses_to_previous_interval_are_still_due() {
        let mut burst = BurstLimit::default();
        (0..MIN_GATHER_COUNT).for_each(|_| burst.on_sent());
        let next_send_time = Timestamp::ZERO + BURST_INTERVAL;
        assert!(burst.allows(next_send_time));
        assert_eq!(burst.gather_time(next_send_time), GATHER_TIME);
        assert!(burst.allows(next_send_time + BURST_INTERVAL));
        assert_eq!(burst.gather_time(next_send_time + BURST_INTERVAL), Duration::ZERO);
    }
}
