//! The writer thread with group commit: all batches that are queued when it writes share one sync.

use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, SyncSender, TrySendError};
use std::thread::{self, JoinHandle};

use crate::error::StoreError;
use crate::journal::Journal;
use crate::record::Record;

/// Submits batches to the writer thread. Clones share the thread. When the last clone is dropped,
/// queued batches are written and the directory is unlocked.
#[derive(Clone, Debug)]
pub struct Writer {
    thread: Arc<WriterThread>,
}

impl Writer {
    pub(crate) fn start(journal: Journal) -> io::Result<Self> {
        let (queue, requests) = mpsc::sync_channel(MAX_QUEUED_BATCHES);
        let thread = thread::Builder::new().name("store".into()).spawn(move || write(journal, &requests))?;
        Ok(Self { thread: Arc::new(WriterThread { queue: Some(queue), handle: Some(thread) }) })
    }

    /// Submits a batch; never blocks. `done` is called on the writer thread with the result, in the
    /// order of submission, and must return quickly. `Ok` means that the batch is durable. On an
    /// error, the batch has no effect.
    pub fn submit(&self, batch: Vec<Record>, done: impl FnOnce(Result<(), StoreError>) + Send + 'static) {
        let request = Request { batch, done: Box::new(done) };
        let Some(queue) = &self.thread.queue else { return request.complete(Err(StoreError::Closed)) };
        match queue.try_send(request) {
            Ok(()) => {}
            Err(TrySendError::Full(request)) => request.complete(Err(StoreError::Busy)),
            Err(TrySendError::Disconnected(request)) => request.complete(Err(StoreError::Closed)),
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

/// The writer thread, joined when the last [`Writer`] is dropped.
#[derive(Debug)]
struct WriterThread {
    queue: Option<SyncSender<Request>>,
    handle: Option<JoinHandle<()>>,
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
fn write(mut journal: Journal, requests: &Receiver<Request>) {
    while let Ok(first) = requests.recv() {
        let mut group = vec![first];
        group.extend(requests.try_iter().take(MAX_GROUP_SIZE - 1));
        commit(&mut journal, group);
        journal.compact_if_due();
    }
}

/// Commits a group with one sync. If that fails, commits each batch separately, so that a batch too
/// large for the remaining disk space does not fail the others.
fn commit(journal: &mut Journal, group: Vec<Request>) {
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
