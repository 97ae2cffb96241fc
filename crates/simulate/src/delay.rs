//! The time that answers take because of what is in them: between what shows the values and who sends the answer.

use std::{
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering::Relaxed},
    },
    time::Duration,
};

/// Adds up while one request is answered. All agents of one thread share it, as they answer one after the other.
#[derive(Clone, Debug, Default)]
pub(crate) struct Delay(Arc<AtomicU64>);

/// What an answer has taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// So long.
    After(Duration),
    /// There is no answer.
    NoResponse,
}

impl Default for Verdict {
    fn default() -> Self {
        Self::After(Duration::ZERO)
    }
}

impl Delay {
    /// One value takes so long, or for ever.
    pub(crate) fn add(&self, time: Option<Duration>) {
        let micros = time.and_then(|time| u64::try_from(time.as_micros()).ok()).unwrap_or(NEVER);
        self.0.store(self.0.load(Relaxed).saturating_add(micros), Relaxed);
    }

    /// What has come together since it was asked last.
    pub(crate) fn take(&self) -> Verdict {
        // Never set at the same time: only one thread has it.
        match self.0.load(Relaxed) {
            0 => Verdict::default(),
            micros => {
                self.0.store(0, Relaxed);
                if micros == NEVER {
                    Verdict::NoResponse
                } else {
                    Verdict::After(Duration::from_micros(micros))
                }
            }
        }
    }
}

const NEVER: u64 = u64::MAX;
