//! Log lines that a peer can bring about, at most so many a second each. What they tell is counted elsewhere, all of it.

use std::{
    sync::{Mutex, PoisonError},
    time::{Duration, Instant},
};

/// Decides whether this line may be written now, and how many were not since the last.
#[derive(Debug)]
pub struct LogLimiter {
    max_per_second: u32,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    /// When the second began.
    second_started: Option<Instant>,
    written: u32,
    suppressed: u64,
}

impl LogLimiter {
    /// At most so many lines a second.
    pub fn per_second(most: u32) -> Self {
        Self { max_per_second: most, state: Mutex::default() }
    }

    /// `Some(lines left out since the last one)` if a line may be written now.
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
    fn limiter_suppresses_excess_lines_and_counts_them() {
        let start = Instant::now();
        for most in [1, 10] {
            let seldom = LogLimiter::per_second(most);
            let allowed = |milliseconds| seldom.allow(start + Duration::from_millis(milliseconds));
            (0..most).for_each(|_| assert_eq!(allowed(0), Some(0)));
            assert_eq!([allowed(1), allowed(500), allowed(999)], [None; 3]);
            assert_eq!(allowed(1000), Some(3));
            (1..most).for_each(|_| assert_eq!(allowed(1000), Some(0)));
            assert_eq!(allowed(1999), None);
            assert_eq!(allowed(60_000), Some(1));
        }
    }
}
