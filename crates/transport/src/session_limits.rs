//! Who may have a session: a total, a share per source, and who has to go when a share is used up.
//!
//! ```text
//! connection ──▶ source at its share? ──yes──▶ close its oldest unanswered session, else its longest silent one
//!                        │no
//!                        └─▶ all places taken? ──yes──▶ close the oldest unanswered session, else refuse
//! ```
//! So whoever opens many connections and says nothing displaces only his own, and the newest of any source always
//! gets in while its source is below its share or has something to give up.

use std::collections::{BTreeMap, HashMap};
use std::net::IpAddr;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use portreeve_smi::Timestamp;
use tokio::sync::Notify;

/// The book of open sessions, shared by all workers; opened only when a session begins, is first answered, or ends.
#[derive(Debug)]
pub(crate) struct SessionLimits {
    max_sessions: usize,
    max_per_source: usize,
    slots: Mutex<Slots>,
}

impl SessionLimits {
    pub(crate) fn new(total: usize, per_source: usize) -> Arc<Self> {
        Arc::new(Self { max_sessions: total, max_per_source: per_source, slots: Mutex::default() })
    }

    /// Enters a new session from `peer`, at the cost of another if need be. `None`: no slot is left.
    pub(crate) fn admit(self: &Arc<Self>, peer: impl Into<SourceId>) -> Option<SessionSlot> {
        self.admit_with_waker(peer, Arc::default())
    }

    /// The same for a session that shares with others what rouses it.
    pub(crate) fn admit_with_waker(
        self: &Arc<Self>,
        peer: impl Into<SourceId>,
        waker: Arc<Notify>,
    ) -> Option<SessionSlot> {
        let source = peer.into();
        let mut book = self.slots();
        let share = book.sources.get(&source).map_or(0, SourceSessions::len);
        if share >= self.max_per_source {
            book.evict_from(source)?;
        } else if book.len() >= self.max_sessions {
            book.evict_oldest_inactive()?;
        }
        book.last_id += 1;
        let id = book.last_id;
        let handle = Arc::new(SlotHandle { attention: waker, ..SlotHandle::default() });
        book.inactive.insert(id, source);
        book.sources.entry(source).or_default().unanswered.insert(id, Arc::clone(&handle));
        Some(SessionSlot { id, source, handle: handle, limits: Arc::clone(self) })
    }

    /// Closes the oldest unanswered session, when descriptors run out.
    pub(crate) fn evict_one(&self) {
        self.slots().evict_oldest_inactive();
    }

    fn slots(&self) -> MutexGuard<'_, Slots> {
        // Nothing that is done under the lock can panic half-way.
        self.slots.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A session's slot in the book; dropping it gives the slot back.
#[derive(Debug)]
pub(crate) struct SessionSlot {
    id: u64,
    source: SourceId,
    handle: Arc<SlotHandle>,
    limits: Arc<SessionLimits>,
}

impl SessionSlot {
    /// tmSessionID: unique in this process, never reused.
    pub(crate) fn id(&self) -> u64 {
        self.id
    }

    /// What others use to reach the session.
    pub(crate) fn handle(&self) -> &Arc<SlotHandle> {
        &self.handle
    }

    /// Notes that the engine accepted a message of this session.
    pub(crate) fn record_accepted_message(&self, now: Timestamp) {
        self.handle.last_message.store(now.as_micros(), Relaxed);
        if self.handle.is_active.swap(true, Relaxed) {
            return;
        }
        self.limits.slots().set_active(self.source, self.id);
    }

    /// Whether [`record_accepted_message`](Self::accepted) was ever called.
    pub(crate) fn is_active(&self) -> bool {
        self.handle.is_active.load(Relaxed)
    }
}

impl Drop for SessionSlot {
    fn drop(&mut self) {
        self.limits.slots().remove(self.source, self.id);
    }
}

/// How a session is reached from outside its task, also from other threads.
#[derive(Debug, Default)]
pub(crate) struct SlotHandle {
    /// Rouses the session's task.
    pub(crate) attention: Arc<Notify>,
    evicted: AtomicBool,
    is_active: AtomicBool,
    last_message: AtomicU64,
}

impl SlotHandle {
    /// Whether the session has to make room.
    pub(crate) fn is_evicted(&self) -> bool {
        self.evicted.load(Relaxed)
    }

    fn evict(&self) {
        self.evicted.store(true, Relaxed);
        self.attention.notify_one();
    }
}

#[derive(Debug, Default)]
struct Slots {
    last_id: u64,
    active: usize,
    /// Ids grow with time, so the first is the oldest.
    inactive: BTreeMap<u64, SourceId>,
    sources: HashMap<SourceId, SourceSessions>,
}

impl Slots {
    fn len(&self) -> usize {
        self.active + self.inactive.len()
    }

    /// Moves a session that still has its slot from unanswered to answered.
    fn set_active(&mut self, source: SourceId, id: u64) {
        let Some(sessions) = self.sources.get_mut(&source) else { return };
        if let Some(handle) = sessions.unanswered.remove(&id) {
            sessions.answered.insert(id, handle);
            self.inactive.remove(&id);
            self.active += 1;
        }
    }

    /// Closes the session of `source` that is least missed.
    fn evict_from(&mut self, source: SourceId) -> Option<()> {
        let sessions = self.sources.get(&source)?;
        let silent = || sessions.answered.iter().min_by_key(|(_, handle)| handle.last_message.load(Relaxed));
        let (&id, handle) = sessions.unanswered.first_key_value().or_else(silent)?;
        handle.evict();
        self.remove(source, id);
        Some(())
    }

    fn evict_oldest_inactive(&mut self) -> Option<()> {
        let (&id, &source) = self.inactive.first_key_value()?;
        if let Some(handle) = self.sources.get(&source).and_then(|sessions| sessions.unanswered.get(&id)) {
            handle.evict();
        }
        self.remove(source, id);
        Some(())
    }

    fn remove(&mut self, source: SourceId, id: u64) {
        self.inactive.remove(&id);
        if let Some(sessions) = self.sources.get_mut(&source) {
            sessions.unanswered.remove(&id);
            if sessions.answered.remove(&id).is_some() {
                self.active -= 1;
            }
            if sessions.len() == 0 {
                self.sources.remove(&source);
            }
        }
    }
}

/// The sessions of one source, by id.
#[derive(Debug, Default)]
struct SourceSessions {
    unanswered: BTreeMap<u64, Arc<SlotHandle>>,
    answered: BTreeMap<u64, Arc<SlotHandle>>,
}

impl SourceSessions {
    fn len(&self) -> usize {
        self.unanswered.len() + self.answered.len()
    }
}

/// What counts as one source: an IPv4 address, the /64 that one IPv6 host commands anyhow, or an account of this machine.
#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
pub(crate) enum SourceId {
    V4(u32),
    V6(u64),
    Account(u32),
}

impl From<IpAddr> for SourceId {
    fn from(peer: IpAddr) -> Self {
        match peer.to_canonical() {
            IpAddr::V4(v4) => Self::V4(v4.to_bits()),
            IpAddr::V6(v6) => Self::V6((v6.to_bits() >> 64) as u64),
        }
    }
}

#[cfg(test)]
mod tests;
