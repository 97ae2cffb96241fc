//! The delay of a response caused by the variables in it.

use std::{
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering::Relaxed},
    },
    time::Duration,
};

/// The sum of delays while one request is processed. All agents of a thread share it, because they
/// process one request at a time.
#[derive(Clone, Debug, Default)]
pub(crate) struct Delay(Arc<AtomicU64>);

/// The decision if and when a response is sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// The response is sent after this time.
    After(Duration),
    /// No response is sent.
    NoResponse,
}

impl Default for Verdict {
    fn default() -> Self {
        Self::After(Duration::ZERO)
    }
}

impl Delay {
    /// Adds the delay of one value; `None` means that no response is sent.
    pub(crate) fn add(&self, time: Option<Duration>) {
        let micros = time.and_then(|time| u64::try_from(time.as_micros()).ok()).unwrap_or(NEVER);
        self.0.store(self.0.load(Relaxed).saturating_add(micros), Relaxed);
    }

    /// Returns the sum and resets it.
    pub(crate) fn take(&self) -> Verdict {
        // Loading and storing separately is not a race, because only one thread accesses the sum.
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
