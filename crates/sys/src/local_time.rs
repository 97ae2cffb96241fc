//! The local time of day. std supports only the time since the Unix epoch.

use std::mem::MaybeUninit;

/// A local date and time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LocalTime {
    /// The year.
    pub year: u32,
    /// The month, from 1.
    pub month: u8,
    /// The day of the month, from 1.
    pub day: u8,
    /// The hour, 0 to 23.
    pub hour: u8,
    /// The minute, 0 to 59.
    pub minute: u8,
    /// The second, 0 to 60.
    pub second: u8,
}

impl LocalTime {
    /// Returns the current time in the time zone of `TZ` or `/etc/localtime`.
    pub fn now() -> Self {
        // SAFETY: with a null pointer, `time` only returns its result.
        Self::of(unsafe { libc::time(std::ptr::null_mut()) })
    }

    /// Returns the time `unix` seconds after 1970 in the same time zone.
    pub fn at(unix: u64) -> Self {
        Self::of(libc::time_t::try_from(unix).unwrap_or(libc::time_t::MAX))
    }

    fn of(unix: libc::time_t) -> Self {
        let mut parts = MaybeUninit::<libc::tm>::zeroed();
        // SAFETY: `localtime_r` fills `parts`, or leaves it zeroed if it fails, which is also a
        // valid `tm`.
        let parts = unsafe {
            libc::localtime_r(&raw const unix, parts.as_mut_ptr());
            parts.assume_init()
        };
        let small = |number: libc::c_int| u8::try_from(number).unwrap_or_default();
        Self {
            year: u32::try_from(parts.tm_year + 1900).unwrap_or_default(),
            month: small(parts.tm_mon + 1),
            day: small(parts.tm_mday),
            hour: small(parts.tm_hour),
            minute: small(parts.tm_min),
            second: small(parts.tm_sec),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::LocalTime;

    /// The offset of a time zone is at most 14 hours, and a multiple of a minute since 1972.
    #[test]
    fn time_of_a_second_differs_from_utc_only_by_the_time_zone() {
        let LocalTime { year, month, day, minute, second, .. } = LocalTime::at(1_709_251_199);
        assert!((year, month) == (2024, 2) || (year, month) == (2024, 3), "{year}-{month}");
        assert!(day == 29 || day == 1, "{day}");
        assert!(minute < 60 && second == 59, "{minute}:{second}");
        assert_eq!(LocalTime::at(1_709_251_200).second, 0);
    }
}
