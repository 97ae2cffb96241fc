//! How much may be asked at once by all peers together.
//!
//! Answers that come at the same moment have to fit the sockets' receive buffers. A place is given back by an answer,
//! or after a moment: whoever does not answer within it will not answer together with the others either.

use std::time::Duration;

use portreeve_smi::Timestamp;

/// Places for messages that may be answered any moment.
pub(super) struct Burst {
    free: u32,
    refilled: Timestamp,
    /// How many of this moment's messages, and of the last one's, are unanswered.
    due: (u32, u32),
}

impl Default for Burst {
    fn default() -> Self {
        Self { free: PLACES, refilled: Timestamp::ZERO, due: (0, 0) }
    }
}

impl Burst {
    /// Whether a message may leave now.
    pub(super) fn allows(&mut self, now: Timestamp) -> bool {
        if now.since(self.refilled) >= MOMENT {
            *self = Self { free: PLACES, refilled: now, due: (0, self.due.0) };
        }
        self.free > 0
    }

    pub(super) fn take(&mut self) {
        self.free = self.free.saturating_sub(1);
        self.due.0 += 1;
    }

    pub(super) fn give_back(&mut self) {
        self.free = (self.free + 1).min(PLACES);
        let due = if self.due.1 > 0 { &mut self.due.1 } else { &mut self.due.0 };
        *due = due.saturating_sub(1);
    }

    /// How long to wait for more answers than one, where many are due.
    pub(super) fn gathering(&self, now: Timestamp) -> Duration {
        let many = self.due.0 + self.due.1 >= MANY && now.since(self.refilled) < MOMENT;
        if many { GATHERING } else { Duration::ZERO }
    }

    /// When a message may leave at the latest.
    pub(super) fn next(&self, now: Timestamp) -> Timestamp {
        if self.free > 0 { now } else { self.refilled + MOMENT }
    }
}

/// About what the kernel's usual receive buffer holds of full-size answers.
const PLACES: u32 = 64;
/// Longer than agents nearby take to answer.
const MOMENT: Duration = Duration::from_millis(10);
/// So many unanswered within two moments that it pays to let answers gather.
const MANY: u32 = 8;
/// Short beside the margin that a request's patience has over the usual round trip.
const GATHERING: Duration = Duration::from_micros(500);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_are_let_gather_only_while_many_are_due() {
        let mut burst = Burst::default();
        let now = Timestamp::ZERO + MOMENT;
        assert!(burst.allows(now));
        (1..MANY).for_each(|_| burst.take());
        assert_eq!(burst.gathering(now), Duration::ZERO);
        burst.take();
        assert_eq!(burst.gathering(now), GATHERING);
        // Whoever has not answered within a moment is not waited for.
        assert_eq!(burst.gathering(now + MOMENT), Duration::ZERO);
        burst.give_back();
        assert_eq!(burst.gathering(now), Duration::ZERO);
    }

    #[test]
    fn answers_to_the_last_moment_are_due_too_and_those_before_are_not() {
        let mut burst = Burst::default();
        (0..MANY).for_each(|_| burst.take());
        let next = Timestamp::ZERO + MOMENT;
        assert!(burst.allows(next));
        assert_eq!(burst.gathering(next), GATHERING);
        assert!(burst.allows(next + MOMENT));
        assert_eq!(burst.gathering(next + MOMENT), Duration::ZERO);
    }
}
