//! The lock that serializes transactions.
//!
//! ```text
//! acquire ──▶ waiters (in order of arrival) ──▶ holder ──▶ released when the guard is dropped
//!                │ acquire_within: gives up after its maximum wait
//! ```
//! Releasing the lock passes it to the first waiter, so that a thread that arrives later cannot
//! overtake. Each waiter has a condition variable of its own: a release wakes one thread.

use std::{
    collections::VecDeque,
    fmt,
    sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use portreeve_smi::Timestamp;

/// The lock that a transaction holds from its last check until its changes are visible. Clones
/// refer to the same lock.
///
/// The lock is granted strictly in order of arrival. A thread that holds it must not acquire it
/// again: it would wait for itself.
#[derive(Clone, Default)]
pub struct TransactionLock(Arc<Shared>);

impl TransactionLock {
    /// Waits for the lock.
    pub fn acquire(&self, ticket: Ticket) -> TransactionGuard {
        let mut queue = self.0.queue();
        let (number, wake) = queue.enter(ticket);
        if let Some(wake) = wake {
            let waiting = wake.wait_while(queue, |queue| !queue.is_holder(number));
            drop(waiting.unwrap_or_else(PoisonError::into_inner));
        }
        self.guard(number)
    }

    /// Waits for the lock, but not longer than `max_wait`. If that is zero, the lock is acquired
    /// only if it is free.
    ///
    /// # Errors
    /// Returns the transaction that holds the lock if the wait was too long. Transactions that wait
    /// behind this one are not affected.
    pub fn acquire_within(
        &self,
        ticket: Ticket,
        max_wait: Duration,
    ) -> Result<TransactionGuard, LockTimeoutError> {
        let mut queue = self.0.queue();
        let (number, wake) = queue.enter(ticket);
        if let Some(wake) = wake {
            let waited = wake.wait_timeout_while(queue, max_wait, |queue| !queue.is_holder(number));
            let (mut queue, _) = waited.unwrap_or_else(PoisonError::into_inner);
            // The lock may have been granted at the last moment: the timeout alone does not decide.
            if !queue.is_holder(number) {
                return Err(LockTimeoutError { holder: queue.leave(number) });
            }
        }
        Ok(self.guard(number))
    }

    /// Returns the holder and the waiters.
    pub fn status(&self) -> LockStatus {
        let queue = self.0.queue();
        LockStatus {
            holder: queue.holder.as_ref().map(|(_, holder)| holder.clone()),
            waiters: queue.waiters.iter().map(|waiter| waiter.ticket.clone()).collect(),
            panics: queue.panics,
            last_panic: queue.last_panic.clone(),
        }
    }

    fn guard(&self, number: u64) -> TransactionGuard {
        let was_panicking = std::thread::panicking();
        TransactionGuard { lock: Arc::clone(&self.0), number, was_panicking }
    }
}

/// The acquired lock, which is released when this value is dropped.
///
/// A panic of the holder releases the lock too, because later transactions must not wait forever.
/// The published state is then intact, since it is replaced as a whole, but records that the
/// transaction has already written reappear at the next start. Therefore the lock counts such
/// panics, and [`LockStatus`] contains the last transaction that ended so.
#[must_use = "the lock is released when the guard is dropped"]
pub struct TransactionGuard {
    lock: Arc<Shared>,
    number: u64,
    /// True if the thread was already unwinding when it acquired the lock.
    was_panicking: bool,
}

impl TransactionGuard {
    /// Records the time at which the lock was granted, which [`LockStatus`] contains.
    pub fn record_grant(&self, now: Timestamp) {
        if let Some((_, holder)) = &mut self.lock.queue().holder {
            holder.granted = Some(now);
        }
    }
}

impl Drop for TransactionGuard {
    fn drop(&mut self) {
        let panicked = std::thread::panicking() && !self.was_panicking;
        self.lock.queue().release(self.number, panicked);
    }
}

/// The description of a transaction that waits for the lock or holds it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ticket {
    /// The user and the address, or the command, that requested the transaction.
    pub owner: Arc<str>,
    /// The kind of the transaction.
    pub purpose: Purpose,
    /// The time of the request.
    pub requested: Timestamp,
}

