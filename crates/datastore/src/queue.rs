//! Transactions that wait for the thread that executes them, in order of arrival.

use std::{
    collections::{HashMap, VecDeque},
    fmt,
    hash::Hash,
    sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

/// A queue of transactions of type `T`, each requested by a principal of type `P`. It is bounded in
/// number and in octets, in total and for each principal. Clones share the queue.
///
/// A principal can use half of the room that all others leave: it leaves as much room as it uses.
/// So a principal that floods an empty queue leaves half of it, and a second one a quarter. While
/// both refill the queue, their shares and the room for others become similar.
///
/// Adding never waits. One thread takes all that wait at once and executes them as a group.
pub struct TransactionQueue<T, P> {
    shared: Arc<Shared<T, P>>,
}

/// The limits of a [`TransactionQueue`], or of a group taken from it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TransactionLimits {
    /// The maximum number of transactions.
    pub transactions: usize,
    /// The maximum total size of the transactions in octets. One transaction is always accepted.
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
    /// The number of transactions that were refused because their principal had used its share.
    pub refused_by_share: u64,
}

/// The reason why a [`TransactionQueue`] refuses a transaction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PushError {
    /// The queue is full.
    Full(ReachedLimit),
    /// The transactions of this principal use its share of the queue.
    ShareUsed(ReachedLimit),
    /// The queue is closed.
    Closed,
}

/// The limit that another transaction would exceed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReachedLimit {
    /// The maximum number of transactions.
    Transactions(usize),
    /// The maximum number of octets.
    Octets(usize),
}

impl fmt::Display for PushError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Full(limit) => write!(f, "too many changes wait: limit {limit}"),
            Self::ShareUsed(limit) => write!(f, "too many changes of this user wait: limit {limit}"),
            Self::Closed => f.write_str("no more changes are made"),
        }
    }
}

impl std::error::Error for PushError {}

impl fmt::Display for ReachedLimit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Transactions(limit) => limit.fmt(f),
            Self::Octets(limit) => write!(f, "{limit} octets"),
        }
    }
}

impl<T, P: Clone + Eq + Hash> TransactionQueue<T, P> {
    /// Creates an empty queue.
    pub fn new(limits: TransactionLimits) -> Self {
        let content = Content {
            waiting: VecDeque::new(),
            total: Usage::default(),
            principals: HashMap::new(),
            refused: 0,
            refused_by_share: 0,
            is_closed: false,
        };
        Self { shared: Arc::new(Shared { limits, content: Mutex::new(content), changed: Condvar::new() }) }
    }

    /// Adds a transaction of this size in octets.
    ///
    /// # Errors
    /// Returns the reason if the transaction does not fit, or if the queue is closed. The
    /// transaction is then dropped.
    pub fn push(&self, transaction: T, octets: usize, principal: P) -> Result<(), PushError> {
        self.lock().push(self.shared.limits, Waiting { transaction, octets, principal })?;
        self.shared.changed.notify_one();
        Ok(())
    }

    /// Waits until a transaction is in the queue, then takes the first ones, as many as `limits`
    /// allows and at least one. Returns `None` if the queue is closed and empty.
    pub fn take_group(&self, limits: TransactionLimits) -> Option<Vec<T>> {
        let waited = self.shared.changed.wait_while(self.lock(), Content::waits);
        let group = waited.unwrap_or_else(PoisonError::into_inner).take_group(limits);
        (!group.is_empty()).then_some(group)
    }

    /// Like [`take_group`](Self::take_group), but returns an empty group if no transaction is in
    /// the queue after `max_wait`.
    pub fn take_group_within(&self, limits: TransactionLimits, max_wait: Duration) -> Option<Vec<T>> {
        let waited = self.shared.changed.wait_timeout_while(self.lock(), max_wait, Content::waits);
        let (mut content, _) = waited.unwrap_or_else(PoisonError::into_inner);
        let is_closed = content.is_closed;
        let group = content.take_group(limits);
        (!group.is_empty() || !is_closed).then_some(group)
    }

    /// Returns the transactions that wait, without waiting.
    pub fn status(&self) -> QueueStatus {
        let content = self.lock();
        QueueStatus {
            transactions: content.total.transactions,
            octets: content.total.octets,
            refused: content.refused,
            refused_by_share: content.refused_by_share,
        }
    }

    /// Rejects further transactions. Those in the queue can still be taken.
    pub fn close(&self) {
        self.lock().is_closed = true;
        self.shared.changed.notify_all();
    }

