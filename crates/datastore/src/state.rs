//! The published state: everything that readers share, replaced as a whole by each transaction.

use std::sync::{
    Arc, Mutex, MutexGuard, PoisonError,
    atomic::{AtomicU64, Ordering},
};

use portreeve_lcd::Lcd;

use crate::{Model, RunningLock, Ticket, TransactionGuard, TransactionLock, Tree, proposed_state::NextState};

/// The state of the agent after one transaction. Immutable; a request reads everything from one
/// state.
#[derive(Default)]
pub struct State {
    /// The access rights, targets and scalars, compiled for lookups.
    pub lcd: Arc<Lcd>,
    /// The data of the YANG modules. It is valid.
    pub tree: Tree,
    /// The number of transactions that were published before this state.
    pub generation: u64,
}

/// The shared state and the lock that serializes its changes. Clones share both.
#[derive(Clone)]
pub struct Datastore {
    state: StateHandle,
    lock: TransactionLock,
    running_lock: RunningLock,
    model: Arc<Model>,
}

impl Datastore {
    /// Shares an initial state as generation 0. The tree has to be valid and consistent with the
    /// tables.
    pub fn new(lcd: Lcd, tree: Tree, model: Arc<Model>) -> Self {
        Self {
            state: StateHandle::new(lcd, tree),
            lock: TransactionLock::default(),
            running_lock: RunningLock::default(),
            model,
        }
    }

    /// Shares an initial state of a program without YANG.
    pub fn without_yang(lcd: Lcd) -> Self {
        Self::new(lcd, Tree::new(), Arc::new(Model::empty()))
    }

    /// Returns the meaning of the data tree.
    pub fn model(&self) -> &Arc<Model> {
        &self.model
    }

    /// Returns the lock of a NETCONF session on the running configuration.
    pub fn running_lock(&self) -> &RunningLock {
        &self.running_lock
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

    /// Publishes a state with these tables and this tree, which has to be valid and consistent with
    /// the tables ([`Model::follow_tables`]).
    pub fn publish(&mut self, lcd: Lcd, tree: Tree) -> Arc<State> {
        self.publish_next(NextState { lcd: Arc::new(lcd), tree })
    }

    /// Publishes a state with these tables and the current tree, in a program without YANG.
    pub fn publish_tables(&mut self, lcd: Lcd) -> Arc<State> {
        let tree = self.current().tree.clone();
        self.publish(lcd, tree)
    }

    pub(crate) fn publish_next(&mut self, next: NextState) -> Arc<State> {
        self.state.publish(next)
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
    fn new(lcd: Lcd, tree: Tree) -> Self {
        let state = State { lcd: Arc::new(lcd), tree, generation: 0 };
        Self(Arc::new(Shared {
            generation: AtomicU64::new(0),
            current: Mutex::new(Arc::new(state)),
            replaced: Mutex::new(Vec::new()),
        }))
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

    fn publish(&self, NextState { lcd, tree }: NextState) -> Arc<State> {
        let mut current = self.0.current.lock().unwrap_or_else(PoisonError::into_inner);
        let state = Arc::new(State { lcd, tree, generation: current.generation + 1 });
        let replaced = std::mem::replace(&mut *current, Arc::clone(&state));
        // Before the generation: no reader can be the last to release the replaced state.
        self.0.replaced().push(replaced);
        // The state was replaced first, so a reader that sees the new generation and then takes the
        // mutex finds the new state.
        self.0.generation.store(state.generation, Ordering::Release);
        state
    }

    /// Frees replaced states that no reader uses any more. Returns the number of those that are
    /// still used.
    ///
    /// A thread that has time calls this: freeing a large tree takes long, and a reader that
    /// releases a state never frees it.
    pub fn free_replaced(&self) -> usize {
        let unused: Vec<_>;
        let mut replaced = self.0.replaced();
        // The handle returns no replaced state, so that the count cannot increase.
        (unused, *replaced) =
            std::mem::take(&mut *replaced).into_iter().partition(|state| Arc::strong_count(state) == 1);
        let used = replaced.len();
        // The states are freed while no other thread waits for the mutex.
        drop(replaced);
        drop(unused);
        used
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
    /// Earlier states that readers may still use.
    replaced: Mutex<Vec<Arc<State>>>,
}

impl Shared {
    fn replaced(&self) -> MutexGuard<'_, Vec<Arc<State>>> {
        self.replaced.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests;
