//! Session limits: a total, a limit per source, and the choice of the session to evict at a limit.
//!
//! ```text
//! connection ──▶ source at its limit? ──yes──▶ evict its oldest inactive session,
//!                        │no                   else its least recently used one
//!                        ▼
//!                 total limit reached? ──yes──▶ evict a session of the heaviest source,
//!                                               or refuse the new session if it is the only
//!                                               inactive session of that source
//! ```
//! A session is active once the engine has accepted a message; a Report does not count. At the
//! total limit, an inactive session is evicted if inactive sessions occupy more than a quarter of
//! the slots, so that a flood of new connections cannot displace active sessions. Otherwise the
//! source with the most sessions loses one of them. IPv6 sources are also counted by /56 and /48,
//! because one owner controls many /64s. A source without sessions is therefore never refused, and
//! no group of sources can occupy all slots.
//!
//! All inactive sessions share one memory budget. When it is exceeded, the oldest inactive session
//! of one source is evicted. This is the source whose inactive sessions have grown most since they
//! began, or if no session has grown, the source with the most inactive sessions.

use std::cell::Cell;
use std::collections::{BTreeMap, HashMap};
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use portreeve_smi::Timestamp;
use tokio::sync::Notify;

mod memory;
mod source;

pub(crate) use memory::new_session_memory;
pub(crate) use source::SourceId;
use source::SourceRanking;

use crate::limits::Limits;

/// The open sessions, shared by all workers. Messages of an active session do not need the lock.
#[derive(Debug)]
pub(crate) struct SessionLimits {
    max_sessions: usize,
    max_per_source: usize,
    /// The maximum memory of all inactive sessions, in bytes.
    max_inactive_memory: usize,
    slots: Mutex<Slots>,
}

impl SessionLimits {
    pub(crate) fn new(limits: &Limits) -> Arc<Self> {
        Arc::new(Self {
            max_sessions: limits.max_sessions,
            max_per_source: limits.max_sessions_per_source,
            max_inactive_memory: limits.unauthenticated_memory,
            slots: Mutex::default(),
        })
    }

    /// Adds a new session from `peer`, evicting another session if necessary. Returns `None` if the
    /// peer's source already has the most sessions and all of them are active. `memory` is the
    /// memory of a new session in bytes.
    pub(crate) fn admit(self: &Arc<Self>, peer: impl Into<SourceId>, memory: usize) -> Option<SessionSlot> {
        self.admit_with_waker(peer, memory, Arc::default())
    }

    /// Like [`admit`](Self::admit), for a session that shares its `waker` with other sessions.
    pub(crate) fn admit_with_waker(
        self: &Arc<Self>,
        peer: impl Into<SourceId>,
        memory: usize,
        waker: Arc<Notify>,
    ) -> Option<SessionSlot> {
        let source = peer.into();
        let handle = Arc::new(SlotHandle::new(waker));
        let mut slots = self.slots();
        let count = slots.sources.get(&source).map_or(0, SourceSessions::len);
        if count >= self.max_per_source {
            slots.evict_from(source)?;
        }
        let id = slots.insert(source, memory, Arc::clone(&handle));
        if slots.len() > self.max_sessions && !slots.evict_for(Some(id)) {
            slots.remove(source, id);
            return None;
        }
        slots.enforce_memory(self.max_inactive_memory, Some(id));
        Some(SessionSlot { id, source, handle, memory: Cell::new(memory), limits: Arc::clone(self) })
    }

    /// Evicts a session when file descriptors run out.
    pub(crate) fn evict_one(&self) {
        self.slots().evict_for(None);
    }

    /// Requests that each session checks whether its identity is still accepted.
    pub(crate) fn recheck_all(&self) {
        let slots = self.slots();
        for sessions in slots.sources.values() {
            let inactive = sessions.inactive.values().map(|session| &session.handle);
            inactive.chain(sessions.active.values()).for_each(|handle| handle.recheck());
        }
    }

    /// Returns the number of open sessions of each of `listeners` listeners.
    pub(crate) fn count_by_listener(&self, listeners: usize) -> Vec<SessionCount> {
        let mut counts = vec![SessionCount::default(); listeners];
        let slots = self.slots();
        for sessions in slots.sources.values() {
            let inactive = sessions.inactive.values().map(|session| (&session.handle, 0));
            let active = sessions.active.values().map(|handle| (handle, 1));
            for (handle, active) in inactive.chain(active) {
                if let Some(count) = counts.get_mut(handle.listener.load(Relaxed)) {
                    count.open += 1;
                    count.active += active;
                }
            }
        }
        counts
    }

