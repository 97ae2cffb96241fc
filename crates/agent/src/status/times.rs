//! Times of the status as text.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// Formats a time in UTC, as in RFC 3339 and in the log: `2026-11-23T02:00:00Z`.
pub(super) fn utc(time: SystemTime) -> String {
    let seconds = time.duration_since(UNIX_EPOCH).unwrap_or_default().as_secs();
    let (year, month, day) = civil_date(seconds / SECONDS_PER_DAY);
    let (hour, minute, second) = (seconds / 3600 % 24, seconds / 60 % 60, seconds % 60);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}Z")
}

/// Formats a duration: `0.123 s`, `12 s`, `3 min 5 s`, `4 h 3 min` or `2 d 4 h`.
pub(super) fn span(duration: Duration) -> String {
    let seconds = duration.as_secs();
    let (days, hours, minutes) = (seconds / SECONDS_PER_DAY, seconds / 3600 % 24, seconds / 60 % 60);
    match (days, hours, minutes, seconds) {
        (0, 0, 0, 0..=9) => format!("{:.3} s", duration.as_secs_f64()),
        (0, 0, 0, _) => format!("{seconds} s"),
        (0, 0, _, _) => format!("{minutes} min {} s", seconds % 60),
        (0, _, _, _) => format!("{hours} h {minutes} min"),
        (_, _, _, _) => format!("{days} d {hours} h"),
    }
}

/// Returns year, month and day of the Gregorian calendar, from days since the Unix epoch.
///
/// Years begin in March here, so that the leap day is the last day of a year. A cycle of 400 years
/// has 146 097 days.
fn civil_date(days: u64) -> (u64, u64, u64) {
    let days = days + DAYS_BEFORE_EPOCH;
    let (cycle, day_of_cycle) = (days / 146_097, days % 146_097);
    let leap_days = day_of_cycle / 1460 - day_of_cycle / 36_524 + day_of_cycle / 146_096;
    let year_of_cycle = (day_of_cycle - leap_days) / 365;
    let day_of_year = day_of_cycle - (365 * year_of_cycle + year_of_cycle / 4 - year_of_cycle / 100);
    // Five months from March or August have 153 days.
    let month_from_march = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month_from_march + 2) / 5 + 1;
    let month = if month_from_march < 10 { month_from_march + 3 } else { month_from_march - 9 };
    (cycle * 400 + year_of_cycle + u64::from(month <= 2), month, day)
}

const SECONDS_PER_DAY: u64 = 86_400;
/// Days from 1 March of the year 0 to the Unix epoch.
const DAYS_BEFORE_EPOCH: u64 = 719_468;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn utc_time_is_formatted_for_leap_years_and_ends_of_months() {
        for (seconds, expected) in [
            (0, "1970-01-01T00:00:00Z"),
            (951_782_399, "2000-02-28T23:59:59Z"),
            (951_782_400, "2000-02-29T00:00:00Z"),
            (951_868_800, "2000-03-01T00:00:00Z"),
            (1_709_164_800, "2024-02-29T00:00:00Z"),
            (1_735_689_599, "2024-12-31T23:59:59Z"),
            (4_107_542_400, "2100-03-01T00:00:00Z"),
        ] {
            assert_eq!(utc(UNIX_EPOCH + Duration::from_secs(seconds)), expected);
        }
    }

    #[test]
    fn duration_is_formatted_with_two_units() {
        for (milliseconds, expected) in [
            (12, "0.012 s"),
            (12_345, "12 s"),
            (185_000, "3 min 5 s"),
            (4 * 3_600_000 + 185_000, "4 h 3 min"),
            (52 * 3_600_000, "2 d 4 h"),
        ] {
            assert_eq!(span(Duration::from_millis(milliseconds)), expected);
        }
    }
}
