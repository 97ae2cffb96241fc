//! Session limits: a total, a limit per source, and the choice of the session to evict at a limit.
//!
//! ```text
//! connection ──▶ source at its limit? ──yes──▶ evict its oldest inactive session,
//!                        │no                   else its least recently used one
//!                        ▼
//!                 total limit reached? ──yes──▶ evict a session of the heaviest source,
//!                                               or refuse if that is the newcomer's own
//! ```
//! A session is active once the engine has accepted a message; a Report does not count. At the
//! total limit, inactive sessions lose first while they occupy more than a quarter of the slots, so
//! that a flood of new connections cannot displace active sessions. Otherwise the source with the
//! most sessions loses one. IPv6 sources are also counted by /56 and /48, because one owner controls
//! many /64s. A source without sessions is therefore never refused, and no group of sources can
//! occupy all slots.

use std::collections::{BTreeMap, HashMap};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use portreeve_smi::Timestamp;
use tokio::sync::Notify;

mod source;

pub(crate) use source::SourceId;
use source::SourceRanking;

/// The open sessions, shared by all workers; locked only when a session starts, becomes active, or
/// ends.
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

    /// Adds a new session from `peer`, evicting another if necessary. `None`: the peer's source
    /// already has the most sessions, all of them active.
    pub(crate) fn admit(self: &Arc<Self>, peer: impl Into<SourceId>) -> Option<SessionSlot> {
        self.admit_with_waker(peer, Arc::default())
    }

    /// Like [`admit`](Self::admit), for a session that shares its `waker` with other sessions.
    pub(crate) fn admit_with_waker(
        self: &Arc<Self>,
        peer: impl Into<SourceId>,
        waker: Arc<Notify>,
    ) -> Option<SessionSlot> {
        let source = peer.into();
        let handle = Arc::new(SlotHandle { waker, ..SlotHandle::default() });
        let mut slots = self.slots();
        let count = slots.sources.get(&source).map_or(0, SourceSessions::len);
        if count >= self.max_per_source {
            slots.evict_from(source)?;
        }
        let id = slots.insert(source, Arc::clone(&handle));
        if slots.len() > self.max_sessions && !slots.evict_for(Some(id)) {
            slots.remove(source, id);
            return None;
        }
        Some(SessionSlot { id, source, handle, limits: Arc::clone(self) })
    }

    /// Evicts a session when file descriptors run out.
    pub(crate) fn evict_one(&self) {
        self.slots().evict_for(None);
    }

    fn slots(&self) -> MutexGuard<'_, Slots> {
        // No code under the lock can panic midway.
        self.slots.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The slot of a session; dropping it frees the slot.
#[derive(Debug)]
pub(crate) struct SessionSlot {
    id: u64,
    source: SourceId,
    handle: Arc<SlotHandle>,
    limits: Arc<SessionLimits>,
}

impl SessionSlot {
    /// Returns the tmSessionID: unique in this process, never reused.
    pub(crate) fn id(&self) -> u64 {
        self.id
    }

    /// Returns the handle by which other tasks reach the session.
    pub(crate) fn handle(&self) -> &Arc<SlotHandle> {
        &self.handle
    }

    /// Records that the engine accepted a message of this session.
    pub(crate) fn record_accepted_message(&self, now: Timestamp) {
        self.handle.last_message.store(now.as_micros(), Relaxed);
        if self.handle.is_active.swap(true, Relaxed) {
            return;
        }
        self.limits.slots().set_active(self.source, self.id);
    }

    /// Returns whether the engine has accepted a message of this session.
    pub(crate) fn is_active(&self) -> bool {
        self.handle.is_active.load(Relaxed)
    }
}

impl Drop for SessionSlot {
    fn drop(&mut self) {
        self.limits.slots().remove(self.source, self.id);
    }
}

/// The handle of a session for other tasks and threads.
#[derive(Debug, Default)]
pub(crate) struct SlotHandle {
    /// Wakes the session's task.
    pub(crate) waker: Arc<Notify>,
    evicted: AtomicBool,
    is_active: AtomicBool,
    last_message: AtomicU64,
}