    fn slots(&self) -> MutexGuard<'_, Slots> {
        // The state is consistent even if a thread has panicked: no code that holds the lock can
        // panic in the middle of a change.
        self.slots.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The number of sessions of one listener.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct SessionCount {
    /// The open sessions, including those whose handshake is not complete.
    pub open: usize,
    /// The sessions of which the engine has accepted a message.
    pub active: usize,
}

/// The slot of a session; dropping it frees the slot.
#[derive(Debug)]
pub(crate) struct SessionSlot {
    id: u64,
    source: SourceId,
    handle: Arc<SlotHandle>,
    /// The memory of the session in bytes, as last recorded.
    memory: Cell<usize>,
    limits: Arc<SessionLimits>,
}

impl SessionSlot {
    /// Returns the tmSessionID: unique in this process, never reused.
    pub(crate) fn id(&self) -> u64 {
        self.id
    }

    /// Returns the handle with which other tasks can wake or evict the session.
    pub(crate) fn handle(&self) -> &Arc<SlotHandle> {
        &self.handle
    }

    /// Records the index of the listener that the session belongs to.
    pub(crate) fn record_listener(&self, listener: usize) {
        self.handle.listener.store(listener, Relaxed);
    }

    /// Records that the engine accepted a message of this session.
    pub(crate) fn record_accepted_message(&self, now: Timestamp) {
        self.handle.last_message.store(now.as_micros(), Relaxed);
        if self.handle.is_active.swap(true, Relaxed) {
            return;
        }
        self.limits.slots().set_active(self.source, self.id);
    }

