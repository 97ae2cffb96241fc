//! The informs that wait, on disk.
//!
//! ```text
//! content/ID             when it was stored, its context and its variables
//! target/NAME/ID         one entry of the queue of a target
//! clock                  the offset of the system's clock from the clock of the queues
//! configuration          the digest of the configuration of the last start
//! ```
//! A content is stored once for all of its targets, in the batch of their entries, and removed with
//! the last of them. A thread writes everything that waits with one sync.

pub(crate) mod records;

use std::{
    path::Path,
    sync::mpsc,
    thread::{self, JoinHandle},
};

use portreeve_store::{OpenError, Record, Store, Writer};
use tokio::sync::mpsc::UnboundedSender;

pub(crate) use records::{Stored, StoredEntry};

/// The result of writing the batch with this number.
pub(crate) struct Written {
    pub(crate) batch: u64,
    pub(crate) result: Result<(), String>,
}

/// The thread that writes the queues.
pub(crate) struct DiskQueue {
    /// `None` when no more batches are written.
    batches: Option<mpsc::Sender<(u64, Vec<Record>)>>,
    thread: Option<JoinHandle<()>>,
}

impl DiskQueue {
    /// Opens the queues in `directory`. Results are sent to `results`; there is one for each batch,
    /// and the caller limits the number of batches.
    pub(crate) fn open(
        directory: &Path,
        results: UnboundedSender<Written>,
    ) -> Result<(Self, Stored), OpenError> {
        let (mut store, _) = Store::open(directory)?;
        let (stored, unused) = records::read(&store);
        if !unused.is_empty() {
            // Ignore a failure: the records are removed by a later start.
            let _ = store.commit(unused);
        }
        let failed = |source| OpenError::Directory { path: directory.to_owned(), source };
        let writer = store.into_writer().map_err(failed)?;
        let (batches, receiver) = mpsc::channel();
        let thread = thread::Builder::new().name("notify-store".into());
        let thread = thread.spawn(move || write_batches(&writer, &receiver, &results)).map_err(failed)?;
        Ok((Self { batches: Some(batches), thread: Some(thread) }, stored))
    }

    /// Creates a queue whose batches a test receives instead of a disk.
    #[cfg(test)]
    pub(crate) fn detached() -> (Self, mpsc::Receiver<(u64, Vec<Record>)>) {
        let (batches, receiver) = mpsc::channel();
        (Self { batches: Some(batches), thread: None }, receiver)
    }

    /// Writes a batch. Batches become durable in their order.
    pub(crate) fn write(&self, batch: u64, records: Vec<Record>) {
        if let Some(batches) = &self.batches {
            // The thread ends only after this queue.
            let _ = batches.send((batch, records));
        }
    }
}

impl Drop for DiskQueue {
    fn drop(&mut self) {
        drop(self.batches.take());
        if let Some(thread) = self.thread.take() {
            // A panic of the thread has already been printed.
            let _ = thread.join();
        }
    }
}

fn write_batches(
    writer: &Writer,
    batches: &mpsc::Receiver<(u64, Vec<Record>)>,
    results: &UnboundedSender<Written>,
) {
    while let Ok(first) = batches.recv() {
        let group: Vec<_> = std::iter::once(first).chain(batches.try_iter().take(MAX_GROUP - 1)).collect();
        let numbers: Vec<u64> = group.iter().map(|(number, _)| *number).collect();
        let written = writer.commit_group(group.into_iter().map(|(_, records)| records.into()).collect());
        for (position, batch) in numbers.into_iter().enumerate() {
            let result = match &written {
                Err(failed) if position >= failed.durable => Err(failed.error.to_string()),
                _ => Ok(()),
            };
            // The notifier has stopped if it does not receive the result.
            let _ = results.send(Written { batch, result });
        }
    }
}

/// The maximum number of batches that are written together.
const MAX_GROUP: usize = 1000;
