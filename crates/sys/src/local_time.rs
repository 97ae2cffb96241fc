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
        let mut parts = MaybeUninit::<libc::tm>::zeroed();
        // SAFETY: with a null pointer, `time` only returns its result. `localtime_r` fills `parts`,
        // or leaves it zeroed if it fails, which is also a valid `tm`.
        let parts = unsafe {
            let now = libc::time(std::ptr::null_mut());
            libc::localtime_r(&raw const now, parts.as_mut_ptr());
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
