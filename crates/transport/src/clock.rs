//! The clock for the timestamps of handlers and the deadlines of sessions.

use std::time::{Duration, Instant};

use portreeve_smi::Timestamp;

/// Converts the monotonic clock to [`Timestamp`]s; copies share one origin.
#[derive(Clone, Copy, Debug)]
pub struct Clock {
    origin: Instant,
}

impl Clock {
    /// Starts a clock at [`Timestamp::ZERO`].
    #[must_use]
    pub fn start() -> Self {
        Self { origin: Instant::now() }
    }

    /// Returns the time since the start.
    #[must_use]
    pub fn now(&self) -> Timestamp {
        Timestamp::ZERO + self.origin.elapsed()
    }

    /// Converts `timestamp` to an instant for timers. Times beyond the range of the system clock
    /// become one year from now.
    pub(crate) fn instant(&self, timestamp: Timestamp) -> Instant {
        let from_origin = timestamp - Timestamp::ZERO;
        self.origin.checked_add(from_origin).unwrap_or_else(|| Instant::now() + YEAR)
    }
}

const YEAR: Duration = Duration::from_secs(365 * 24 * 60 * 60);
