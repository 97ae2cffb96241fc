//! Requests that cannot be answered at once, each with the data that is needed to answer it later.
//! The number of pending requests is limited.

use portreeve_mib::LookupToken;
use portreeve_smi::Timestamp;
use portreeve_snmp_engine::StateReference;
use portreeve_snmp_message::OwnedPdu;

use crate::set::{SetLockGuard, Transaction};

/// A request that has not been answered.
pub(crate) struct PendingRequest<S> {
    /// The destination of the response.
    pub(crate) source: S,
    pub(crate) state: StateReference,
    pub(crate) pdu: OwnedPdu,
    pub(crate) waits_for: WaitsFor,
    /// The time at which the request is answered with genErr.
    pub(crate) deadline: Timestamp,
}

pub(crate) enum WaitsFor {
    /// The request waits for the value of this variable, counted from 1. When the value is
    /// available, the whole request is retried.
    Value(LookupToken, usize),
    /// The request waits for the lock for SET requests.
    SetLock,
    /// The request waits until its records are durable. This state has no deadline, because writing
    /// either succeeds or fails.
    Durable(LookupToken, Transaction, SetLockGuard),
}

/// The table of pending requests. It contains at most [`MAX_PENDING`] requests. Only SET requests
/// that are already committed are stored beyond this limit.
pub(crate) struct PendingTable<S> {
    entries: Vec<PendingRequest<S>>,
}

impl<S> PendingTable<S> {
    pub(crate) fn new() -> Self {
        Self { entries: Vec::new() }
    }

    /// Returns whether the table has no room for another request.
    pub(crate) fn is_full(&self) -> bool {
        self.entries.len() >= MAX_PENDING
    }

    pub(crate) fn push(&mut self, entry: PendingRequest<S>) {
        self.entries.push(entry);
    }

    /// Removes and returns the first entry that matches `predicate`, keeping the order of the
    /// others.
    pub(crate) fn take(
        &mut self,
        predicate: impl Fn(&PendingRequest<S>) -> bool,
    ) -> Option<PendingRequest<S>> {
        self.take_from(predicate).map(|(_, entry)| entry)
    }

    /// Like [`PendingTable::take`], and also returns the position of the entry.
    pub(crate) fn take_from(
        &mut self,
        predicate: impl Fn(&PendingRequest<S>) -> bool,
    ) -> Option<(usize, PendingRequest<S>)> {
        let position = self.entries.iter().position(predicate)?;
        Some((position, self.entries.remove(position)))
    }

    /// Moves the last entry to `position`.
    pub(crate) fn move_last_to(&mut self, position: usize) {
        if let Some(behind) = self.entries.get_mut(position..) {
            behind.rotate_right(usize::from(!behind.is_empty()));
        }
    }

    pub(crate) fn count(&self, predicate: impl Fn(&PendingRequest<S>) -> bool) -> usize {
        self.entries.iter().filter(|entry| predicate(entry)).count()
    }

    pub(crate) fn any(&self, predicate: impl Fn(&PendingRequest<S>) -> bool) -> bool {
        self.entries.iter().any(predicate)
    }

    /// Returns the earliest deadline of all requests.
    pub(crate) fn next_deadline(&self) -> Option<Timestamp> {
        let timed = self.entries.iter().filter(|entry| !entry.waits_for.is_durable());
        timed.map(|entry| entry.deadline).min()
    }

    /// Drops the requests of closed sources and returns their number. Requests that wait until
    /// their records are durable are kept.
    pub(crate) fn drop_requests_of(&mut self, is_closed: impl Fn(&S) -> bool) -> usize {
        let before = self.entries.len();
        self.entries.retain(|entry| entry.waits_for.is_durable() || !is_closed(&entry.source));
        before - self.entries.len()
    }
}

impl WaitsFor {
    pub(crate) fn is_durable(&self) -> bool {
        matches!(self, Self::Durable(..))
    }

    /// Returns whether the request waits for the durability of the records with this token.
    pub(crate) fn is_durability_of(&self, token: LookupToken) -> bool {
        matches!(self, Self::Durable(own, ..) if *own == token)
    }

    /// Returns whether the request waits for the value with this token.
    pub(crate) fn is_value_of(&self, token: LookupToken) -> bool {
        matches!(self, Self::Value(own, _) if *own == token)
    }

    pub(crate) fn is_set_lock(&self) -> bool {
        matches!(self, Self::SetLock)
    }

    /// Returns the error-index of the response if the request times out. This is the number of the
    /// variable for which the request waits, counted from 1, or 0 if it does not wait for a
    /// variable.
    pub(crate) fn variable(&self) -> usize {
        match self {
            Self::Value(_, variable) => *variable,
            Self::SetLock | Self::Durable(..) => 0,
        }
    }
}

/// The maximum number of pending requests of one worker.
const MAX_PENDING: usize = 256;
