//! The queues of events from other threads to the workers.

use std::{
    collections::VecDeque,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use portreeve_datastore::TransactionResult;
use portreeve_mib::LookupToken;
use portreeve_snmp_apps::SetToken;
use portreeve_transport::WorkerWaker;

/// A queue of events for one worker. It reuses its memory, so that a steady stream of events needs
/// no allocations.
#[derive(Clone, Default)]
pub(crate) struct WorkerQueue(Arc<Mutex<VecDeque<WorkerEvent>>>);

/// An event that a pending request may be waiting for.
#[derive(Clone, Debug)]
pub(crate) enum WorkerEvent {
    /// The value that this token stands for is available.
    ValueReady(LookupToken),
    /// A SET has been executed.
    SetFinished(SetToken, TransactionResult),
    /// The worker keeps a state that has been replaced.
    StateReplaced,
}

impl WorkerQueue {
    /// Adds an event and wakes the worker.
    pub(crate) fn push(&self, waker: &WorkerWaker, event: WorkerEvent) {
        self.lock().push_back(event);
        waker.wake();
    }

    /// Returns the oldest event.
    pub(crate) fn pop(&self) -> Option<WorkerEvent> {
        self.lock().pop_front()
    }

    /// The queue is always consistent, even after a panic.
    fn lock(&self) -> MutexGuard<'_, VecDeque<WorkerEvent>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The event queues of all workers.
#[derive(Clone, Default)]
pub(crate) struct WorkerQueues(Arc<Mutex<Vec<(WorkerQueue, WorkerWaker)>>>);

impl WorkerQueues {
    pub(crate) fn add(&self, queue: WorkerQueue, waker: WorkerWaker) {
        self.lock().push((queue, waker));
    }

    /// Makes the workers release states that have been replaced.
    pub(crate) fn notify_state_replaced(&self) {
        self.push_to_all(WorkerEvent::StateReplaced);
    }

    pub(crate) fn notify_value_ready(&self, token: LookupToken) {
        self.push_to_all(WorkerEvent::ValueReady(token));
    }

    fn push_to_all(&self, event: WorkerEvent) {
        self.lock().iter().for_each(|(queue, waker)| queue.push(waker, event.clone()));
    }

    /// The list is always consistent, even after a panic.
    fn lock(&self) -> MutexGuard<'_, Vec<(WorkerQueue, WorkerWaker)>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
