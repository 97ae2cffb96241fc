//! Blocks a worker while a test prepares what the worker finds next.

use std::sync::{Condvar, Mutex};

use super::fixture::TEST_TIMEOUT;

/// Blocks the worker that handles a [`BLOCK`](super::fixture::BLOCK) message until the test
/// releases it.
#[derive(Default)]
pub struct Gate {
    counts: Mutex<Counts>,
    changed: Condvar,
}

#[derive(Default)]
struct Counts {
    blocked: u32,
    released: u32,
}

impl Gate {
    /// Blocks the calling worker. Returns after the test timeout, so that a test that has failed
    /// before it releases the worker can end.
    pub fn block(&self) {
        let mut counts = self.counts.lock().unwrap();
        counts.blocked += 1;
        self.changed.notify_all();
        let number = counts.blocked;
        drop(self.changed.wait_timeout_while(counts, TEST_TIMEOUT, |counts| counts.released < number));
    }

    /// Waits until the worker is blocked.
    pub fn wait_until_blocked(&self) {
        let counts = self.counts.lock().unwrap();
        let is_running = |counts: &mut Counts| counts.blocked == counts.released;
        let (counts, _) = self.changed.wait_timeout_while(counts, TEST_TIMEOUT, is_running).unwrap();
        assert!(counts.blocked > counts.released, "the worker is not blocked");
    }

    /// Releases the blocked worker.
    pub fn release(&self) {
        self.counts.lock().unwrap().released += 1;
        self.changed.notify_all();
    }
}
