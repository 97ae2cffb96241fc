//! The time of day where this machine is; std knows only the epoch.

use std::mem::MaybeUninit;

/// A moment as a clock on the wall shows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LocalTime {
    /// From 1.
    pub month: u8,
    /// From 1.
    pub day: u8,
    /// 0 to 23.
    pub hour: u8,
    /// 0 to 59.
    pub minute: u8,
    /// 0 to 60.
    pub second: u8,
}

impl LocalTime {
    /// Now, in the zone that `TZ` or `/etc/localtime` name.
    pub fn now() -> Self {
        let mut parts = MaybeUninit::<libc::tm>::zeroed();
        // SAFETY: a null pointer asks `time` only for its result; `parts` is a `tm` of ours that `localtime_r` fills,
        // and zeros, which it leaves where it fails, are a `tm` too.
        let parts = unsafe {
            let now = libc::time(std::ptr::null_mut());
            libc::localtime_r(&raw const now, parts.as_mut_ptr());
            parts.assume_init()
        };
        let small = |number: libc::c_int| u8::try_from(number).unwrap_or_default();
        Self {
            month: small(parts.tm_mon + 1),
            day: small(parts.tm_mday),
            hour: small(parts.tm_hour),
            minute: small(parts.tm_min),
            second: small(parts.tm_sec),
        }
    }
}
