//! The queue of events for the NETCONF thread.

use std::{
    collections::{BTreeSet, VecDeque},
    mem,
    sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use portreeve_datastore::TransactionResult;
use portreeve_netconf::{Peer, TransactionId};

use super::{pipe::Pipe, status::NetconfStatus};

/// An event. Sessions are identified by the number that the transport has given them.
pub(super) enum Event {
    /// A session begins.
    Opened { session: u64, peer: Peer, pipe: Pipe },
    /// A session has octets, or room for output.
    Ready(u64),
    /// The connection of a session is closed.
    Closed(u64),
    /// A transaction has ended.
    Committed { transaction: TransactionId, result: TransactionResult },
    /// The recovery users have changed.
    RecoveryUsers(BTreeSet<Arc<str>>),
    /// The status is requested.
    Status(Box<dyn FnOnce(NetconfStatus) + Send>),
    /// The operator ends the session with this NETCONF identifier. The answer is false if there is
    /// none.
    Kill(u32, Box<dyn FnOnce(bool) + Send>),
    /// The agent stops: requests that are being executed are answered, and then the thread ends.
    Stop,
}

/// The queue. It contains at most one event of each kind for each session that is open or was open
/// since the thread last took events.
#[derive(Default)]
pub(super) struct EventQueue {
    events: Mutex<VecDeque<Event>>,
    added: Condvar,
}

impl EventQueue {
    /// Adds an event.
    pub(super) fn push(&self, event: Event) {
        self.events().push_back(event);
        self.added.notify_one();
    }

    /// Returns all events. Waits for one if there are none, but at most `max_wait`.
    pub(super) fn take(&self, max_wait: Duration) -> VecDeque<Event> {
        let events = self.events();
        if max_wait.is_zero() || !events.is_empty() {
            return mem::take(&mut *{ events });
        }
        let waited = self.added.wait_timeout_while(events, max_wait, |events| events.is_empty());
        mem::take(&mut *waited.unwrap_or_else(PoisonError::into_inner).0)
    }

    /// The queue is always consistent, even after a panic.
    fn events(&self) -> MutexGuard<'_, VecDeque<Event>> {
        self.events.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
