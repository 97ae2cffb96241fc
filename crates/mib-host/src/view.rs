//! One worker's way to the newest snapshot.

use std::sync::Arc;

use portreeve_mib::{Lookup, Token};
use portreeve_smi::Timestamp;

use crate::collector::{Shared, Wish};

/// Shows one snapshot per request.
pub struct View<S> {
    shared: Arc<Shared<S>>,
    snapshot: Arc<S>,
    generation: u64,
    standing: Standing,
}

impl<S> View<S> {
    pub(crate) fn new(shared: Arc<Shared<S>>) -> Self {
        let generation = shared.generation();
        let snapshot = shared.newest();
        Self { shared, snapshot, generation, standing: Standing::Fresh }
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
        self.standing = if age > refresh.max_age {
            Standing::Stale
        } else if !readable {
            Standing::Failed
        } else if age > refresh.due_after() {
            Standing::Aging
        } else {
            Standing::Fresh
        };
    }

    /// The snapshot of this request, unless it is too old to answer from.
    #[inline]
    pub fn read(&mut self) -> Result<&S, Unready> {
        if self.standing != Standing::Fresh {
            self.want()?;
        }
        Ok(&self.snapshot)
    }

    /// Asks for a new snapshot. This request goes on with the one at hand if it may.
    #[cold]
    fn want(&mut self) -> Result<(), Unready> {
        match self.standing {
            Standing::Failed => return Err(Unready::Failed),
            Standing::Fresh => {}
            Standing::Aging => {
                self.shared.wish(Wish::Refresh);
                self.standing = Standing::Fresh;
            }
            Standing::Stale => {
                self.shared.wish(Wish::Refresh);
                return Err(Unready::Later(self.shared.refresh.token));
            }
        }
        Ok(())
    }
}

/// Why there is no snapshot to answer from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unready {
    /// It is being refreshed, which ends with this token.
    Later(Token),
    /// The machine could not be read.
    Failed,
}

impl From<Unready> for Lookup<'_> {
    fn from(unready: Unready) -> Self {
        match unready {
            Unready::Later(token) => Self::Later(token),
            Unready::Failed => Self::Failed,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Standing {
    /// Young enough for everybody.
    Fresh,
    /// Young enough to answer from, old enough to refresh.
    Aging,
    /// Too old.
    Stale,
    /// The last reading, not long ago, failed.
    Failed,
}
