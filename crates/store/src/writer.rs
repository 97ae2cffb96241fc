//! Group commit: all batches that wait are made durable with one sync.

use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{self, Receiver, SyncSender, TrySendError};
use std::sync::{Arc, Mutex, MutexGuard};
use std::thread::{self, JoinHandle};

use crate::error::{GroupError, StoreError};
use crate::failures::WriteFailures;
use crate::format::encoded_len;
use crate::journal::Journal;
use crate::record::{Batch, Record};

/// Makes batches durable. Clones share the directory. When the last clone is dropped, queued
/// batches are written and the directory is unlocked.
#[derive(Clone, Debug)]
pub struct Writer {
    thread: Arc<WriterThread>,
}

impl Writer {
    pub(crate) fn start(journal: Journal) -> io::Result<Self> {
        let (queue, requests) = mpsc::sync_channel(MAX_QUEUED_BATCHES);
        let shared = Arc::new(Shared {
            journal: Mutex::new(journal),
            queued_octets: AtomicUsize::new(0),
            failures: WriteFailures::default(),
        });
        let for_thread = Arc::clone(&shared);
        let run = move || write(&for_thread, &requests);
        let thread = thread::Builder::new().name("store".into()).spawn(run)?;
        Ok(Self { thread: Arc::new(WriterThread { shared, queue: Some(queue), handle: Some(thread) }) })
    }

    /// Returns the record of failed writes. It does not keep the writer running.
    #[must_use]
    pub fn failures(&self) -> WriteFailures {
        self.thread.shared.failures.clone()
    }

    /// Makes batches durable in their order, all with one sync, on the thread of the caller.
    ///
    /// # Errors
    /// Returns an error if not all batches are durable. If the batches cannot be written together,
    /// they are written one after another until the first failure. The first
    /// [`durable`](GroupError::durable) batches are then durable, and the others have no effect.
    pub fn commit_group(&self, batches: Vec<Batch>) -> Result<(), GroupError> {
        let mut journal = self.thread.shared.lock().map_err(|error| GroupError { durable: 0, error })?;
        let result = journal.commit_group(batches);
        if let Err(failed) = &result {
            self.thread.shared.failures.record(&failed.error);
        }
        journal.compact_if_due();
        result
    }

    /// Submits a batch that does not depend on those before it; never blocks. `done` is called on
    /// the writer thread with the result, in the order of submission, and must return quickly. `Ok`
    /// means that the batch is durable. On an error, the batch has no effect.
    pub fn submit(&self, batch: Vec<Record>, done: impl FnOnce(Result<(), StoreError>) + Send + 'static) {
        let octets = encoded_len(batch.iter().map(Into::into));
        let request = Request { batch: Batch::new(batch), octets, done: Box::new(done) };
        let Some(queue) = &self.thread.queue else { return request.complete(Err(StoreError::Closed)) };
        let queued = &self.thread.shared.queued_octets;
        // A batch that is larger than the bound is accepted if no other batch waits.
        if queued
            .fetch_add(octets, Ordering::Relaxed)
            .checked_add(octets)
            .is_none_or(|sum| sum > MAX_QUEUED_OCTETS && sum > octets)
        {
            queued.fetch_sub(octets, Ordering::Relaxed);
            return request.complete(Err(StoreError::Busy));
        }
        if let Err(rejected) = queue.try_send(request) {
            queued.fetch_sub(octets, Ordering::Relaxed);
            match rejected {
                TrySendError::Full(request) => request.complete(Err(StoreError::Busy)),
                TrySendError::Disconnected(request) => request.complete(Err(StoreError::Closed)),
            }
        }
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

/// The journal, which the writer thread shares with those who commit groups.
struct Shared {
    journal: Mutex<Journal>,
    /// The size of all queued batches.
    queued_octets: AtomicUsize,
    failures: WriteFailures,
}

impl Shared {
    /// Locks the journal. After a panic its state is unknown, so that it is not used any more.
    fn lock(&self) -> Result<MutexGuard<'_, Journal>, StoreError> {
        self.journal.lock().map_err(|_| StoreError::Closed)
    }
}

/// The writer thread, joined when the last [`Writer`] is dropped.
struct WriterThread {
    shared: Arc<Shared>,
    queue: Option<SyncSender<Request>>,
    handle: Option<JoinHandle<()>>,
}

impl std::fmt::Debug for WriterThread {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("WriterThread").finish_non_exhaustive()
    }
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

/// A batch and the callback for its result.
struct Request {
    batch: Batch,
    octets: usize,
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
fn write(shared: &Shared, requests: &Receiver<Request>) {
    while let Ok(first) = requests.recv() {
        let mut group = vec![first];
        group.extend(requests.try_iter().take(MAX_GROUP_SIZE - 1));
        commit(shared, group);
    }
}

/// Commits independent batches with one sync. If that fails, commits each separately, so that a
/// batch too large for the remaining disk space does not fail the others.
fn commit(shared: &Shared, group: Vec<Request>) {
    let mut durable = 0;
    let mut rest = group.into_iter();
    while !rest.as_slice().is_empty() {
        let batches = rest.as_slice().iter().map(|request| request.batch.clone()).collect();
        let result = shared.lock().and_then(|mut journal| {
            journal.commit_group(batches).map_err(|failure| {
                durable = failure.durable;
                failure.error
            })
        });
        let count = if result.is_ok() { rest.len() } else { durable };
        for request in rest.by_ref().take(count) {
            shared.queued_octets.fetch_sub(request.octets, Ordering::Relaxed);
            request.complete(Ok(()));
        }
        if let Err(error) = result
            && let Some(request) = rest.next()
        {
            tracing::warn!(%error, "cannot write a change to the state files");
            shared.failures.record(&error);
            shared.queued_octets.fetch_sub(request.octets, Ordering::Relaxed);
            request.complete(Err(error));
        }
    }
    if let Ok(mut journal) = shared.lock() {
        journal.compact_if_due();
    }
}

/// The maximum number of queued batches; further batches are rejected as busy.
const MAX_QUEUED_BATCHES: usize = 1024;

/// The maximum size of all queued batches; further batches are rejected as busy.
const MAX_QUEUED_OCTETS: usize = 64 << 20;

/// The maximum number of batches per group.
const MAX_GROUP_SIZE: usize = 256;

#[cfg(test)]
mod tests;
