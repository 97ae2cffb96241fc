//! Schedules polls at multiples of the period within the hour of local time.

use std::{
    thread,
    time::{Duration, SystemTime, UNIX_EPOCH},
};

use portreeve_sys::LocalTime;

/// Waits for the end of each period.
#[derive(Debug, Default)]
pub(super) struct Clock {
    /// The end of the current period, since the Unix epoch.
    target: Option<Duration>,
}

impl Clock {
    /// Sleeps until the current period of `period` seconds ends. Returns at once if it has already
    /// ended.
    pub(super) fn wait(&mut self, period: u32) {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let target = match self.target {
            Some(last) => last + Duration::from_secs(u64::from(period)),
            None => {
                let rest = seconds_to_the_hour() % period;
                let rest = if rest == 0 { period } else { rest };
                Duration::from_secs(now.as_secs() + u64::from(rest))
            }
        };
        self.target = Some(target);
        thread::sleep(target.saturating_sub(now));
    }
}

/// Formats the local time: `[14:09:33 11/20]`, or `[14:09 11/20]` without seconds.
pub(super) fn timestamp(with_seconds: bool) -> String {
    let LocalTime { month, day, hour, minute, second, .. } = LocalTime::now();
    if with_seconds {
        format!("[{hour:02}:{minute:02}:{second:02} {month}/{day}]")
    } else {
        format!("[{hour:02}:{minute:02} {month}/{day}]")
    }
}

/// Returns the seconds until the next full hour of local time.
pub(super) fn seconds_to_the_hour() -> u32 {
    let now = LocalTime::now();
    3600_u32.saturating_sub(u32::from(now.minute) * 60 + u32::from(now.second))
}
