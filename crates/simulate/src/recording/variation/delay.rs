//! `delay`: the agent takes its time.

use std::time::Duration;

use super::{Settings, pseudo_random};

/// How long an answer takes that has the instance in it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DelayVariation {
    /// Milliseconds.
    wait: f64,
    /// By how many milliseconds it differs at most.
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

    /// How long it takes this time; `None` where there is no answer. What is due to chance follows from `seed` and
    /// `time`.
    pub fn at(&self, time: Duration, seed: u64) -> Option<Duration> {
        let step = u64::try_from(time.as_micros()).unwrap_or(u64::MAX);
        let milliseconds = self.wait + self.deviation * pseudo_random(seed, step);
        (milliseconds <= MAX_WAIT).then(|| Duration::from_secs_f64(milliseconds.max(0.0) / 1000.0))
    }
}

const DEFAULT_WAIT: f64 = 500.0;
/// Who is to wait for longer waits for ever.
const MAX_WAIT: f64 = 999_999.0;
