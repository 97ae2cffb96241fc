//! What other threads tell a worker.

use std::{
    collections::VecDeque,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use portreeve_mib::Token;
use portreeve_transport::WorkerWaker;

/// A queue of tidings for one worker. Keeps its memory, so that a steady stream allocates nothing.
#[derive(Clone, Default)]
pub(crate) struct Inbox(Arc<Mutex<VecDeque<Tiding>>>);

/// Something a worker's requests may be waiting for.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Tiding {
    /// A value is at hand.
    Announced(Token),
    /// Records are durable, or never will be.
    Durable(Token, bool),
}

impl Inbox {
    /// Leaves word and has the worker look.
    pub(crate) fn tell(&self, waker: &WorkerWaker, tiding: Tiding) {
        self.lock().push_back(tiding);
        waker.wake();
    }

    /// The oldest tiding.
    pub(crate) fn take(&self) -> Option<Tiding> {
        self.lock().pop_front()
    }

    /// A queue is whole at any moment, also after a panic.
    fn lock(&self) -> MutexGuard<'_, VecDeque<Tiding>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
