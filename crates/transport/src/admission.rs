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
pub(crate) struct Admission {
    total: usize,
    per_source: usize,
    book: Mutex<Book>,
}

impl Admission {
    pub(crate) fn new(total: usize, per_source: usize) -> Arc<Self> {
        Arc::new(Self { total, per_source, book: Mutex::default() })
    }

    /// Enters a new session from `peer`, at the cost of another if need be. `None`: no place is left.
    pub(crate) fn admit(self: &Arc<Self>, peer: impl Into<Origin>) -> Option<Place> {
        self.admit_with(peer, Arc::default())
    }

    /// The same for a session that shares with others what rouses it.
    pub(crate) fn admit_with(
        self: &Arc<Self>,
        peer: impl Into<Origin>,
        attention: Arc<Notify>,
    ) -> Option<Place> {
        let source = peer.into();
        let mut book = self.book();
        let share = book.sources.get(&source).map_or(0, SourceSessions::len);
        if share >= self.per_source {
            book.displace_of(source)?;
        } else if book.len() >= self.total {
            book.displace_oldest_unanswered()?;
        }
        book.last_id += 1;
        let id = book.last_id;
        let ticket = Arc::new(Ticket { attention, ..Ticket::default() });
        book.unanswered.insert(id, source);
        book.sources.entry(source).or_default().unanswered.insert(id, Arc::clone(&ticket));
        Some(Place { id, source, ticket, admission: Arc::clone(self) })
    }

    /// Closes the oldest unanswered session, when descriptors run out.
    pub(crate) fn shed(&self) {
        self.book().displace_oldest_unanswered();
    }

    fn book(&self) -> MutexGuard<'_, Book> {
        // Nothing that is done under the lock can panic half-way.
        self.book.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A session's place in the book; dropping it gives the place back.
#[derive(Debug)]
pub(crate) struct Place {
    id: u64,
    source: Origin,
    ticket: Arc<Ticket>,
    admission: Arc<Admission>,
}

impl Place {
    /// tmSessionID: unique in this process, never reused.
    pub(crate) fn id(&self) -> u64 {
        self.id
    }

    /// What others use to reach the session.
    pub(crate) fn ticket(&self) -> &Arc<Ticket> {
        &self.ticket
    }

    /// Notes that the engine accepted a message of this session.
    pub(crate) fn accepted(&self, now: Timestamp) {
        self.ticket.last_message.store(now.as_micros(), Relaxed);
        if self.ticket.answered.swap(true, Relaxed) {
            return;
        }
        self.admission.book().promote(self.source, self.id);
    }

    /// Whether [`accepted`](Self::accepted) was ever called.
    pub(crate) fn is_answered(&self) -> bool {
        self.ticket.answered.load(Relaxed)
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        self.admission.book().remove(self.source, self.id);
    }
}

/// How a session is reached from outside its task, also from other threads.
#[derive(Debug, Default)]
pub(crate) struct Ticket {
    /// Rouses the session's task.
    pub(crate) attention: Arc<Notify>,
    displaced: AtomicBool,
    answered: AtomicBool,
    last_message: AtomicU64,
}

impl Ticket {
    /// Whether the session has to make room.
    pub(crate) fn is_displaced(&self) -> bool {
        self.displaced.load(Relaxed)
    }

    fn displace(&self) {
        self.displaced.store(true, Relaxed);
        self.attention.notify_one();
    }
}

#[derive(Debug, Default)]
struct Book {
    last_id: u64,
    answered: usize,
    /// Ids grow with time, so the first is the oldest.
    unanswered: BTreeMap<u64, Origin>,
    sources: HashMap<Origin, SourceSessions>,
}

impl Book {
    fn len(&self) -> usize {
        self.answered + self.unanswered.len()
    }

    /// Moves a session that still has its place from unanswered to answered.
    fn promote(&mut self, source: Origin, id: u64) {
        let Some(sessions) = self.sources.get_mut(&source) else { return };
        if let Some(ticket) = sessions.unanswered.remove(&id) {
            sessions.answered.insert(id, ticket);
            self.unanswered.remove(&id);
            self.answered += 1;
        }
    }

    /// Closes the session of `source` that is least missed.
    fn displace_of(&mut self, source: Origin) -> Option<()> {
        let sessions = self.sources.get(&source)?;
        let silent = || sessions.answered.iter().min_by_key(|(_, ticket)| ticket.last_message.load(Relaxed));
        let (&id, ticket) = sessions.unanswered.first_key_value().or_else(silent)?;
        ticket.displace();
        self.remove(source, id);
        Some(())
    }

    fn displace_oldest_unanswered(&mut self) -> Option<()> {
        let (&id, &source) = self.unanswered.first_key_value()?;
        if let Some(ticket) = self.sources.get(&source).and_then(|sessions| sessions.unanswered.get(&id)) {
            ticket.displace();
        }
        self.remove(source, id);
        Some(())
    }

    fn remove(&mut self, source: Origin, id: u64) {
        self.unanswered.remove(&id);
        if let Some(sessions) = self.sources.get_mut(&source) {
            sessions.unanswered.remove(&id);
            if sessions.answered.remove(&id).is_some() {
                self.answered -= 1;
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
    unanswered: BTreeMap<u64, Arc<Ticket>>,
    answered: BTreeMap<u64, Arc<Ticket>>,
}

impl SourceSessions {
    fn len(&self) -> usize {
        self.unanswered.len() + self.answered.len()
    }
}

/// What counts as one source: an IPv4 address, the /64 that one IPv6 host commands anyhow, or an account of this machine.
#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
pub(crate) enum Origin {
    V4(u32),
    V6(u64),
    Account(u32),
}

impl From<IpAddr> for Origin {
    fn from(peer: IpAddr) -> Self {
        match peer.to_canonical() {
            IpAddr::V4(v4) => Self::V4(v4.to_bits()),
            IpAddr::V6(v6) => Self::V6((v6.to_bits() >> 64) as u64),
        }
    }
}

#[cfg(test)]
mod tests;
