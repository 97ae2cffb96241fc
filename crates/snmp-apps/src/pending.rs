//! Requests that cannot be answered at once, each with the data that is needed to answer it later.
//! The number of pending requests is limited.

use std::{collections::VecDeque, mem, sync::Arc};

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
    /// The SETs in the order of their arrival, which is also that of their deadlines, and usually
    /// that of their results: so most accesses concern the first of them.
    sets: VecDeque<PendingRequest<S>>,
    reads: Vec<PendingRequest<S>>,
}

impl<S> PendingTable<S> {
    pub(crate) fn new() -> Self {
        Self { sets: VecDeque::new(), reads: Vec::new() }
    }

    /// Returns whether the table has no room for another request of this kind.
    pub(crate) fn is_full_for(&self, waits_for: &WaitsFor) -> bool {
        match waits_for.is_any_set() {
            true => self.sets.len() >= MAX_PENDING_SETS,
            false => self.reads.len() >= MAX_PENDING_READS,
        }
    }

    pub(crate) fn push(&mut self, entry: PendingRequest<S>) {
        match entry.waits_for.is_any_set() {
            true => self.sets.push_back(entry),
            false => self.reads.push(entry),
        }
    }

    /// Removes and returns the SET with this token.
    pub(crate) fn take_set(&mut self, token: SetToken) -> Option<PendingRequest<S>> {
        let position = self.sets.iter().position(|entry| entry.waits_for.is_set(token))?;
        self.sets.remove(position)
    }

    /// Returns the number of requests that wait for the value with this token.
    pub(crate) fn count_reads(&self, token: LookupToken) -> usize {
        self.reads.iter().filter(|entry| entry.waits_for.is_value_of(token)).count()
    }

    /// Removes and returns the first request that waits for the value with this token.
    pub(crate) fn take_read(&mut self, token: LookupToken) -> Option<PendingRequest<S>> {
        let position = self.reads.iter().position(|entry| entry.waits_for.is_value_of(token))?;
        Some(self.reads.remove(position))
    }

    /// Removes and returns the requests whose deadline has passed, except SETs that have started.
    pub(crate) fn take_overdue(&mut self, now: Timestamp) -> Vec<PendingRequest<S>> {
        if self.next_deadline().is_none_or(|deadline| deadline > now) {
            return Vec::new();
        }
        self.claim_sets(|entry| entry.deadline <= now);
        let is_overdue = |entry: &PendingRequest<S>| entry.deadline <= now && !entry.waits_for.is_started();
        let (mut overdue, reads): (Vec<_>, Vec<_>) =
            mem::take(&mut self.reads).into_iter().partition(is_overdue);
        let (overdue_sets, sets): (VecDeque<_>, _) =
            mem::take(&mut self.sets).into_iter().partition(is_overdue);
        (self.reads, self.sets) = (reads, sets);
        overdue.extend(overdue_sets);
        overdue
    }

    /// Finds out which of the SETs that match `predicate` have started. The claims of the others
    /// are taken, so that they cannot start.
    fn claim_sets(&mut self, predicate: impl Fn(&PendingRequest<S>) -> bool) {
        for entry in &mut self.sets {
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
        self.sets.iter()
    }

    /// Returns the earliest deadline of all requests.
    pub(crate) fn next_deadline(&self) -> Option<Timestamp> {
        let set = self.sets.iter().find(|entry| !entry.waits_for.is_started());
        self.reads.iter().chain(set).map(|entry| entry.deadline).min()
    }

    /// Drops the requests of closed sources and returns their number. SETs that have started are
    /// kept.
    pub(crate) fn drop_requests_of(&mut self, is_closed: impl Fn(&S) -> bool) -> usize {
        let before = self.sets.len() + self.reads.len();
        self.claim_sets(|entry| is_closed(&entry.source));
        self.sets.retain(|entry| entry.waits_for.is_started() || !is_closed(&entry.source));
        self.reads.retain(|entry| !is_closed(&entry.source));
        before - self.sets.len() - self.reads.len()
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
pub(crate) const MAX_PENDING_SETS: usize = 2048;
/// The maximum number of other pending requests of one worker.
pub(crate) const MAX_PENDING_READS: usize = 256;