impl Ticket {
    /// Describes a transaction that is requested now.
    pub fn new(owner: impl Into<Arc<str>>, purpose: Purpose, now: Timestamp) -> Self {
        Self { owner: owner.into(), purpose, requested: now }
    }
}

/// The kind of a transaction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// One or more SETs.
    Set,
    /// An edit of the data tree, or several transactions with one.
    Edit,
    /// A reload of the configuration file.
    Reload,
}

impl fmt::Display for Purpose {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Set => "set",
            Self::Edit => "edit",
            Self::Reload => "reload",
        })
    }
}

/// The holder of the lock and the waiters, at one moment.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LockStatus {
    /// The transaction that holds the lock.
    pub holder: Option<Holder>,
    /// The transactions that wait, in the order in which they will be granted the lock.
    pub waiters: Vec<Ticket>,
    /// The number of transactions that ended with a panic.
    pub panics: u64,
    /// The last transaction that ended with a panic.
    pub last_panic: Option<Ticket>,
}

/// The transaction that holds the lock.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Holder {
    /// Its description.
    pub ticket: Ticket,
    /// The time at which the lock was granted, if the holder has recorded it.
    pub granted: Option<Timestamp>,
}

/// The lock was not granted in time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LockTimeoutError {
    /// The transaction that holds the lock.
    pub holder: Option<Ticket>,
}

impl fmt::Display for LockTimeoutError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the configuration datastore is locked")?;
        match &self.holder {
            Some(holder) => write!(f, " by {} ({})", holder.owner, holder.purpose),
            None => Ok(()),
        }
    }
}

impl std::error::Error for LockTimeoutError {}

#[derive(Default)]
struct Shared {
    queue: Mutex<Queue>,
}

impl Shared {
    /// Locks the queue, for a few instructions at a time. No function of the queue panics halfway.
    fn queue(&self) -> MutexGuard<'_, Queue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The tickets. While there is no holder, there is no waiter either.
#[derive(Default)]
struct Queue {
    /// The holder and its number.
    holder: Option<(u64, Holder)>,
    waiters: VecDeque<Waiter>,
    next_number: u64,
    panics: u64,
    last_panic: Option<Ticket>,
}

struct Waiter {
    number: u64,
    ticket: Ticket,
    wake: Arc<Condvar>,
}

impl Queue {
    /// Adds a ticket and returns its number. If it must wait, also returns the condition variable
    /// that is notified when the lock is granted to it.
    fn enter(&mut self, ticket: Ticket) -> (u64, Option<Arc<Condvar>>) {
        let number = self.next_number;
        self.next_number += 1;
        if self.holder.is_none() {
            self.holder = Some((number, Holder { ticket, granted: None }));
            return (number, None);
        }
        let wake = Arc::new(Condvar::new());
        self.waiters.push_back(Waiter { number, ticket, wake: Arc::clone(&wake) });
        (number, Some(wake))
    }

    fn is_holder(&self, number: u64) -> bool {
        self.holder.as_ref().is_some_and(|(holder, _)| *holder == number)
    }

    /// Removes a waiter, and returns the holder.
    fn leave(&mut self, number: u64) -> Option<Ticket> {
        self.waiters.retain(|waiter| waiter.number != number);
        self.holder.as_ref().map(|(_, holder)| holder.ticket.clone())
    }

    /// Passes the lock to the first waiter.
    fn release(&mut self, number: u64, panicked: bool) {
        debug_assert!(self.is_holder(number), "only the holder has a guard");
        let released = self.holder.take();
        if panicked {
            self.panics += 1;
            self.last_panic = released.map(|(_, holder)| holder.ticket);
        }
        if let Some(Waiter { number, ticket, wake }) = self.waiters.pop_front() {
            self.holder = Some((number, Holder { ticket, granted: None }));
            wake.notify_one();
        }
    }
}

#[cfg(test)]
mod tests;
