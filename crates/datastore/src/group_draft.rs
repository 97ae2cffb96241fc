//! A group of transactions that are drafted on one another.

use std::sync::Arc;

use portreeve_smi::Timestamp;

use crate::{
    DurableLog, ProposedState, Refusal, RefusalKind, RunningLockHolder, State, Transaction,
    TransactionRecords, TransactionResult,
    proposed_state::{NextState, Savepoint},
};

/// Transactions that are drafted on one another.
pub(crate) struct GroupDraft {
    proposed: ProposedState,
    entries: Vec<Entry>,
}

/// One prepared or refused transaction.
struct Entry {
    /// The proposed state before the transaction.
    before: Savepoint,
    /// The records of the transaction, or the reason why it is refused.
    outcome: Result<TransactionRecords, Refusal>,
}

impl GroupDraft {
    /// Begins a draft of no transactions.
    pub(crate) fn new(proposed: ProposedState) -> Self {
        Self { proposed, entries: Vec::new() }
    }

    /// Returns true if the transactions were prepared on this state, while this session held the
    /// lock on the running configuration.
    pub(crate) fn is_based_on(&self, state: &State, holder: Option<&Arc<RunningLockHolder>>) -> bool {
        self.proposed.base().generation == state.generation && self.proposed.lock_holder() == holder
    }

    /// Compiles the tables, so that a panic there has no effect.
    pub(crate) fn compile(&mut self, now: Timestamp) {
        self.proposed.compile(now);
    }

    pub(crate) fn all_refused(&self) -> bool {
        self.entries.iter().all(|entry| entry.outcome.is_err())
    }

    /// Prepares the transactions that have no entry yet.
    pub(crate) fn prepare_rest<T: Transaction>(
        &mut self,
        participants: &mut T::Participants,
        group: &mut [T],
    ) {
        for transaction in group.iter_mut().skip(self.entries.len()) {
            let before = self.proposed.savepoint();
            let prepared = transaction.prepare(participants, &mut self.proposed);
            let session = transaction.session();
            let completed = prepared.and_then(|()| self.proposed.complete_since(&before, session));
            let outcome = match completed {
                Ok(()) => Ok(self.proposed.finish_since(&before)),
                Err(refusal) => {
                    self.proposed.roll_back_to(&before);
                    Err(refusal)
                }
            };
            self.entries.push(Entry { before, outcome });
        }
    }

    /// Commits the transactions in order. If one fails, those that follow are prepared again,
    /// because they may be based on it.
    pub(crate) fn commit<T: Transaction>(&mut self, participants: &mut T::Participants, group: &mut [T]) {
        for position in 0..group.len() {
            let Some(entry) = self.entries.get_mut(position) else { return };
            let Some(transaction) = group.get_mut(position) else { return };
            if entry.outcome.is_ok()
                && let Err(refusal) = transaction.commit()
            {
                entry.outcome = Err(refusal);
                self.proposed.roll_back_to(&entry.before);
                self.entries.truncate(position + 1);
                self.prepare_rest(participants, group);
            }
        }
    }

    /// Makes the records durable. If that fails for a transaction, it and all that follow fail, and
    /// those that have committed are undone.
    pub(crate) fn store<T: Transaction>(&mut self, log: &mut impl DurableLog, group: &mut [T]) {
        let mut positions = Vec::new();
        let mut batches = Vec::new();
        for (position, entry) in self.entries.iter_mut().enumerate() {
            if let Ok(records) = &mut entry.outcome
                && !records.is_empty()
            {
                positions.push(position);
                batches.push(std::mem::take(records));
            }
        }
        if batches.is_empty() {
            return;
        }
        let Err(error) = log.commit_group(batches) else { return };
        let Some(first) = positions.get(error.durable).copied() else { return };
        if let Some(entry) = self.entries.get(first) {
            self.proposed.roll_back_to(&entry.before);
        }
        let kind = if error.may_reappear { RefusalKind::UndoFailed } else { RefusalKind::CommitFailed };
        let failed = self.entries.iter_mut().zip(group).enumerate().skip(first).rev();
        for (position, (entry, transaction)) in failed {
            let text = if position == first {
                format!("the change could not be stored: {}", error.reason)
            } else {
                "an earlier change could not be stored".to_owned()
            };
            let refusal = |kind| Refusal::new(kind, text);
            entry.outcome = Err(match &entry.outcome {
                Ok(_) => transaction.undo().err().unwrap_or(refusal(kind)),
                Err(own) if own.kind == RefusalKind::UndoFailed => continue,
                // The reason may be an earlier change that has failed.
                Err(_) => refusal(RefusalKind::CommitFailed),
            });
        }
    }

    pub(crate) fn into_results(self) -> Vec<TransactionResult> {
        self.entries.into_iter().map(|entry| entry.outcome.map(drop)).collect()
    }

    /// Returns the next state if anything has changed, and the results. `now` is the time of the
    /// changes.
    pub(crate) fn finish(mut self, now: Timestamp) -> (Option<NextState>, Vec<TransactionResult>) {
        let entries = std::mem::take(&mut self.entries);
        let results = entries.into_iter().map(|entry| entry.outcome.map(drop)).collect();
        (self.proposed.into_next(now), results)
    }
}
