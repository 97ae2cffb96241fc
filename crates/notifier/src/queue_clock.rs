//! The clock by which stored informs age.

use std::{cell::Cell, time::Duration};

use portreeve_smi::Timestamp;

/// A clock that never jumps, also across restarts. Informs are stored with its reading, in seconds
/// since 1970 as the system's clock had them when the queues were last empty.
///
/// While the agent runs, the clock advances with the agent's clock. The offset of the system's
/// clock is stored whenever that clock is set, so that setting it changes no age. At the start, the
/// clock continues from the system's clock and the stored offset. It continues from its last known
/// reading instead if the system's clock is behind that, or more than [`MAX_OUTAGE`] ahead.
pub(crate) struct QueueClock {
    /// The reading at the time `started` of the agent's clock.
    start: u64,
    started: Timestamp,
    /// The seconds by which the system's clock is ahead, as they were last stored; `None` if they
    /// may not be stored.
    stored_offset: Cell<Option<i64>>,
}

impl QueueClock {
    /// Continues the clock of the last run. `newest` is the last reading that was stored with an
    /// inform, and `wall` the time of the system's clock.
    pub(crate) fn resume(offset: i64, newest: Option<u64>, wall: u64, now: Timestamp) -> Self {
        let start = newest.map_or(wall, |newest| {
            let outage = wall.saturating_add_signed(offset.saturating_neg()).saturating_sub(newest);
            newest.saturating_add(if outage <= MAX_OUTAGE.as_secs() { outage } else { 0 })
        });
        Self { start, started: now, stored_offset: Cell::new(Some(offset)) }
    }

    /// Returns the reading at a time of the agent's clock.
    pub(crate) fn reading(&self, time: Timestamp) -> u64 {
        self.start.saturating_add(time.since(self.started).as_secs())
    }

    /// Returns the age of an inform that was stored with this reading.
    pub(crate) fn age(&self, stored_at: u64, now: Timestamp) -> Duration {
        Duration::from_secs(self.reading(now).saturating_sub(stored_at))
    }

    /// Returns the offset that must be stored, because the system's clock was set.
    pub(crate) fn changed_offset(&self, wall: u64, now: Timestamp) -> Option<i64> {
        let offset = difference(wall, self.reading(now));
        let is_same = |stored: i64| stored.abs_diff(offset) <= TOLERANCE;
        (!self.stored_offset.get().is_some_and(is_same)).then_some(offset)
    }

    /// Records the offset that is being stored; `None` if it could not be stored.
    pub(crate) fn set_stored_offset(&self, offset: Option<i64>) {
        self.stored_offset.set(offset);
    }
}

fn difference(left: u64, right: u64) -> i64 {
    let magnitude = i64::try_from(left.abs_diff(right)).unwrap_or(i64::MAX);
    if left < right { -magnitude } else { magnitude }
}

/// The maximum time between two runs that counts. A system's clock that advances by more was
/// probably set.
const MAX_OUTAGE: Duration = Duration::from_secs(366 * 86_400);
/// The seconds by which the offset may change without being stored: readings are whole seconds.
const TOLERANCE: u64 = 2;
