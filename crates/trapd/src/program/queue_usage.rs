//! The memory of the notifications that wait to be written.

use std::{
    sync::{Condvar, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

/// The number of octets in the queue, which the worker reserves and the writer releases.
pub(crate) struct QueueUsage {
    octets: Mutex<usize>,
    max_octets: usize,
    released: Condvar,
}

impl QueueUsage {
    /// Creates the usage of an empty queue for this number of octets.
    pub(crate) fn new(max_octets: usize) -> Self {
        Self { octets: Mutex::new(0), max_octets, released: Condvar::new() }
    }

    /// Reserves octets. Returns false if there is no room for them.
    pub(crate) fn reserve(&self, octets: usize) -> bool {
        let mut used = self.lock();
        let has_room = octets <= self.max_octets.saturating_sub(*used);
        if has_room {
            *used += octets;
        }
        has_room
    }

    /// Releases octets that were reserved.
    pub(crate) fn release(&self, octets: usize) {
        let mut used = self.lock();
        *used = used.saturating_sub(octets);
        self.released.notify_all();
    }

    /// Waits until everything is released. The caller reserves nothing more. Returns false if
    /// nothing is released for `max_stall`.
    pub(crate) fn wait_until_empty(&self, max_stall: Duration) -> bool {
        let mut used = self.lock();
        while *used > 0 {
            let before = *used;
            let waited = self.released.wait_timeout_while(used, max_stall, |used| *used == before);
            used = waited.unwrap_or_else(PoisonError::into_inner).0;
            if *used == before {
                return false;
            }
        }
        true
    }

    fn lock(&self) -> MutexGuard<'_, usize> {
        self.octets.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn octets_beyond_the_maximum_are_refused_until_others_are_released() {
        let usage = QueueUsage::new(100);
        assert!(usage.reserve(60) && !usage.reserve(41) && usage.reserve(40));
        usage.release(60);
        assert!(!usage.reserve(usize::MAX) && usage.reserve(60));
    }

    #[test]
    fn wait_ends_when_everything_is_released() {
        let usage = QueueUsage::new(100);
        assert!(usage.wait_until_empty(Duration::ZERO));
        assert!(usage.reserve(100));
        usage.release(1);
        assert!(!usage.wait_until_empty(Duration::ZERO));
        std::thread::scope(|scope| {
            let waiting = scope.spawn(|| usage.wait_until_empty(Duration::from_secs(60)));
            (1..100).for_each(|_| usage.release(1));
            assert!(waiting.join().unwrap());
        });
    }
}
