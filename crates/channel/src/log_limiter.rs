//! Rate limit for log lines that a peer can trigger. Only the log lines are limited: other code
//! counts all events.

use std::{
    sync::{Mutex, PoisonError},
    time::{Duration, Instant},
};

/// Decides whether a line may be logged now, and counts suppressed lines.
#[derive(Debug)]
pub struct LogLimiter {
    max_per_second: u32,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    /// The start of the current second.
    second_started: Option<Instant>,
    written: u32,
    suppressed: u64,
}

impl LogLimiter {
    /// Allows at most `max_per_second` lines per second.
    pub fn per_second(max_per_second: u32) -> Self {
        Self { max_per_second, state: Mutex::default() }
    }

    /// Returns the number of lines suppressed since the last logged line if a line may be logged
    /// now, otherwise `None`.
    pub fn allow(&self, now: Instant) -> Option<u64> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        if state.second_started.is_none_or(|since| now.duration_since(since) >= SECOND) {
            state.second_started = Some(now);
            state.written = 0;
        }
        if state.written < self.max_per_second {
            state.written += 1;
            Some(std::mem::take(&mut state.suppressed))
        } else {
            state.suppressed = state.suppressed.saturating_add(1);
            None
        }
    }
}

const SECOND: Duration = Duration::from_secs(1);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn log_limiter_suppresses_excess_lines_and_counts_them() {
        let start = Instant::now();
        for limit in [1, 10] {
            let limiter = LogLimiter::per_second(limit);
            let allowed = |milliseconds| limiter.allow(start + Duration::from_millis(milliseconds));
            (0..limit).for_each(|_| assert_eq!(allowed(0), Some(0)));
            assert_eq!([allowed(1), allowed(500), allowed(999)], [None; 3]);
            assert_eq!(allowed(1000), Some(3));
            (1..limit).for_each(|_| assert_eq!(allowed(1000), Some(0)));
            assert_eq!(allowed(1999), None);
            assert_eq!(allowed(60_000), Some(1));
        }
    }
}
