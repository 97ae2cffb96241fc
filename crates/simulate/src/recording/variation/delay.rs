//! The variation `delay`, which delays responses.

use std::time::Duration;

use super::{Settings, pseudo_random};

/// The delay of responses that contain the instance.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DelayVariation {
    /// The mean delay in milliseconds.
    wait: f64,
    /// The maximum deviation from the mean, in milliseconds.
    deviation: f64,
}

impl DelayVariation {
    pub(super) fn read(mut settings: Settings<'_>) -> Option<Self> {
        let delay = Self {
            wait: settings.number("wait", DEFAULT_WAIT)?,
            deviation: settings.number("deviation", 0.0)?,
        };
        settings.is_empty().then_some(delay)
    }

    /// Returns the delay at this time; `None` if no response is sent. The deviation depends only on
    /// `seed` and `time`.
    pub fn at(&self, time: Duration, seed: u64) -> Option<Duration> {
        let step = u64::try_from(time.as_micros()).unwrap_or(u64::MAX);
        let milliseconds = self.wait + self.deviation * pseudo_random(seed, step);
        (milliseconds <= MAX_WAIT).then(|| Duration::from_secs_f64(milliseconds.max(0.0) / 1000.0))
    }
}

const DEFAULT_WAIT: f64 = 500.0;
/// The longest delay in milliseconds. If a longer one is set, no response is sent.
const MAX_WAIT: f64 = 999_999.0;
