//! The thread that writes, and group commit: whatever waits when it gets to the disk shares one sync.

use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, SyncSender, TrySendError};
use std::thread::{self, JoinHandle};

use crate::error::StoreError;
use crate::journal::Journal;
use crate::record::Record;

/// Hands batches to the writing thread; clones share it. When the last clone is dropped, what was submitted is
/// written and the directory unlocked.
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

    /// Has a batch made durable; never blocks. `done` learns the outcome, on the writing thread, and so must be
    /// quick: `Ok` after the disk has it, and in the order of submission, or why it has not. On failure nothing of
    /// the batch has happened.
    pub fn submit(&self, batch: Vec<Record>, done: impl FnOnce(Result<(), StoreError>) + Send + 'static) {
        let request = Request { batch, done: Box::new(done) };
        let Some(queue) = &self.thread.queue else { return request.complete(Err(StoreError::Closed)) };
        match queue.try_send(request) {
            Ok(()) => {}
            Err(TrySendError::Full(request)) => request.complete(Err(StoreError::Busy)),
            Err(TrySendError::Disconnected(request)) => request.complete(Err(StoreError::Closed)),
        }
    }

    /// Like [`submit`](Self::submit), and waits for the outcome.
    ///
    /// # Errors
    /// When the batch is not durable.
    pub fn commit(&self, batch: Vec<Record>) -> Result<(), StoreError> {
        let (done, outcome) = mpsc::channel();
        self.submit(batch, move |result| drop(done.send(result)));
        outcome.recv().unwrap_or(Err(StoreError::Closed))
    }
}

/// The writing thread, joined when nobody can submit any more.
#[derive(Debug)]
struct WriterThread {
    queue: Option<SyncSender<Request>>,
    handle: Option<JoinHandle<()>>,
}

impl Drop for WriterThread {
    fn drop(&mut self) {
        // The closed queue ends the thread once it is empty.
        self.queue = None;
        if let Some(handle) = self.handle.take()
            // The last clone may have been inside a `done`, on that very thread.
            && handle.thread().id() != thread::current().id()
            && handle.join().is_err()
        {
            tracing::error!("the store's thread had ended in a panic");
        }
    }
}

/// One batch and who waits for it.
struct Request {
    batch: Vec<Record>,
    done: Box<dyn FnOnce(Result<(), StoreError>) + Send>,
}

impl Request {
    fn complete(self, result: Result<(), StoreError>) {
        let done = self.done;
        if catch_unwind(AssertUnwindSafe(|| done(result))).is_err() {
            tracing::error!("whoever waited for a durable write panicked");
        }
    }
}

/// The writing thread's whole life.
fn write(mut journal: Journal, requests: &Receiver<Request>) {
    while let Ok(first) = requests.recv() {
        let mut group = vec![first];
        group.extend(requests.try_iter().take(MAX_GROUP_SIZE - 1));
        commit(&mut journal, group);
        journal.compact_if_due();
    }
}

/// Commits a group with one sync; if that fails, each batch by itself, so that one too large for what is left of
/// the disk takes no other with it.
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
            tracing::warn!(%error, "a change could not be made durable");
        }
        request.complete(result);
    }
}

/// Batches that may wait; what comes beyond is refused as busy.
const MAX_QUEUED_BATCHES: usize = 1024;

/// Batches written together at most.
const MAX_GROUP_SIZE: usize = 256;

#[cfg(test)]
mod tests;
