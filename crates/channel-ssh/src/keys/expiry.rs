//! Parses `expiry-time`: `YYYYMMDD`, `YYYYMMDDHHMM` or `YYYYMMDDHHMMSS`, with `Z` for UTC.
//!
//! A time without `Z` is a local time, but the time zone is not known here. Such a time is
//! interpreted in the easternmost time zone, fourteen hours ahead of UTC: it is safer to refuse a
//! key too early than to accept it too late.

/// Returns the expiry time in seconds since 1970; `None` if the text is invalid.
pub(super) fn parse(text: &str) -> Option<u64> {
    let (digits, utc) = text.strip_suffix(['Z', 'z']).map_or((text, false), |digits| (digits, true));
    if !digits.bytes().all(|byte| byte.is_ascii_digit()) || !matches!(digits.len(), 8 | 12 | 14) {
        return None;
    }
    let field = |range: std::ops::Range<usize>| match digits.get(range) {
        None => Some(0),
        Some(digits) => digits.parse::<u64>().ok(),
    };
    let (year, month, day) = (field(0..4)?, field(4..6)?, field(6..8)?);
    let (hour, minute, second) = (field(8..10)?, field(10..12)?, field(12..14)?);
    if year < 1970 || day == 0 || day > days_of(year, month)? || hour > 23 || minute > 59 || second > 60 {
        return None;
    }
    let days =
        days_before_year(year) + (1..month).filter_map(|month| days_of(year, month)).sum::<u64>() + day - 1;
    let seconds = ((days * 24 + hour) * 60 + minute) * 60 + second;
    Some(if utc { seconds } else { seconds.saturating_sub(MAX_UTC_OFFSET) })
}

/// Returns the number of days from 1970 to January 1 of the year.
fn days_before_year(year: u64) -> u64 {
    (1970..year).map(|year| if is_leap(year) { 366 } else { 365 }).sum()
}

fn days_of(year: u64, month: u64) -> Option<u64> {
    Some(match month {
        1 | 3 | 5 | 7 | 8 | 10 | 12 => 31,
        4 | 6 | 9 | 11 => 30,
        2 if is_leap(year) => 29,
        2 => 28,
        _ => return None,
    })
}

fn is_leap(year: u64) -> bool {
    year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400))
}

/// Offset of the easternmost time zone from UTC in seconds.
const MAX_UTC_OFFSET: u64 = 14 * 3600;

#[cfg(test)]
mod tests;
