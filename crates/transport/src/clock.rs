//! The one slot where the running program reads a clock.

use std::time::{Duration, Instant};

use portreeve_smi::Timestamp;

/// Turns the monotonic clock into [`Timestamp`]s; copies share one origin.
#[derive(Clone, Copy, Debug)]
pub struct Clock {
    origin: Instant,
}

impl Clock {
    /// A clock that reads [`Timestamp::ZERO`] now.
    #[must_use]
    pub fn start() -> Self {
        Self { origin: Instant::now() }
    }

    /// The time since the start.
    #[must_use]
    pub fn now(&self) -> Timestamp {
        Timestamp::ZERO + self.origin.elapsed()
    }

    /// The moment `timestamp` means, for timers. What lies beyond the system's reach is a year away.
    pub(crate) fn instant(&self, timestamp: Timestamp) -> Instant {
        let from_origin = timestamp - Timestamp::ZERO;
        self.origin.checked_add(from_origin).unwrap_or_else(|| Instant::now() + YEAR)
    }
}

const YEAR: Duration = Duration::from_secs(365 * 24 * 60 * 60);
