//! The lock of a NETCONF session on the running configuration (RFC 6241 §7.5), as far as other
//! protocols have to respect it.

use std::{
    fmt,
    sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

/// The holder of the lock on the running configuration. Clones refer to the same lock.
///
/// NETCONF decides which session gets the lock. The coordinator refuses transactions of others that
/// change the data tree. Transactions that change only tables without counterparts in the tree are
/// not affected.
#[derive(Clone, Default)]
pub struct RunningLock(Arc<Shared>);

/// The NETCONF session that holds the lock.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunningLockHolder {
    /// The number of the session.
    pub session: u32,
    /// The user and the address of the session.
    pub owner: Arc<str>,
}

impl RunningLock {
    /// Sets the holder; `None` if the lock is released. Waits for a transaction that is being
    /// stored now, because its change becomes visible after this call otherwise, but at most
    /// `max_wait`.
    ///
    /// Returns false if the wait was too long. The lock is set nevertheless.
    pub fn set(&self, holder: Option<RunningLockHolder>, max_wait: Duration) -> bool {
        let mut content = self.0.content();
        content.holder = holder.map(Arc::new);
        self.0.changed.notify_all();
        let is_changing = |content: &mut Content| content.is_changing;
        let waited = self.0.changed.wait_timeout_while(content, max_wait, is_changing);
        !waited.unwrap_or_else(PoisonError::into_inner).0.is_changing
    }

    /// Returns the holder.
    pub fn holder(&self) -> Option<Arc<RunningLockHolder>> {
        self.0.content().holder.clone()
    }

    /// Waits until no session holds the lock, but at most `max_wait`.
    ///
    /// # Errors
    /// Returns the holder if the wait was too long.
    pub fn wait_until_free(&self, max_wait: Duration) -> Result<(), Arc<RunningLockHolder>> {
        let is_held = |content: &mut Content| content.holder.is_some();
        let waited = self.0.changed.wait_timeout_while(self.0.content(), max_wait, is_held);
        let (content, _) = waited.unwrap_or_else(PoisonError::into_inner);
        content.holder.clone().map_or(Ok(()), Err)
    }

    /// Marks a change by the holder of the transaction lock as being stored, until the guard is
    /// dropped. No session gets the lock until then.
    pub fn begin_change(&self) -> ChangeGuard<'_> {
        let mut content = self.0.content();
        content.is_changing = true;
        ChangeGuard { holder: content.holder.clone(), shared: &self.0 }
    }
}

/// A change that is being stored.
#[must_use = "the change ends when the guard is dropped"]
pub struct ChangeGuard<'l> {
    holder: Option<Arc<RunningLockHolder>>,
    shared: &'l Shared,
}

impl ChangeGuard<'_> {
    /// Returns the session that held the lock when the change began.
    pub fn holder(&self) -> Option<&Arc<RunningLockHolder>> {
        self.holder.as_ref()
    }
}

impl Drop for ChangeGuard<'_> {
    fn drop(&mut self) {
        self.shared.content().is_changing = false;
        self.shared.changed.notify_all();
    }
}

#[derive(Default)]
struct Shared {
    content: Mutex<Content>,
    /// Notified when the holder changes, and when a change ends.
    changed: Condvar,
}

#[derive(Default)]
struct Content {
    holder: Option<Arc<RunningLockHolder>>,
    is_changing: bool,
}

impl Shared {
    /// The content is always consistent, even after a panic.
    fn content(&self) -> MutexGuard<'_, Content> {
        self.content.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl fmt::Display for RunningLockHolder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "session {} of {}", self.session, self.owner)
    }
}

#[cfg(test)]
mod tests;
