//! From when until when a certificate holds.

use std::time::{Duration, SystemTime};

use time::OffsetDateTime;

/// From when until when.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Validity {
    /// Not before.
    pub from: SystemTime,
    /// Not after.
    pub until: SystemTime,
}

impl Validity {
    /// For so long from now. It begins a little earlier, for clocks that are slow.
    pub fn from_now(now: SystemTime, long: Duration) -> Self {
        Self { from: now.checked_sub(CLOCK_SKEW).unwrap_or(now), until: now.checked_add(long).unwrap_or(now) }
    }

    /// The same, but not beyond `end`.
    pub fn limited_to(self, end: SystemTime) -> Self {
        Self { until: self.until.min(end), ..self }
    }

    pub(crate) fn dates(self) -> (OffsetDateTime, OffsetDateTime) {
        (self.from.into(), self.until.into())
    }

    /// In seconds since 1970.
    pub(crate) fn unix_seconds(self) -> (u64, u64) {
        let seconds =
            |at: SystemTime| at.duration_since(SystemTime::UNIX_EPOCH).map_or(0, |since| since.as_secs());
        (seconds(self.from), seconds(self.until))
    }
}

/// How far behind a peer's clock may be on the first day.
const CLOCK_SKEW: Duration = Duration::from_secs(5 * 60);
