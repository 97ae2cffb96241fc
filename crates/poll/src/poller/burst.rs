//! How much may be asked at once by all peers together.
//!
//! Answers that come at the same moment have to fit the sockets' receive buffers. A place is given back by an answer,
//! or after a moment: whoever does not answer within it will not answer together with the others either.

use std::time::Duration;

use portreeve_smi::Timestamp;

/// Places for messages that may be answered any moment.
pub(super) struct Burst {
    free: u32,
    refilled: Timestamp,
}

impl Default for Burst {
    fn default() -> Self {
        Self { free: PLACES, refilled: Timestamp::ZERO }
    }
}

impl Burst {
    /// Whether a message may leave now.
    pub(super) fn allows(&mut self, now: Timestamp) -> bool {
        if now.since(self.refilled) >= MOMENT {
            *self = Self { free: PLACES, refilled: now };
        }
        self.free > 0
    }

    pub(super) fn take(&mut self) {
        self.free = self.free.saturating_sub(1);
    }

    pub(super) fn give_back(&mut self) {
        self.free = (self.free + 1).min(PLACES);
    }

    /// When a message may leave at the latest.
    pub(super) fn next(&self, now: Timestamp) -> Timestamp {
        if self.free > 0 { now } else { self.refilled + MOMENT }
    }
}

/// About what the kernel's usual receive buffer holds of full-size answers.
const PLACES: u32 = 64;
/// Longer than agents nearby take to answer.
const MOMENT: Duration = Duration::from_millis(10);
