//! A limit for the memory of notifications that wait.

use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering},
};

/// Memory that waiting notifications share. Clones refer to the same memory.
#[derive(Clone)]
pub(crate) struct Room {
    used: Arc<AtomicUsize>,
    max: usize,
}

/// A part of the memory, which is returned when the value is dropped.
pub(crate) struct RoomShare {
    used: Arc<AtomicUsize>,
    octets: usize,
}

impl Room {
    pub(crate) fn new(max: usize) -> Self {
        Self { used: Arc::default(), max }
    }

    /// Takes a part of the memory; `None` if not enough is left.
    pub(crate) fn take(&self, octets: usize) -> Option<RoomShare> {
        let add = |used: usize| used.checked_add(octets).filter(|sum| *sum <= self.max);
        self.used.fetch_update(Ordering::Relaxed, Ordering::Relaxed, add).ok()?;
        Some(RoomShare { used: Arc::clone(&self.used), octets })
    }
}

impl Drop for RoomShare {
    fn drop(&mut self) {
        self.used.fetch_sub(self.octets, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_never_exceed_the_memory_and_are_returned_when_dropped() {
        let room = Room::new(100);
        let first = room.take(60).unwrap();
        assert!(room.take(41).is_none() && room.take(usize::MAX).is_none());
        let second = room.clone().take(40).unwrap();
        assert!(room.take(1).is_none());
        drop((first, second));
        assert!(room.take(100).is_some());
    }
}
