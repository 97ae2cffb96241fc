//! The thread that owns the map.

use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};

use super::{SnapshotKeeper, SnapshotRequest, SnapshotStatus};
use crate::format::encoded_len;
use crate::record::Batch;

/// Sends work to the thread, which ends when this is dropped.
pub(crate) struct KeeperThread {
    orders: Option<Sender<Order>>,
    shared: Arc<Shared>,
    handle: Option<JoinHandle<()>>,
    max_backlog: usize,
}

enum Order {
    Apply { batches: Vec<Batch>, octets: usize },
    Write(SnapshotRequest),
    Rewrite { request: SnapshotRequest, done: Sender<io::Result<()>> },
}

/// The state that both threads use.
struct Shared {
    state: Mutex<State>,
    /// Notified when the backlog becomes smaller, and when the thread ends.
    applied: Condvar,
}

struct State {
    /// The size of the batches that are not applied yet.
    backlog: usize,
    /// `None` while a snapshot is being written.
    status: Option<SnapshotStatus>,
    /// True if the thread has ended, so that no backlog becomes smaller.
    has_stopped: bool,
}

impl KeeperThread {
    /// Starts the thread. At most `max_backlog` bytes of batches wait to be applied while a
    /// snapshot is being written; a larger batch waits until none is left.
    pub(crate) fn start(mut keeper: SnapshotKeeper, max_backlog: usize) -> io::Result<Self> {
        let state = State { backlog: 0, status: Some(keeper.status()), has_stopped: false };
        let shared = Arc::new(Shared { state: Mutex::new(state), applied: Condvar::new() });
        let (orders, received) = mpsc::channel();
        let for_thread = Arc::clone(&shared);
        let run = move || run(&mut keeper, &received, &for_thread);
        let handle = thread::Builder::new().name("snapshots".into()).spawn(run)?;
        Ok(Self { orders: Some(orders), shared, handle: Some(handle), max_backlog })
    }

    /// Waits only if the backlog is full.
    pub(crate) fn apply(&self, batches: Vec<Batch>) {
        let records = batches.iter().flat_map(|batch| &batch.records);
        let octets = encoded_len(records.map(Into::into));
        let mut state = self.shared.lock();
        while !state.has_stopped
            && state.backlog > 0
            && state.backlog.saturating_add(octets) > self.max_backlog
        {
            state = self.shared.applied.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        state.backlog = state.backlog.saturating_add(octets);
        drop(state);
        self.send(Order::Apply { batches, octets });
    }

    pub(crate) fn write(&self, request: SnapshotRequest) {
        self.shared.lock().status = None;
        self.send(Order::Write(request));
    }

    pub(crate) fn rewrite(&self, request: SnapshotRequest) -> io::Result<()> {
        let (done, outcome) = mpsc::channel();
        self.send(Order::Rewrite { request, done });
        outcome
            .recv()
            .unwrap_or_else(|_| Err(io::Error::other("the thread that writes snapshots has stopped")))
    }

    pub(crate) fn status(&self) -> Option<SnapshotStatus> {
        self.shared.lock().status
    }

    /// If the thread has stopped, the order is dropped: no more snapshots are written, and the log
    /// remains complete.
    fn send(&self, order: Order) {
        if let Some(orders) = &self.orders {
            drop(orders.send(order));
        }
    }
}

impl Drop for KeeperThread {
    fn drop(&mut self) {
        // The thread ends when the closed queue is empty.
        self.orders = None;
        if let Some(handle) = self.handle.take()
            && handle.join().is_err()
        {
            tracing::error!("the thread that writes snapshots has panicked");
        }
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Wakes the threads that wait for a smaller backlog when this one ends, even by a panic.
struct StopNotice<'a>(&'a Shared);

impl Drop for StopNotice<'_> {
    fn drop(&mut self) {
        self.0.lock().has_stopped = true;
        self.0.applied.notify_all();
    }
}

fn run(keeper: &mut SnapshotKeeper, orders: &Receiver<Order>, shared: &Shared) {
    let _notice = StopNotice(shared);
    for order in orders {
        match order {
            Order::Apply { batches, octets } => {
                keeper.apply(&batches);
                shared.lock().backlog -= octets;
                shared.applied.notify_all();
            }
            Order::Write(request) => {
                // The image is code of the owner.
                if catch_unwind(AssertUnwindSafe(|| keeper.write(&request))).is_err() {
                    tracing::error!("the function that reads an image has panicked: no snapshot was written");
                }
                shared.lock().status = Some(keeper.status());
            }
            Order::Rewrite { request, done } => {
                let result =
                    catch_unwind(AssertUnwindSafe(|| keeper.rewrite(&request))).unwrap_or_else(|_| {
                        Err(io::Error::other("the function that reads an image has panicked"))
                    });
                shared.lock().status = Some(keeper.status());
                // The thread that waits for the result cannot have stopped waiting.
                let _ = done.send(result);
            }
        }
    }
}

#[cfg(test)]
mod tests;
