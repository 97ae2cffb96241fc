//! Dates, and how far away they are.

use std::time::{Duration, SystemTime};

use time::OffsetDateTime;

/// `2026-11-22`, in UTC.
pub(crate) fn day(at: SystemTime) -> String {
    let date = OffsetDateTime::from(at).date();
    format!("{:04}-{:02}-{:02}", date.year(), u8::from(date.month()), date.day())
}

/// `2026-11-22T10:15:00Z`
pub(super) fn timestamp(at: SystemTime) -> String {
    let (hour, minute, second) = OffsetDateTime::from(at).time().as_hms();
    format!("{}T{hour:02}:{minute:02}:{second:02}Z", day(at))
}

/// Whole days until then; less than nothing where it is over.
pub(crate) fn days_left(until: SystemTime, now: SystemTime) -> i64 {
    let days = |time: Duration| i64::try_from(time.as_secs() / DAY).unwrap_or(i64::MAX);
    match until.duration_since(now) {
        Ok(left) => days(left),
        Err(over) => -1 - days(over.duration()),
    }
}

/// `in 365 days`, `today`, `12 days ago`.
pub(super) fn relative(until: SystemTime, now: SystemTime) -> String {
    let plural = |days: i64| if days == 1 { "" } else { "s" };
    match days_left(until, now) {
        0 => "within a day".to_owned(),
        -1 => "within the last day".to_owned(),
        left if left > 0 => format!("in {left} day{}", plural(left)),
        over => format!("{} day{} ago", -1 - over, plural(-1 - over)),
    }
}

/// Seconds.
const DAY: u64 = 86_400;
