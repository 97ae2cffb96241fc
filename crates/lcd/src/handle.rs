//! Shares the current snapshot between threads.

use std::{
    fmt,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
};

use crate::Lcd;

/// A shared reference to the current [`Lcd`]. Clones refer to the same snapshot.
#[derive(Clone)]
pub struct LcdHandle(Arc<Shared>);

impl LcdHandle {
    /// Shares an initial snapshot as generation 0.
    pub fn new(lcd: Lcd) -> Self {
        Self(Arc::new(Shared { generation: AtomicU64::new(0), current: Mutex::new(Arc::new(lcd)) }))
    }

    /// Returns the current snapshot. This function takes a lock: use it for changes, but not for
    /// each message.
    pub fn snapshot(&self) -> LcdSnapshot {
        let current = self.0.current.lock().unwrap_or_else(PoisonError::into_inner);
        LcdSnapshot { lcd: Arc::clone(&current), generation: self.0.generation.load(Ordering::Relaxed) }
    }

    /// Makes `lcd` the current snapshot and returns its generation.
    ///
    /// # Errors
    /// Returns [`ConflictError`] if the current generation is not `base_generation`. The current
    /// snapshot then remains unchanged.
    pub fn publish(&self, lcd: Lcd, base_generation: u64) -> Result<u64, ConflictError> {
        let mut current = self.0.current.lock().unwrap_or_else(PoisonError::into_inner);
        if self.0.generation.load(Ordering::Relaxed) != base_generation {
            return Err(ConflictError);
        }
        *current = Arc::new(lcd);
        let generation = base_generation + 1;
        // The snapshot was replaced first, so a reader that sees the new generation and then takes
        // the lock finds the new snapshot.
        self.0.generation.store(generation, Ordering::Release);
        Ok(generation)
    }

    /// Creates a reader that starts with the current snapshot.
    pub fn reader(&self) -> LcdReader {
        LcdReader { cached: self.snapshot(), handle: self.clone() }
    }
}

/// A reference to the current snapshot, cached for one thread.
pub struct LcdReader {
    handle: LcdHandle,
    cached: LcdSnapshot,
}

impl LcdReader {
    /// Returns the current snapshot. If the snapshot has not changed, the call costs only one
    /// atomic load.
    #[inline]
    pub fn refresh(&mut self) -> &Arc<Lcd> {
        if self.handle.0.generation.load(Ordering::Acquire) != self.cached.generation {
            self.cached = self.handle.snapshot();
        }
        &self.cached.lcd
    }

    /// Returns the snapshot of the last refresh.
    pub fn current(&self) -> &Arc<Lcd> {
        &self.cached.lcd
    }

    /// Returns the generation of the snapshot that [`Self::current`] returns. Every published
    /// change increases the generation by one.
    pub fn generation(&self) -> u64 {
        self.cached.generation
    }
}

impl Clone for LcdReader {
    fn clone(&self) -> Self {
        Self { handle: self.handle.clone(), cached: self.cached.clone() }
    }
}

/// A snapshot and its generation.
#[derive(Clone)]
pub struct LcdSnapshot {
    /// The datastore in the state of this snapshot.
    pub lcd: Arc<Lcd>,
    /// The number of changes that were published before this snapshot.
    pub generation: u64,
}

/// Another change was published first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ConflictError;

impl fmt::Display for ConflictError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the configuration datastore has been changed by another request")
    }
}

impl std::error::Error for ConflictError {}

struct Shared {
    generation: AtomicU64,
    current: Mutex<Arc<Lcd>>,
}

#[cfg(test)]
mod tests;
