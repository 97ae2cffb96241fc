//! Requests whose answers take time: each with all it needs to be answered later, and never too many of them.

use portreeve_mib::LookupToken;
use portreeve_smi::Timestamp;
use portreeve_snmp_engine::StateReference;
use portreeve_snmp_message::OwnedPdu;

use crate::set::{SetLockGuard, Transaction};

/// A request that is not yet answered.
pub(crate) struct PendingRequest<S> {
    /// Where the outcome goes.
    pub(crate) source: S,
    pub(crate) state: StateReference,
    pub(crate) pdu: OwnedPdu,
    pub(crate) waits_for: WaitsFor,
    /// When waiting ends with genErr.
    pub(crate) deadline: Timestamp,
}

pub(crate) enum WaitsFor {
    /// The value of a variable, counted from 1, that somebody fetches; the whole request is then tried again.
    Value(LookupToken, usize),
    /// Its turn to change things.
    SetLock,
    /// Its records to be durable. Has no deadline: it either succeeds or fails.
    Durable(LookupToken, Transaction, SetLockGuard),
}

/// The table of pending requests. Bounded: what does not fit is refused to whoever asks last.
pub(crate) struct PendingTable<S> {
    entries: Vec<PendingRequest<S>>,
}

impl<S> PendingTable<S> {
    pub(crate) fn new() -> Self {
        Self { entries: Vec::new() }
    }

    /// Whether one more would be too many.
    pub(crate) fn is_full(&self) -> bool {
        self.entries.len() >= MAX_PENDING
    }

    pub(crate) fn push(&mut self, entry: PendingRequest<S>) {
        self.entries.push(entry);
    }

    /// Takes out the first entry that `predicate` picks; the order of the others stays.
    pub(crate) fn take(
        &mut self,
        predicate: impl Fn(&PendingRequest<S>) -> bool,
    ) -> Option<PendingRequest<S>> {
        self.take_from(predicate).map(|(_, entry)| entry)
    }

    /// As [`PendingTable::take`], and says where it stood.
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

    /// When the first deadline comes.
    pub(crate) fn next_deadline(&self) -> Option<Timestamp> {
        let timed = self.entries.iter().filter(|entry| !entry.waits_for.is_durable());
        timed.map(|entry| entry.deadline).min()
    }

    /// Forgets requests that nobody can be told about any more; returns how many. What waits for its records to be durable
    /// stays.
    pub(crate) fn drop_requests_of(&mut self, is_gone: impl Fn(&S) -> bool) -> usize {
        let before = self.entries.len();
        self.entries.retain(|entry| entry.waits_for.is_durable() || !is_gone(&entry.source));
        before - self.entries.len()
    }
}

impl WaitsFor {
    pub(crate) fn is_durable(&self) -> bool {
        matches!(self, Self::Durable(..))
    }

    pub(crate) fn is_set_lock(&self) -> bool {
        matches!(self, Self::SetLock)
    }

    /// The variable to blame if it waits in vain, counted from 1; 0 for none in particular.
    pub(crate) fn variable(&self) -> usize {
        match self {
            Self::Value(_, variable) => *variable,
            Self::SetLock | Self::Durable(..) => 0,
        }
    }
}

/// Requests that may wait in one worker.
const MAX_PENDING: usize = 256;