impl SlotHandle {
    /// Returns whether the session must close to free its slot.
    pub(crate) fn is_evicted(&self) -> bool {
        self.evicted.load(Relaxed)
    }

    fn evict(&self) {
        self.evicted.store(true, Relaxed);
        self.waker.notify_one();
    }
}

#[derive(Debug, Default)]
struct Slots {
    last_id: u64,
    active_count: usize,
    inactive_count: usize,
    sources: HashMap<SourceId, SourceSessions>,
    /// The sources of all sessions.
    all: SourceRanking,
    /// The sources of inactive sessions.
    inactive: SourceRanking,
}

impl Slots {
    fn len(&self) -> usize {
        self.active_count + self.inactive_count
    }

    /// Adds an inactive session and returns its ID. IDs are ascending, so the first is the oldest.
    fn insert(&mut self, source: SourceId, handle: Arc<SlotHandle>) -> u64 {
        self.last_id += 1;
        self.inactive_count += 1;
        self.all.add(source, 1);
        self.inactive.add(source, 1);
        self.sources.entry(source).or_default().inactive.insert(self.last_id, handle);
        self.last_id
    }

    /// Marks a session that still has its slot as active.
    fn set_active(&mut self, source: SourceId, id: u64) {
        let Some(sessions) = self.sources.get_mut(&source) else { return };
        if let Some(handle) = sessions.inactive.remove(&id) {
            sessions.active.insert(id, handle);
            self.inactive_count -= 1;
            self.active_count += 1;
            self.inactive.subtract(source, 1);
        }
    }

    /// Evicts the oldest inactive session of `source`, or its least recently used one.
    fn evict_from(&mut self, source: SourceId) -> Option<()> {
        let sessions = self.sources.get(&source)?;
        let least_recent =
            || sessions.active.iter().min_by_key(|(_, handle)| handle.last_message.load(Relaxed));
        let (&id, handle) = sessions.inactive.first_key_value().or_else(least_recent)?;
        handle.evict();
        self.remove(source, id);
        Some(())
    }

    /// Evicts a session of the heaviest source for the session `newcomer`, which is already in the
    /// table, or for a connection of unknown source. Returns false if only the newcomer's own source
    /// could lose an active session.
    fn evict_for(&mut self, newcomer: Option<u64>) -> bool {
        let others = self.inactive_count - usize::from(newcomer.is_some());
        let is_flood = others * MAX_INACTIVE_SHARE > self.len() - usize::from(newcomer.is_some());
        let ranking = if is_flood { &self.inactive } else { &self.all };
        let Some(source) = ranking.heaviest() else { return false };
        let inactive = self.sources.get(&source).map(|sessions| &sessions.inactive);
        // The newcomer is the youngest, so it is the first only if it is the only one.
        let oldest = inactive.and_then(BTreeMap::first_key_value).map(|(&id, _)| id);
        if oldest.is_some() && oldest == newcomer {
            return false;
        }
        self.evict_from(source).is_some()
    }

    fn remove(&mut self, source: SourceId, id: u64) {
        let Some(sessions) = self.sources.get_mut(&source) else { return };
        if sessions.inactive.remove(&id).is_some() {
            self.inactive_count -= 1;
            self.inactive.subtract(source, 1);
        } else if sessions.active.remove(&id).is_some() {
            self.active_count -= 1;
        } else {
            return;
        }
        if sessions.len() == 0 {
            self.sources.remove(&source);
        }
        self.all.subtract(source, 1);
    }
}

/// The sessions of one source, by ID.
#[derive(Debug, Default)]
struct SourceSessions {
    inactive: BTreeMap<u64, Arc<SlotHandle>>,
    active: BTreeMap<u64, Arc<SlotHandle>>,
}

impl SourceSessions {
    fn len(&self) -> usize {
        self.inactive.len() + self.active.len()
    }
}

/// Inactive sessions lose their slots first while they occupy more than one part in this many.
const MAX_INACTIVE_SHARE: usize = 4;

#[cfg(test)]
mod tests;
