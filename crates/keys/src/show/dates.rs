//! Dates, and their distance from now.

use std::time::{Duration, SystemTime};

use time::OffsetDateTime;

/// Formats a date as `2026-11-22`, in UTC.
pub(crate) fn day(at: SystemTime) -> String {
    let date = OffsetDateTime::from(at).date();
    format!("{:04}-{:02}-{:02}", date.year(), u8::from(date.month()), date.day())
}

/// Formats a time as `2026-11-22T10:15:00Z`.
pub(super) fn timestamp(at: SystemTime) -> String {
    let (hour, minute, second) = OffsetDateTime::from(at).time().as_hms();
    format!("{}T{hour:02}:{minute:02}:{second:02}Z", day(at))
}

/// Returns the number of whole days until a time; negative if it has passed.
pub(crate) fn days_left(until: SystemTime, now: SystemTime) -> i64 {
    let days = |time: Duration| i64::try_from(time.as_secs() / DAY).unwrap_or(i64::MAX);
    match until.duration_since(now) {
        Ok(left) => days(left),
        Err(over) => -1 - days(over.duration()),
    }
}

/// Formats the distance to a time: `in 365 days`, `within a day`, `12 days ago`.
pub(super) fn relative(until: SystemTime, now: SystemTime) -> String {
    let plural = |days: i64| if days == 1 { "" } else { "s" };
    match days_left(until, now) {
        0 => "within a day".to_owned(),
        -1 => "within the last day".to_owned(),
        left if left > 0 => format!("in {left} day{}", plural(left)),
        over => format!("{} day{} ago", -1 - over, plural(-1 - over)),
    }
}

/// The number of seconds in a day.
const DAY: u64 = 86_400;
