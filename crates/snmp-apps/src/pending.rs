//! Requests whose answers take time: each with all it needs to be answered later, and never too many of them.

use portreeve_mib::Token;
use portreeve_smi::Timestamp;
use portreeve_snmp_engine::StateReference;
use portreeve_snmp_message::OwnedPdu;

use crate::set::{Transaction, Turn};

/// A request that is not yet answered.
pub(crate) struct Pending<S> {
    /// Where the answer goes.
    pub(crate) source: S,
    pub(crate) state: StateReference,
    pub(crate) pdu: OwnedPdu,
    pub(crate) waits_for: WaitsFor,
    /// When waiting ends with genErr.
    pub(crate) deadline: Timestamp,
}

pub(crate) enum WaitsFor {
    /// The value of a variable, counted from 1, that somebody fetches; the whole request is then tried again.
    Value(Token, usize),
    /// Its turn to change things.
    Turn,
    /// Its records to be durable. Has no deadline: it either succeeds or fails.
    Durable(Token, Transaction, Turn),
}

/// The table of pending requests. Bounded: what does not fit is refused to whoever asks last.
pub(crate) struct PendingTable<S> {
    entries: Vec<Pending<S>>,
}

impl<S> PendingTable<S> {
    pub(crate) fn new() -> Self {
        Self { entries: Vec::new() }
    }

    /// Whether one more would be too many.
    pub(crate) fn is_full(&self) -> bool {
        self.entries.len() >= CAPACITY
    }

    pub(crate) fn push(&mut self, entry: Pending<S>) {
        self.entries.push(entry);
    }

    /// Takes out the first entry that `wanted` picks; the order of the others stays.
    pub(crate) fn take(&mut self, wanted: impl Fn(&Pending<S>) -> bool) -> Option<Pending<S>> {
        self.take_from(wanted).map(|(_, entry)| entry)
    }

    /// As [`PendingTable::take`], and says where it stood.
    pub(crate) fn take_from(&mut self, wanted: impl Fn(&Pending<S>) -> bool) -> Option<(usize, Pending<S>)> {
        let position = self.entries.iter().position(wanted)?;
        Some((position, self.entries.remove(position)))
    }

    /// Moves the last entry to `position`.
    pub(crate) fn move_last_to(&mut self, position: usize) {
        if let Some(behind) = self.entries.get_mut(position..) {
            behind.rotate_right(usize::from(!behind.is_empty()));
        }
    }

    pub(crate) fn count(&self, wanted: impl Fn(&Pending<S>) -> bool) -> usize {
        self.entries.iter().filter(|entry| wanted(entry)).count()
    }

    pub(crate) fn any(&self, wanted: impl Fn(&Pending<S>) -> bool) -> bool {
        self.entries.iter().any(wanted)
    }

    /// When the first deadline comes.
    pub(crate) fn next_deadline(&self) -> Option<Timestamp> {
        let timed = self.entries.iter().filter(|entry| !entry.waits_for.is_durable());
        timed.map(|entry| entry.deadline).min()
    }

    /// Forgets requests that nobody can be told about any more; returns how many. What waits for its records to be durable
    /// stays.
    pub(crate) fn forget(&mut self, is_gone: impl Fn(&S) -> bool) -> usize {
        let before = self.entries.len();
        self.entries.retain(|entry| entry.waits_for.is_durable() || !is_gone(&entry.source));
        before - self.entries.len()
    }
}

impl WaitsFor {
    pub(crate) fn is_durable(&self) -> bool {
        matches!(self, Self::Durable(..))
    }

    pub(crate) fn is_turn(&self) -> bool {
        matches!(self, Self::Turn)
    }

    /// The variable to blame if it waits in vain, counted from 1; 0 for none in particular.
    pub(crate) fn variable(&self) -> usize {
        match self {
            Self::Value(_, variable) => *variable,
            Self::Turn | Self::Durable(..) => 0,
        }
    }
}

/// Requests that may wait in one worker.
const CAPACITY: usize = 256;
