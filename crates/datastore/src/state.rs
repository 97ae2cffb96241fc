//! The published state: everything that readers share, replaced as a whole by each transaction.

use std::sync::{
    Arc, Mutex, PoisonError,
    atomic::{AtomicU64, Ordering},
};

use portreeve_lcd::Lcd;

use crate::{Ticket, TransactionGuard, TransactionLock};

/// The state of the agent after one transaction. Immutable; a request reads everything from one
/// state.
#[derive(Default)]
pub struct State {
    /// The access rights, targets and scalars, compiled for lookups.
    pub lcd: Arc<Lcd>,
    /// The number of transactions that were published before this state.
    pub generation: u64,
}

/// The shared state and the lock that serializes its changes. Clones share both.
#[derive(Clone)]
pub struct Datastore {
    state: StateHandle,
    lock: TransactionLock,
}

impl Datastore {
    /// Shares an initial state as generation 0.
    pub fn new(lcd: Lcd) -> Self {
        Self { state: StateHandle::new(lcd), lock: TransactionLock::default() }
    }

    /// Returns the read access to the state.
    pub fn state(&self) -> &StateHandle {
        &self.state
    }

    /// Returns the lock, to show which transaction holds it.
    pub fn lock(&self) -> &TransactionLock {
        &self.lock
    }

    /// Waits for the lock, behind the transactions that wait already.
    pub fn begin(&self, ticket: Ticket) -> LockedState {
        LockedState { guard: self.lock.acquire(ticket), state: self.state.clone() }
    }
}

/// The state while a transaction holds the lock, which is released when this value is dropped.
/// Only the holder of the lock can publish.
#[must_use = "the lock is released when this value is dropped"]
pub struct LockedState {
    state: StateHandle,
    guard: TransactionGuard,
}

impl LockedState {
    /// Returns the current state, which no other transaction can replace now.
    pub fn current(&self) -> Arc<State> {
        self.state.current()
    }

    /// Makes `lcd` part of the next state, and that state the current one.
    pub fn publish(&mut self, lcd: Lcd) -> Arc<State> {
        self.state.publish(lcd)
    }

    /// Returns the guard of the lock.
    pub fn guard(&self) -> &TransactionGuard {
        &self.guard
    }
}

/// Read access to the current state. Clones refer to the same state.
#[derive(Clone)]
pub struct StateHandle(Arc<Shared>);

impl StateHandle {
    fn new(lcd: Lcd) -> Self {
        let state = State { lcd: Arc::new(lcd), generation: 0 };
        Self(Arc::new(Shared { generation: AtomicU64::new(0), current: Mutex::new(Arc::new(state)) }))
    }

    /// Returns the current state. This function takes a mutex: a worker uses a [`StateReader`] for
    /// its messages.
    pub fn current(&self) -> Arc<State> {
        Arc::clone(&self.0.current.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Creates a reader that starts with the current state.
    pub fn reader(&self) -> StateReader {
        StateReader { cached: self.current(), handle: self.clone() }
    }

    fn publish(&self, lcd: Lcd) -> Arc<State> {
        let mut current = self.0.current.lock().unwrap_or_else(PoisonError::into_inner);
        let state = Arc::new(State { lcd: Arc::new(lcd), generation: current.generation + 1 });
        let replaced = std::mem::replace(&mut *current, Arc::clone(&state));
        // The state was replaced first, so a reader that sees the new generation and then takes the
        // mutex finds the new state.
        self.0.generation.store(state.generation, Ordering::Release);
        drop(current);
        // A large state may be freed here, while no reader waits for the mutex.
        drop(replaced);
        state
    }
}

/// Read access to the current state, cached for one thread.
pub struct StateReader {
    handle: StateHandle,
    cached: Arc<State>,
}

impl StateReader {
    /// Returns the current state. If it has not changed, the call costs only one atomic load.
    #[inline]
    pub fn refresh(&mut self) -> &Arc<State> {
        if self.handle.0.generation.load(Ordering::Acquire) != self.cached.generation {
            self.cached = self.handle.current();
        }
        &self.cached
    }

    /// Returns the state of the last refresh.
    pub fn current(&self) -> &Arc<State> {
        &self.cached
    }
}

struct Shared {
    generation: AtomicU64,
    current: Mutex<Arc<State>>,
}

#[cfg(test)]
mod tests;
