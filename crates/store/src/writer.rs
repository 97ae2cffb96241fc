//! The writer thread with group commit: all batches that are queued when it writes share one sync.

use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, Sender, SyncSender, TrySendError};
use std::thread::{self, JoinHandle};

use crate::error::{GroupError, StoreError};
use crate::failures::WriteFailures;
use crate::journal::Journal;
use crate::record::{Batch, Record};

/// Submits batches to the writer thread. Clones share the thread. When the last clone is dropped,
/// queued batches are written and the directory is unlocked.
#[derive(Clone, Debug)]
pub struct Writer {
    thread: Arc<WriterThread>,
}

impl Writer {
    pub(crate) fn start(journal: Journal) -> io::Result<Self> {
        let (queue, requests) = mpsc::sync_channel(MAX_QUEUED_BATCHES);
        let failures = WriteFailures::default();
        let records = failures.clone();
        let thread = thread::Builder::new().name("store".into());
        let thread = thread.spawn(move || write(journal, &requests, &records))?;
        Ok(Self { thread: Arc::new(WriterThread { queue: Some(queue), handle: Some(thread), failures }) })
    }

    /// Returns the record of failed writes. It does not keep the writer running.
    #[must_use]
    pub fn failures(&self) -> WriteFailures {
        self.thread.failures.clone()
    }

    /// Submits a batch; never blocks. `done` is called on the writer thread with the result, in the
    /// order of submission, and must return quickly. `Ok` means that the batch is durable. On an
    /// error, the batch has no effect.
    pub fn submit(&self, batch: Vec<Record>, done: impl FnOnce(Result<(), StoreError>) + Send + 'static) {
        let request = Request { batch, done: Box::new(done) };
        let Some(queue) = &self.thread.queue else { return request.complete(Err(StoreError::Closed)) };
        match queue.try_send(Order::Single(request)) {
            Ok(()) => {}
            Err(TrySendError::Full(Order::Single(request))) => request.complete(Err(StoreError::Busy)),
            Err(TrySendError::Disconnected(Order::Single(request))) => {
                request.complete(Err(StoreError::Closed));
            }
            Err(_) => {}
        }
    }

    /// Makes batches durable in their order, all with one sync, and waits for it.
    ///
    /// # Errors
    /// Returns an error if not all batches are durable. If the batches cannot be written together,
    /// they are written one after another until the first failure. The first
    /// [`durable`](GroupError::durable) batches are then durable, and the others have no effect.
    pub fn commit_group(&self, batches: Vec<Batch>) -> Result<(), GroupError> {
        let closed = || GroupError { durable: 0, error: StoreError::Closed };
        let queue = self.thread.queue.as_ref().ok_or_else(closed)?;
        let (done, outcome) = mpsc::channel();
        queue.send(Order::Group { batches, done }).map_err(|_| closed())?;
        outcome.recv().unwrap_or_else(|_| Err(closed()))
    }

    /// Submits a batch like [`submit`](Self::submit), and waits for the result.
    ///
    /// # Errors
    /// Returns an error if the batch is not durable.
    pub fn commit(&self, batch: Vec<Record>) -> Result<(), StoreError> {
        let (done, outcome) = mpsc::channel();
        self.submit(batch, move |result| drop(done.send(result)));
        outcome.recv().unwrap_or(Err(StoreError::Closed))
    }
}

/// The writer thread, joined when the last [`Writer`] is dropped.
#[derive(Debug)]
struct WriterThread {
    queue: Option<SyncSender<Order>>,
    handle: Option<JoinHandle<()>>,
    failures: WriteFailures,
}

impl Drop for WriterThread {
    fn drop(&mut self) {
        // The thread ends when the closed queue is empty.
        self.queue = None;
        if let Some(handle) = self.handle.take()
            // The last clone may be dropped inside a `done` callback, which runs on the writer
            // thread itself.
            && handle.thread().id() != thread::current().id()
            && handle.join().is_err()
        {
            tracing::error!("the thread that writes the state files has panicked");
        }
    }
}

/// An order to the writer thread.
enum Order {
    /// A batch that does not depend on those before it.
    Single(Request),
    /// Batches that are drafted on one another.
    Group { batches: Vec<Batch>, done: Sender<Result<(), GroupError>> },
}

/// A batch and the callback for its result.
struct Request {
    batch: Vec<Record>,
    done: Box<dyn FnOnce(Result<(), StoreError>) + Send>,
}

impl Request {
    fn complete(self, result: Result<(), StoreError>) {
        let done = self.done;
        if catch_unwind(AssertUnwindSafe(|| done(result))).is_err() {
            tracing::error!(
                "the function that handles the result of a write to the state files has panicked"
            );
        }
    }
}

/// The main loop of the writer thread.
fn write(mut journal: Journal, orders: &Receiver<Order>, failures: &WriteFailures) {
    let mut next = None;
    while let Some(order) = next.take().or_else(|| orders.recv().ok()) {
        match order {
            Order::Single(first) => {
                let mut singles = vec![first];
                while singles.len() < MAX_GROUP_SIZE && next.is_none() {
                    match orders.try_recv() {
                        Ok(Order::Single(request)) => singles.push(request),
                        Ok(group) => next = Some(group),
                        Err(_) => break,
                    }
                }
                commit_singles(&mut journal, singles, failures);
            }
            // The caller may have stopped waiting; the batches are durable nevertheless.
            Order::Group { batches, done } => {
                let result = commit_group(&mut journal, &batches);
                if let Err(failed) = &result {
                    failures.record(&failed.error);
                }
                drop(done.send(result));
            }
        }
        journal.compact_if_due();
    }
}

/// Commits batches that are drafted on one another: with one sync, or else one after another until
/// the first failure.
fn commit_group(journal: &mut Journal, batches: &[Batch]) -> Result<(), GroupError> {
    let records: Vec<_> = batches.iter().map(|batch| batch.records.as_slice()).collect();
    match journal.commit(&records) {
        Err(error) if records.len() <= 1 => return Err(GroupError { durable: 0, error }),
        Err(_) => {}
        Ok(()) => return Ok(()),
    }
    for (durable, batch) in records.into_iter().enumerate() {
        journal.commit(&[batch]).map_err(|error| GroupError { durable, error })?;
    }
    Ok(())
}

/// Commits independent batches with one sync. If that fails, commits each batch separately, so that a batch too
/// large for the remaining disk space does not fail the others.
fn commit_singles(journal: &mut Journal, group: Vec<Request>, failures: &WriteFailures) {
    let batches: Vec<_> = group.iter().map(|request| request.batch.as_slice()).collect();
    let together = journal.commit(&batches);
    let is_single = group.len() == 1;
    for request in group {
        let result = match &together {
            Err(_) if !is_single => journal.commit(&[&request.batch]),
            result => result.clone(),
        };
        if let Err(error) = &result {
            tracing::warn!(%error, "cannot write a change to the state files");
            failures.record(error);
        }
        request.complete(result);
    }
}

/// The maximum number of queued batches; further batches are rejected as busy.
const MAX_QUEUED_BATCHES: usize = 1024;

/// The maximum number of batches per group.
const MAX_GROUP_SIZE: usize = 256;

#[cfg(test)]
mod tests;
