//! One worker's way to the newest snapshot.

use std::sync::Arc;

use portreeve_mib::{Lookup, LookupToken};
use portreeve_smi::Timestamp;

use crate::collector::{Command, Shared};

/// Shows one snapshot per request.
pub struct SnapshotView<S> {
    shared: Arc<Shared<S>>,
    snapshot: Arc<S>,
    generation: u64,
    freshness: Freshness,
}

impl<S> SnapshotView<S> {
    pub(crate) fn new(shared: Arc<Shared<S>>) -> Self {
        let generation = shared.generation();
        let snapshot = shared.newest();
        Self { shared, snapshot, generation, freshness: Freshness::Fresh }
    }

    /// Takes the newest snapshot and judges its age: once per request.
    pub fn begin(&mut self, now: Timestamp) {
        let (read_at, readable) = self.shared.last_read();
        let generation = self.shared.generation();
        if generation != self.generation {
            self.snapshot = self.shared.newest();
            self.generation = generation;
        }
        let (age, refresh) = (now.since(read_at), self.shared.refresh);
        self.freshness = if age > refresh.max_age {
            Freshness::Stale
        } else if !readable {
            Freshness::Failed
        } else if age > refresh.due_after() {
            Freshness::Aging
        } else {
            Freshness::Fresh
        };
    }

    /// The snapshot of this request, unless it is too old to answer from.
    #[inline]
    pub fn read(&mut self) -> Result<&S, SnapshotError> {
        if self.freshness != Freshness::Fresh {
            self.request_refresh()?;
        }
        Ok(&self.snapshot)
    }

    /// Asks for a new snapshot. This request goes on with the one at hand if it may.
    #[cold]
    fn request_refresh(&mut self) -> Result<(), SnapshotError> {
        match self.freshness {
            Freshness::Failed => return Err(SnapshotError::Failed),
            Freshness::Fresh => {}
            Freshness::Aging => {
                self.shared.send_command(Command::Refresh);
                self.freshness = Freshness::Fresh;
            }
            Freshness::Stale => {
                self.shared.send_command(Command::Refresh);
                return Err(SnapshotError::Later(self.shared.refresh.token));
            }
        }
        Ok(())
    }
}

/// Why there is no snapshot to answer from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SnapshotError {
    /// It is being refreshed, which ends with this token.
    Later(LookupToken),
    /// The machine could not be read.
    Failed,
}

impl From<SnapshotError> for Lookup<'_> {
    fn from(error: SnapshotError) -> Self {
        match error {
            SnapshotError::Later(token) => Self::Later(token),
            SnapshotError::Failed => Self::Failed,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Freshness {
    /// Young enough for everybody.
    Fresh,
    /// Young enough to answer from, old enough to refresh.
    Aging,
    /// Too old.
    Stale,
    /// The last reading, not long ago, failed.
    Failed,
}
