//! Counts events that would otherwise fill the log.

use std::time::{Duration, Instant};

/// Counts events. The first one is logged at once, and then their number once a minute.
#[derive(Default)]
pub(crate) struct IntervalCount {
    count: u64,
    logged_at: Option<Instant>,
}

impl IntervalCount {
    /// Counts events. Returns the number since the last log line if a line may be logged now.
    pub(crate) fn add(&mut self, events: u64, now: Instant) -> Option<u64> {
        self.count += events;
        let is_recent = |logged_at| now.saturating_duration_since(logged_at) < INTERVAL;
        if self.count == 0 || self.logged_at.is_some_and(is_recent) {
            return None;
        }
        self.logged_at = Some(now);
        Some(std::mem::take(&mut self.count))
    }

    /// Returns the number of events that were not logged, for a last log line; `None` if there are
    /// none.
    pub(crate) fn take(&mut self) -> Option<u64> {
        Some(std::mem::take(&mut self.count)).filter(|count| *count > 0)
    }
}

/// The time between two log lines.
const INTERVAL: Duration = Duration::from_secs(60);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn first_event_is_logged_at_once_and_others_once_a_minute() {
        let (mut count, start) = (IntervalCount::default(), Instant::now());
        assert_eq!(count.add(0, start), None);
        assert_eq!(count.add(1, start), Some(1));
        assert_eq!(count.add(2, start + INTERVAL / 2), None);
        assert_eq!(count.add(3, start + INTERVAL), Some(5));
        assert_eq!(count.add(4, start + INTERVAL), None);
        assert_eq!((count.take(), count.take()), (Some(4), None));
    }
}
