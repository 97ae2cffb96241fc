//! Transactions that wait for the thread that executes them, in order of arrival.

use std::{
    collections::VecDeque,
    sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError},
};

/// A queue of transactions, bounded in number and in octets. Clones share the queue.
///
/// Adding never waits. One thread takes all that wait at once and executes them as a group.
pub struct TransactionQueue<T> {
    shared: Arc<Shared<T>>,
}

/// The limits of a [`TransactionQueue`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct QueueLimits {
    /// The maximum number of transactions.
    pub transactions: usize,
    /// The maximum total size of the transactions in octets. A transaction that finds the queue
    /// empty is always accepted.
    pub octets: usize,
}

/// The transactions that wait in a [`TransactionQueue`], and those that it has refused.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct QueueStatus {
    /// The number of transactions that wait.
    pub transactions: usize,
    /// Their total size in octets.
    pub octets: usize,
    /// The number of transactions that were refused because the queue was full.
    pub refused: u64,
}

impl<T> TransactionQueue<T> {
    /// Creates an empty queue.
    pub fn new(limits: QueueLimits) -> Self {
        let content = Content { waiting: VecDeque::new(), octets: 0, refused: 0, is_closed: false };
        Self { shared: Arc::new(Shared { limits, content: Mutex::new(content), changed: Condvar::new() }) }
    }

    /// Adds a transaction of this size in octets.
    ///
    /// # Errors
    /// Returns the transaction if the queue is full or closed.
    pub fn push(&self, transaction: T, octets: usize) -> Result<(), T> {
        let mut content = self.lock();
        let limits = self.shared.limits;
        let fits = content.waiting.is_empty()
            || (content.waiting.len() < limits.transactions
                && content.octets.saturating_add(octets) <= limits.octets);
        if content.is_closed || !fits {
            content.refused += u64::from(!content.is_closed);
            return Err(transaction);
        }
        content.octets = content.octets.saturating_add(octets);
        content.waiting.push_back((transaction, octets));
        drop(content);
        self.shared.changed.notify_one();
        Ok(())
    }

    /// Waits until a transaction is in the queue, then takes all that wait, at most `max`. Returns
    /// `None` if the queue is closed and empty.
    pub fn take_group(&self, max: usize) -> Option<Vec<T>> {
        let waits = |content: &mut Content<T>| content.waiting.is_empty() && !content.is_closed;
        let waited = self.shared.changed.wait_while(self.lock(), waits);
        let mut content = waited.unwrap_or_else(PoisonError::into_inner);
        let count = content.waiting.len().min(max.max(1));
        let taken: Vec<(T, usize)> = content.waiting.drain(..count).collect();
        content.octets -= taken.iter().map(|(_, octets)| octets).sum::<usize>();
        drop(content);
        (!taken.is_empty()).then(|| taken.into_iter().map(|(transaction, _)| transaction).collect())
    }

    /// Returns the transactions that wait, without waiting.
    pub fn status(&self) -> QueueStatus {
        let content = self.lock();
        QueueStatus { transactions: content.waiting.len(), octets: content.octets, refused: content.refused }
    }

    /// Rejects further transactions. Those in the queue can still be taken.
    pub fn close(&self) {
        self.lock().is_closed = true;
        self.shared.changed.notify_all();
    }

    /// The content is always consistent, even after a panic.
    fn lock(&self) -> MutexGuard<'_, Content<T>> {
        self.shared.content.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<T> Clone for TransactionQueue<T> {
    fn clone(&self) -> Self {
        Self { shared: Arc::clone(&self.shared) }
    }
}

struct Shared<T> {
    limits: QueueLimits,
    content: Mutex<Content<T>>,
    changed: Condvar,
}

struct Content<T> {
    /// The transactions with their sizes.
    waiting: VecDeque<(T, usize)>,
    octets: usize,
    refused: u64,
    is_closed: bool,
}

#[cfg(test)]
mod tests;
