//! Requests that cannot be answered at once, each with the data that is needed to answer it later.
//! The number of pending requests is limited.

use std::sync::Arc;

use portreeve_mib::LookupToken;
use portreeve_smi::Timestamp;
use portreeve_snmp_engine::StateReference;
use portreeve_snmp_message::OwnedPdu;

use crate::set::{SetClaim, SetToken};

/// A request that has not been answered.
pub(crate) struct PendingRequest<S> {
    /// The destination of the response.
    pub(crate) source: S,
    pub(crate) state: StateReference,
    pub(crate) pdu: Arc<OwnedPdu>,
    pub(crate) waits_for: WaitsFor,
    /// The time at which the request is answered with genErr.
    pub(crate) deadline: Timestamp,
}

pub(crate) enum WaitsFor {
    /// The request waits for the value of this variable, counted from 1. When the value is
    /// available, the whole request is retried.
    Value(LookupToken, usize),
    /// The SET waits until its execution starts. Nothing has changed before the claim is taken.
    SetStart(SetToken, SetClaim),
    /// The SET has started. This state has no deadline, because the SET either succeeds or fails.
    SetResult(SetToken),
}

/// The table of pending requests. It contains at most [`MAX_PENDING_SETS`] SETs, and
/// [`MAX_PENDING_READS`] others.
pub(crate) struct PendingTable<S> {
    entries: Vec<PendingRequest<S>>,
}

impl<S> PendingTable<S> {
    pub(crate) fn new() -> Self {
        Self { entries: Vec::new() }
    }

    /// Returns whether the table has no room for another request of this kind.
    pub(crate) fn is_full_for(&self, waits_for: &WaitsFor) -> bool {
        let is_set = waits_for.is_any_set();
        let limit = if is_set { MAX_PENDING_SETS } else { MAX_PENDING_READS };
        self.count(|entry| entry.waits_for.is_any_set() == is_set) >= limit
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
        let position = self.entries.iter().position(predicate)?;
        Some(self.entries.remove(position))
    }

    /// Notes which of the SETs that match `predicate` have started. The claims of the others are
    /// taken, so that they can no longer start.
    pub(crate) fn claim_sets(&mut self, predicate: impl Fn(&PendingRequest<S>) -> bool) {
        for entry in &mut self.entries {
            if predicate(entry)
                && let WaitsFor::SetStart(token, claim) = &entry.waits_for
                && !claim.take()
            {
                entry.waits_for = WaitsFor::SetResult(*token);
            }
        }
    }

    /// Returns the SETs.
    pub(crate) fn sets(&self) -> impl Iterator<Item = &PendingRequest<S>> {
        self.entries.iter().filter(|entry| entry.waits_for.is_any_set())
    }

    pub(crate) fn count(&self, predicate: impl Fn(&PendingRequest<S>) -> bool) -> usize {
        self.entries.iter().filter(|entry| predicate(entry)).count()
    }

    /// Returns the earliest deadline of all requests.
    pub(crate) fn next_deadline(&self) -> Option<Timestamp> {
        let timed = self.entries.iter().filter(|entry| !entry.waits_for.is_started());
        timed.map(|entry| entry.deadline).min()
    }

    /// Drops the requests of closed sources and returns their number. SETs that have started are
    /// kept.
    pub(crate) fn drop_requests_of(&mut self, is_closed: impl Fn(&S) -> bool) -> usize {
        let before = self.entries.len();
        self.claim_sets(|entry| is_closed(&entry.source));
        self.entries.retain(|entry| entry.waits_for.is_started() || !is_closed(&entry.source));
        before - self.entries.len()
    }
}

impl WaitsFor {
    /// Returns whether the request is a SET that is known to have started.
    pub(crate) fn is_started(&self) -> bool {
        matches!(self, Self::SetResult(_))
    }

    /// Returns whether the request is a SET.
    pub(crate) fn is_any_set(&self) -> bool {
        matches!(self, Self::SetStart(..) | Self::SetResult(_))
    }

    /// Returns whether the request is the SET with this token.
    pub(crate) fn is_set(&self, token: SetToken) -> bool {
        matches!(self, Self::SetStart(own, _) | Self::SetResult(own) if *own == token)
    }

    /// Returns whether the request waits for the value with this token.
    pub(crate) fn is_value_of(&self, token: LookupToken) -> bool {
        matches!(self, Self::Value(own, _) if *own == token)
    }

    /// Returns the error-index of the response if the request times out. This is the number of the
    /// variable for which the request waits, counted from 1, or 0 if it does not wait for a
    /// variable.
    pub(crate) fn variable(&self) -> usize {
        match self {
            Self::Value(_, variable) => *variable,
            Self::SetStart(..) | Self::SetResult(_) => 0,
        }
    }
}

/// The maximum number of pending SETs of one worker. It is higher than the number of SETs that wait
/// or are executed in an agent, so that the queue of SETs, which limits the share of each user, is
/// full first.
const MAX_PENDING_SETS: usize = 2048;
/// The maximum number of other pending requests of one worker.
const MAX_PENDING_READS: usize = 256;