    /// Records that the session uses `memory` bytes. If this exceeds the budget of inactive
    /// sessions, sessions are evicted, which may include this one.
    pub(crate) fn record_memory(&self, memory: usize) {
        let memory = memory.next_multiple_of(MEMORY_STEP);
        if self.is_active() || memory <= self.memory.get() {
            return;
        }
        let mut slots = self.limits.slots();
        slots.set_memory(self.source, self.id, memory);
        slots.enforce_memory(self.limits.max_inactive_memory, None);
        self.memory.set(memory);
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
#[derive(Debug)]
pub(crate) struct SlotHandle {
    /// Wakes the session's task.
    pub(crate) waker: Arc<Notify>,
    evicted: AtomicBool,
    needs_recheck: AtomicBool,
    is_active: AtomicBool,
    last_message: AtomicU64,
    /// The index of the listener, or [`NO_LISTENER`].
    listener: AtomicUsize,
}

impl Default for SlotHandle {
    fn default() -> Self {
        Self::new(Arc::default())
    }
}

impl SlotHandle {
    fn new(waker: Arc<Notify>) -> Self {
        Self {
            waker,
            evicted: AtomicBool::new(false),
            needs_recheck: AtomicBool::new(false),
            is_active: AtomicBool::new(false),
            last_message: AtomicU64::new(0),
            listener: AtomicUsize::new(NO_LISTENER),
        }
    }

    /// Returns whether the session is evicted and must close to free its slot.
    pub(crate) fn is_evicted(&self) -> bool {
        self.evicted.load(Relaxed)
    }

    /// Returns whether the session must check its identity, and clears this flag.
    pub(crate) fn take_recheck(&self) -> bool {
        self.needs_recheck.load(Relaxed) && self.needs_recheck.swap(false, Relaxed)
    }

    /// Returns whether the session must check its identity.
    pub(crate) fn needs_recheck(&self) -> bool {
        self.needs_recheck.load(Relaxed)
    }

    fn recheck(&self) {
        self.needs_recheck.store(true, Relaxed);
        self.waker.notify_one();
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
    /// The sources of inactive sessions, ranked by the number of these sessions.
    inactive: SourceRanking,
    /// The sources of inactive sessions, ranked by the memory growth of these sessions. The initial
    /// memory of a session does not count, so that new sessions of expensive transports are not
    /// evicted first.
    inactive_growth: SourceRanking,
    /// The memory of all inactive sessions in bytes.
    inactive_memory: usize,
}

impl Slots {
    fn len(&self) -> usize {
        self.active_count + self.inactive_count
    }

    /// Adds an inactive session and returns its ID. IDs are ascending, so the session with the
    /// lowest ID is the oldest.
    fn insert(&mut self, source: SourceId, memory: usize, handle: Arc<SlotHandle>) -> u64 {
        self.last_id += 1;
        self.all.change(source, 0, 1);
        self.inactive.change(source, 0, 1);
        let session = InactiveSession { handle, initial_memory: memory, memory };
        self.inactive_growth.change(source, 0, session.growth());
        self.sources.entry(source).or_default().inactive.insert(self.last_id, session);
        self.inactive_count += 1;
        self.inactive_memory += memory;
        self.last_id
    }

    /// Sets the memory of an inactive session that still has its slot.
    fn set_memory(&mut self, source: SourceId, id: u64, memory: usize) {
        let sessions = self.sources.get_mut(&source);
        let Some(session) = sessions.and_then(|sessions| sessions.inactive.get_mut(&id)) else { return };
        self.inactive_memory = self.inactive_memory - session.memory + memory;
        let growth = session.growth();
        session.memory = memory;
        self.inactive_growth.change(source, growth, session.growth());
    }

    /// Evicts inactive sessions until they use at most `limit` bytes together, or until
    /// `new_session` would be evicted next.
    fn enforce_memory(&mut self, limit: usize, new_session: Option<u64>) {
        while self.inactive_memory > limit {
            let heaviest = self.inactive_growth.heaviest();
            let sessions = heaviest.and_then(|source| Some((source, self.sources.get(&source)?)));
            match sessions.and_then(|(source, sessions)| Some((source, *sessions.inactive.keys().next()?))) {
                Some((source, id)) if Some(id) != new_session => self.evict(source, id),
                _ => break,
            }
        }
    }

    /// Marks a session that still has its slot as active.
    fn set_active(&mut self, source: SourceId, id: u64) {
        let Some(session) = self.remove_inactive(source, id) else { return };
        let Some(sessions) = self.sources.get_mut(&source) else { return };
        sessions.active.insert(id, session.handle);
        self.active_count += 1;
    }

    /// Evicts the oldest inactive session of `source`; if it has none, its least recently used
    /// session.
    fn evict_from(&mut self, source: SourceId) -> Option<()> {
        let sessions = self.sources.get(&source)?;
        let least_recent =
            || sessions.active.iter().min_by_key(|(_, handle)| handle.last_message.load(Relaxed));
        let oldest = sessions.inactive.keys().next();
        let id = *oldest.or_else(|| least_recent().map(|(id, _)| id))?;
        self.evict(source, id);
        Some(())
    }

    /// Evicts a session of the heaviest source. This makes room for `new_session`, which is already
    /// in the table, or if `new_session` is `None`, for a connection whose source is unknown.
    /// Returns false if `new_session` is the only inactive session of the heaviest source, or if
    /// there are no sessions.
    fn evict_for(&mut self, new_session: Option<u64>) -> bool {
        let others = self.inactive_count - usize::from(new_session.is_some());
        let is_flood = others * MAX_INACTIVE_SHARE > self.len() - usize::from(new_session.is_some());
        let ranking = if is_flood { &self.inactive } else { &self.all };
        let Some(source) = ranking.heaviest() else { return false };
        // The new session is the youngest, so it is the oldest inactive session of its source only
        // if its source has no other inactive session.
        let oldest = self.sources.get(&source).and_then(|sessions| sessions.inactive.keys().next());
        if oldest.is_some() && oldest == new_session.as_ref() {
            return false;
        }
        self.evict_from(source).is_some()
    }

    /// Removes a session from the table and notifies it.
    fn evict(&mut self, source: SourceId, id: u64) {
        if let Some(handle) = self.remove(source, id) {
            handle.evict();
        }
    }

    fn remove(&mut self, source: SourceId, id: u64) -> Option<Arc<SlotHandle>> {
        let handle = match self.remove_inactive(source, id) {
            Some(session) => session.handle,
            None => {
                let handle = self.sources.get_mut(&source)?.active.remove(&id)?;
                self.active_count -= 1;
                handle
            }
        };
        self.all.change(source, 1, 0);
        if self.sources.get(&source).is_some_and(|sessions| sessions.len() == 0) {
            self.sources.remove(&source);
        }
        Some(handle)
    }

    /// Removes a session from the inactive sessions of its source, but keeps the source.
    fn remove_inactive(&mut self, source: SourceId, id: u64) -> Option<InactiveSession> {
        let session = self.sources.get_mut(&source)?.inactive.remove(&id)?;
        self.inactive_count -= 1;
        self.inactive_memory -= session.memory;
        self.inactive.change(source, 1, 0);
        self.inactive_growth.change(source, session.growth(), 0);
        Some(session)
    }
}

/// The sessions of one source, by ID.
#[derive(Debug, Default)]
struct SourceSessions {
    inactive: BTreeMap<u64, InactiveSession>,
    active: BTreeMap<u64, Arc<SlotHandle>>,
}

impl SourceSessions {
    fn len(&self) -> usize {
        self.inactive.len() + self.active.len()
    }
}

#[derive(Debug)]
struct InactiveSession {
    handle: Arc<SlotHandle>,
    /// The memory in bytes that the session used when it was new.
    initial_memory: usize,
    /// The memory of the session in bytes, as last recorded.
    memory: usize,
}

impl InactiveSession {
    /// Returns the growth of the memory in bytes, plus one, so that a session without growth counts
    /// as well.
    fn growth(&self) -> usize {
        1 + self.memory.saturating_sub(self.initial_memory)
    }
}

/// The index of a session that is not assigned to a listener yet.
const NO_LISTENER: usize = usize::MAX;

/// The unit in which the memory of a session is recorded, so that few messages need the lock.
const MEMORY_STEP: usize = 4096;

/// Inactive sessions are evicted first while they occupy more than a quarter of the slots. The
/// value is the denominator of this fraction.
const MAX_INACTIVE_SHARE: usize = 4;

#[cfg(test)]
mod tests;
