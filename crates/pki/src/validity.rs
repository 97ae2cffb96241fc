//! The validity period of a certificate.

use std::time::{Duration, SystemTime};

use time::OffsetDateTime;

/// A validity period.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Validity {
    /// The start of the period (notBefore).
    pub from: SystemTime,
    /// The end of the period (notAfter).
    pub until: SystemTime,
}

impl Validity {
    /// Creates a period of this duration from now. The period begins a little earlier, for peers
    /// whose clocks are slow.
    pub fn from_now(now: SystemTime, duration: Duration) -> Self {
        Self {
            from: now.checked_sub(CLOCK_SKEW).unwrap_or(now),
            until: now.checked_add(duration).unwrap_or(now),
        }
    }

    /// Shortens the period so that it does not extend beyond `end`.
    pub fn limited_to(self, end: SystemTime) -> Self {
        Self { until: self.until.min(end), ..self }
    }

    pub(crate) fn dates(self) -> (OffsetDateTime, OffsetDateTime) {
        (self.from.into(), self.until.into())
    }

    /// Returns the start and the end in seconds since 1970.
    pub(crate) fn unix_seconds(self) -> (u64, u64) {
        let seconds =
            |at: SystemTime| at.duration_since(SystemTime::UNIX_EPOCH).map_or(0, |since| since.as_secs());
        (seconds(self.from), seconds(self.until))
    }
}

/// The number of seconds by which a peer's clock may be slow.
const CLOCK_SKEW: Duration = Duration::from_secs(5 * 60);
