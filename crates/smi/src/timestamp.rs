//! Time values, which drivers pass to the state machines.

use std::{
    ops::{Add, Sub},
    time::Duration,
};

/// Microseconds since an arbitrary origin that is fixed for the lifetime of the process.
///
/// State machines never read a clock. A driver derives timestamps from the monotonic clock and
/// passes them in; a test chooses them freely.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Timestamp(u64);

impl Timestamp {
    /// The origin of all timestamps.
    pub const ZERO: Self = Self(0);

    /// Creates a timestamp from microseconds since the origin.
    pub const fn from_micros(micros: u64) -> Self {
        Self(micros)
    }

    /// Creates a timestamp from whole seconds since the origin.
    pub const fn from_secs(secs: u64) -> Self {
        Self(secs.saturating_mul(1_000_000))
    }

    /// Returns the microseconds since the origin.
    pub const fn as_micros(self) -> u64 {
        self.0
    }

    /// Returns the whole seconds since the origin.
    pub const fn as_secs(self) -> u64 {
        self.0 / 1_000_000
    }

    /// Returns the hundredths of a second since the origin, the unit of TimeTicks.
    pub const fn as_centis(self) -> u64 {
        self.0 / 10_000
    }

    /// Returns the time passed since `earlier`, or zero if `earlier` is later.
    pub const fn since(self, earlier: Self) -> Duration {
        Duration::from_micros(self.0.saturating_sub(earlier.0))
    }
}

impl Add<Duration> for Timestamp {
    type Output = Self;

    fn add(self, duration: Duration) -> Self {
        Self(self.0.saturating_add(u64::try_from(duration.as_micros()).unwrap_or(u64::MAX)))
    }
}

impl Sub for Timestamp {
    type Output = Duration;

    fn sub(self, earlier: Self) -> Duration {
        self.since(earlier)
    }
}
