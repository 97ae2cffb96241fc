//! The time of receipt.

use std::time::{SystemTime, UNIX_EPOCH};

use portreeve_sys::LocalTime;

use crate::{CalendarTime, ReceptionTime};

/// The clock of the times of receipt. The date is computed once for each second, because storms
/// have many notifications in a second.
#[derive(Default)]
pub(crate) struct ReceptionClock {
    last: Option<ReceptionTime>,
}

impl ReceptionClock {
    /// Returns the current time.
    pub(crate) fn now(&mut self) -> ReceptionTime {
        let unix = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs();
        match self.last {
            Some(last) if last.unix == unix => last,
            _ => *self.last.insert(read(unix)),
        }
    }
}

fn read(unix: u64) -> ReceptionTime {
    let LocalTime { year, month, day, hour, minute, second } = LocalTime::at(unix);
    let local = CalendarTime {
        year,
        month: month.into(),
        day: day.into(),
        hour: hour.into(),
        minute: minute.into(),
        second: second.into(),
    };
    ReceptionTime { unix, local, utc: utc(unix) }
}

/// Returns the date and time in UTC of a number of seconds since 1970.
fn utc(unix: u64) -> CalendarTime {
    let (days, seconds) = (unix / 86_400, unix % 86_400);
    let small = |number: u64| u32::try_from(number).unwrap_or(u32::MAX);
    // Years begin in March here, so that the leap day is the last day of a year.
    let days = days + 719_468;
    let (era, day_of_era) = (days / 146_097, days % 146_097);
    let year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month = (5 * day_of_year + 2) / 153;
    let (month, after) = if month < 10 { (month + 3, 0) } else { (month - 9, 1) };
    let first = (153 * if month > 2 { month - 3 } else { month + 9 } + 2) / 5;
    CalendarTime {
        year: small(era * 400 + year_of_era + after),
        month: small(month),
        day: small(day_of_year - first + 1),
        hour: small(seconds / 3600),
        minute: small(seconds / 60 % 60),
        second: small(seconds % 60),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clock_returns_the_same_second_for_all_three_times() {
        let mut clock = ReceptionClock::default();
        for _ in 0..2 {
            let ReceptionTime { unix, local, utc } = clock.now();
            assert_eq!(u64::from(utc.second), unix % 60);
            assert_eq!(local.second, utc.second);
            // The date of another second is computed again.
            clock.last = Some(ReceptionTime { unix: 0, local, utc: super::utc(0) });
        }
    }

    #[test]
    fn date_is_that_of_the_gregorian_calendar() {
        let at = |unix| {
            let CalendarTime { year, month, day, hour, minute, second } = utc(unix);
            (year, month, day, hour, minute, second)
        };
        assert_eq!(at(0), (1970, 1, 1, 0, 0, 0));
        assert_eq!(at(951_782_399), (2000, 2, 28, 23, 59, 59));
        assert_eq!(at(951_782_400), (2000, 2, 29, 0, 0, 0));
        assert_eq!(at(1_709_251_199), (2024, 2, 29, 23, 59, 59));
        assert_eq!(at(1_735_689_599), (2024, 12, 31, 23, 59, 59));
        assert_eq!(at(4_107_542_400), (2100, 3, 1, 0, 0, 0));
    }
}
