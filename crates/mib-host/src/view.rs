//! One worker's access to the newest snapshot.

use std::sync::Arc;

use portreeve_mib::{Lookup, LookupToken};
use portreeve_smi::Timestamp;

use crate::collector::{Command, Shared};

/// One worker's view of the newest snapshot. A request uses the same snapshot until it ends.
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

    /// Starts a request. Its first read takes the newest snapshot and checks its age, because most
    /// requests read few of a worker's views.
    #[inline]
    pub fn begin(&mut self, now: Timestamp) {
        self.freshness = Freshness::Unchecked(now);
    }

    /// Takes the newest snapshot and checks its age.
    fn take_newest(&mut self, now: Timestamp) {
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

    /// Returns the snapshot of this request.
    ///
    /// # Errors
    /// Returns an error if the snapshot is too old, or if the machine could not be read.
    #[inline]
    pub fn read(&mut self) -> Result<&S, SnapshotError> {
        if let Freshness::Unchecked(now) = self.freshness {
            self.take_newest(now);
        }
        if self.freshness != Freshness::Fresh {
            self.request_refresh()?;
        }
        Ok(&self.snapshot)
    }

    /// Requests a new snapshot. This request continues with the current one if it is not too old.
    #[cold]
    fn request_refresh(&mut self) -> Result<(), SnapshotError> {
        match self.freshness {
            Freshness::Failed => return Err(SnapshotError::Failed),
            Freshness::Unchecked(_) | Freshness::Fresh => {}
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

/// The reason why there is no usable snapshot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SnapshotError {
    /// The snapshot is being refreshed. The token is announced afterwards.
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
    /// The request that began at this time has not read the snapshot.
    Unchecked(Timestamp),
    /// The snapshot is recent enough.
    Fresh,
    /// The snapshot is recent enough to be used, but old enough to be refreshed.
    Aging,
    /// The snapshot is too old.
    Stale,
    /// The last read of the machine was recent but failed.
    Failed,
}
