//! Points in time as YANG has them.

use std::fmt;

#[cfg(test)]
mod tests;

/// A point in time in UTC, in whole seconds. Its text is a `date-and-time` of `ietf-yang-types`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct DateTime(u64);

impl DateTime {
    /// Creates a point in time from the seconds since 1970-01-01T00:00:00Z, without leap seconds.
    #[must_use]
    pub const fn from_unix_seconds(seconds: u64) -> Self {
        Self(seconds)
    }

    /// Returns the seconds since 1970-01-01T00:00:00Z, without leap seconds.
    #[must_use]
    pub fn unix_seconds(self) -> u64 {
        self.0
    }
}

impl fmt::Display for DateTime {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Years that begin in March, so that the leap day is the last of a year, in periods of
        // 400 years that are equally long.
        let days = self.0 / DAY + DAYS_BEFORE_1970;
        let (period, day_of_period) = (days / PERIOD, days % PERIOD);
        let year_of_period =
            (day_of_period - day_of_period / 1460 + day_of_period / 36_524 - day_of_period / 146_096) / 365;
        let leap_days = year_of_period / 4 - year_of_period / 100;
        let day_of_year = day_of_period - (365 * year_of_period + leap_days);
        let month_from_march = (5 * day_of_year + 2) / 153;
        let day = day_of_year - (153 * month_from_march + 2) / 5 + 1;
        let month = if month_from_march < 10 { month_from_march + 3 } else { month_from_march - 9 };
        let year = period * 400 + year_of_period + u64::from(month <= 2);
        let second = self.0 % DAY;
        let (hour, minute, second) = (second / 3600, second / 60 % 60, second % 60);
        write!(f, "{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}Z")
    }
}

const DAY: u64 = 86_400;

/// The days from 0000-03-01 to 1970-01-01.
const DAYS_BEFORE_1970: u64 = 719_468;

/// The days of 400 years.
const PERIOD: u64 = 146_097;
