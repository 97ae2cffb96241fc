//! The failed writes of a running store, for the status of the agent.

use std::fmt::Display;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::SystemTime;

/// The failed writes since the writer started. Clones share the record.
#[derive(Clone, Debug, Default)]
pub struct WriteFailures(Arc<Mutex<Record>>);

/// A failed write.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct WriteFailure {
    /// The time of the failure.
    pub time: SystemTime,
    /// The error.
    pub reason: String,
}

impl WriteFailures {
    /// Returns the number of failed writes.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).count
    }

    /// Returns the last failed write.
    #[must_use]
    pub fn last(&self) -> Option<WriteFailure> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).last.clone()
    }

    pub(crate) fn record(&self, error: &impl Display) {
        let failure = WriteFailure { time: SystemTime::now(), reason: error.to_string() };
        let mut record = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        record.count += 1;
        record.last = Some(failure);
    }
}

#[derive(Debug, Default)]
struct Record {
    count: u64,
    last: Option<WriteFailure>,
}
