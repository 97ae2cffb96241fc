//! Session limits: a total, a limit per source, and the choice of the session to evict at a limit.
//!
//! ```text
//! connection ──▶ source at its limit? ──yes──▶ evict its oldest inactive session,
//!                        │no                   else its least recently used one
//!                        ▼
//!                 total limit reached? ──yes──▶ evict the oldest inactive session, else refuse
//! ```
//! A session is active once the engine has accepted a message. A source that opens many connections
//! without sending messages therefore evicts only its own sessions, and a new connection is
//! accepted whenever its source is below its limit or has a session to evict.

use std::collections::{BTreeMap, HashMap};
use std::net::IpAddr;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use portreeve_smi::Timestamp;
use tokio::sync::Notify;

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

    /// Adds a new session from `peer`, evicting another if necessary. `None`: no slot is free.
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
        let mut slots = self.slots();
        let count = slots.sources.get(&source).map_or(0, SourceSessions::len);
        if count >= self.max_per_source {
            slots.evict_from(source)?;
        } else if slots.len() >= self.max_sessions {
            slots.evict_oldest_inactive()?;
        }
        slots.last_id += 1;
        let id = slots.last_id;
        let handle = Arc::new(SlotHandle { waker, ..SlotHandle::default() });
        slots.inactive.insert(id, source);
        slots.sources.entry(source).or_default().inactive.insert(id, Arc::clone(&handle));
        Some(SessionSlot { id, source, handle, limits: Arc::clone(self) })
    }

    /// Evicts the oldest inactive session when file descriptors run out.
    pub(crate) fn evict_one(&self) {
        self.slots().evict_oldest_inactive();
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
    /// Inactive sessions by ID. IDs are ascending, so the first is the oldest.
    inactive: BTreeMap<u64, SourceId>,
    sources: HashMap<SourceId, SourceSessions>,
}

impl Slots {
    fn len(&self) -> usize {
        self.active_count + self.inactive.len()
    }

    /// Marks a session that still has its slot as active.
    fn set_active(&mut self, source: SourceId, id: u64) {
        let Some(sessions) = self.sources.get_mut(&source) else { return };
        if let Some(handle) = sessions.inactive.remove(&id) {
            sessions.active.insert(id, handle);
            self.inactive.remove(&id);
            self.active_count += 1;
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

    fn evict_oldest_inactive(&mut self) -> Option<()> {
        let (&id, &source) = self.inactive.first_key_value()?;
        if let Some(handle) = self.sources.get(&source).and_then(|sessions| sessions.inactive.get(&id)) {
            handle.evict();
        }
        self.remove(source, id);
        Some(())
    }

    fn remove(&mut self, source: SourceId, id: u64) {
        self.inactive.remove(&id);
        if let Some(sessions) = self.sources.get_mut(&source) {
            sessions.inactive.remove(&id);
            if sessions.active.remove(&id).is_some() {
                self.active_count -= 1;
            }
            if sessions.len() == 0 {
                self.sources.remove(&source);
            }
        }
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

/// The key of a source: an IPv4 address, the IPv6 /64 that one host controls anyway, or a local
/// account.
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
