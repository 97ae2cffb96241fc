//! Group commit: batches that are drafted on one another are made durable with one sync.

use std::fmt;
use std::io;
use std::sync::{Arc, Mutex};

use crate::error::{GroupError, StoreError};
use crate::failures::WriteFailures;
use crate::journal::Journal;
use crate::record::Batch;

/// Makes batches durable. Clones share the directory, which is unlocked when the last one is
/// dropped.
#[derive(Clone)]
pub struct Writer {
    journal: Arc<Mutex<Journal>>,
    failures: WriteFailures,
}

impl Writer {
    /// Starts the thread that writes snapshots.
    pub(crate) fn start(journal: Journal) -> io::Result<Self> {
        let journal = Arc::new(Mutex::new(journal.start_thread()?));
        Ok(Self { journal, failures: WriteFailures::default() })
    }

    /// Returns the record of failed writes. It does not keep the directory locked.
    #[must_use]
    pub fn failures(&self) -> WriteFailures {
        self.failures.clone()
    }

    /// Makes batches durable in their order, all with one sync, and waits for it.
    ///
    /// # Errors
    /// Returns an error if not all batches are durable. If the batches cannot be written together,
    /// they are written one after another until the first failure. The first
    /// [`durable`](GroupError::durable) batches are then durable. The others are not applied. If
    /// they cannot be removed from the disk either, they [may reappear](StoreError::may_reappear).
    pub fn commit_group(&self, batches: Vec<Batch>) -> Result<(), GroupError> {
        let result = match self.journal.lock() {
            Ok(mut journal) => {
                let result = journal.commit_group(batches);
                journal.compact_if_due();
                result
            }
            // After a panic the state of the journal is unknown, so that it is not used any more.
            Err(_) => Err(GroupError { durable: 0, error: StoreError::Closed }),
        };
        if let Err(failed) = &result {
            self.failures.record(&failed.error);
        }
        result
    }
}

impl fmt::Debug for Writer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Writer").field("failures", &self.failures).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests;