    /// The content is always consistent, even after a panic.
    fn lock(&self) -> MutexGuard<'_, Content<T, P>> {
        self.shared.content.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<T, P> Clone for TransactionQueue<T, P> {
    fn clone(&self) -> Self {
        Self { shared: Arc::clone(&self.shared) }
    }
}

struct Shared<T, P> {
    limits: TransactionLimits,
    content: Mutex<Content<T, P>>,
    changed: Condvar,
}

struct Content<T, P> {
    waiting: VecDeque<Waiting<T, P>>,
    total: Usage,
    /// The usage of each principal whose transactions wait.
    principals: HashMap<P, Usage>,
    refused: u64,
    refused_by_share: u64,
    is_closed: bool,
}

struct Waiting<T, P> {
    transaction: T,
    octets: usize,
    principal: P,
}

impl<T, P: Clone + Eq + Hash> Content<T, P> {
    fn push(&mut self, limits: TransactionLimits, new: Waiting<T, P>) -> Result<(), PushError> {
        if self.is_closed {
            return Err(PushError::Closed);
        }
        if let Some(limit) = self.total.excess(limits, new.octets) {
            self.refused += 1;
            return Err(PushError::Full(limit));
        }
        let used = self.principals.get(&new.principal).copied().unwrap_or_default();
        let share = limits.share_beside(self.total.without(used));
        if let Some(limit) = used.excess(share, new.octets) {
            self.refused_by_share += 1;
            return Err(PushError::ShareUsed(limit));
        }
        self.total.add(new.octets);
        self.principals.entry(new.principal.clone()).or_default().add(new.octets);
        self.waiting.push_back(new);
        Ok(())
    }

    /// Returns true if a thread has to wait for transactions.
    fn waits(&mut self) -> bool {
        self.waiting.is_empty() && !self.is_closed
    }

    /// Removes and returns the oldest transactions, as many as `limits` allows.
    fn take_group(&mut self, limits: TransactionLimits) -> Vec<T> {
        let mut group = Vec::new();
        let mut taken = Usage::default();
        while let Some(next) = self.waiting.front()
            && taken.excess(limits, next.octets).is_none()
        {
            taken.add(next.octets);
            group.extend(self.pop());
        }
        group
    }

    /// Removes and returns the oldest transaction.
    fn pop(&mut self) -> Option<T> {
        let Waiting { transaction, octets, principal } = self.waiting.pop_front()?;
        self.total.remove(octets);
        if let Some(usage) = self.principals.get_mut(&principal) {
            usage.remove(octets);
            if usage.transactions == 0 {
                self.principals.remove(&principal);
            }
        }
        Some(transaction)
    }
}

/// A number of transactions and their total size.
#[derive(Clone, Copy, Default)]
struct Usage {
    transactions: usize,
    octets: usize,
}

impl Usage {
    fn add(&mut self, octets: usize) {
        self.transactions += 1;
        self.octets = self.octets.saturating_add(octets);
    }

    fn remove(&mut self, octets: usize) {
        self.transactions -= 1;
        self.octets = if self.transactions == 0 { 0 } else { self.octets.saturating_sub(octets) };
    }

    /// Returns the usage of all others, if `self` is the usage of all, and `own` that of one.
    fn without(self, own: Self) -> Self {
        Self {
            transactions: self.transactions.saturating_sub(own.transactions),
            octets: self.octets.saturating_sub(own.octets),
        }
    }

    /// Returns the limit that another transaction of this size would exceed. The first transaction
    /// exceeds none: otherwise a long one could never be executed.
    fn excess(self, limits: TransactionLimits, octets: usize) -> Option<ReachedLimit> {
        if self.transactions == 0 {
            None
        } else if self.transactions >= limits.transactions {
            Some(ReachedLimit::Transactions(limits.transactions))
        } else if self.octets.saturating_add(octets) > limits.octets {
            Some(ReachedLimit::Octets(limits.octets))
        } else {
            None
        }
    }
}

impl TransactionLimits {
    /// Returns the limits for the transactions of one principal beside those of all others.
    fn share_beside(self, others: Usage) -> Self {
        Self {
            transactions: self.transactions.saturating_sub(others.transactions) / PRINCIPAL_SHARE,
            octets: self.octets.saturating_sub(others.octets) / PRINCIPAL_SHARE,
        }
    }
}

/// The part of the room left by others that one principal can use, as a divisor. Half of it, so
/// that a principal that is alone still gets groups of full size.
const PRINCIPAL_SHARE: usize = 2;

#[cfg(test)]
mod tests;
