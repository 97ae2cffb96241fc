//! Executes transactions in groups: each is drafted on the one before, and all share one write to
//! the disk.
//!
//! ```text
//! prepare each on a snapshot ─▶ lock ─▶ state moved? prepare again ─▶ compile ─▶ commit each
//!                                                                                     │
//!      answers ◀─ unlock ◀─ publish once, up to the first that failed ◀─ write all ◀──┘
//! ```
//! The new state is compiled before the first effect outside of memory, so that a panic in the
//! compilation has no effect. It is compiled again only if a transaction fails after that.

use std::sync::Arc;

use portreeve_lcd::StateRecord;
use portreeve_smi::Timestamp;

use crate::{Datastore, ProposedState, Refusal, RefusalKind, State, Ticket, proposed_state::Savepoint};

/// One change of the state, of any protocol.
///
/// The order of calls is `prepare`, then `commit`, then either `publish` or `undo`. `prepare` may
/// be called again before `commit`, with another state, and then starts from the beginning.
pub trait Transaction {
    /// The objects that take part in transactions, shared by a group.
    type Participants;

    /// Checks the change and adds it to `proposed`. All that can fail without an effect outside of
    /// the state fails here.
    ///
    /// # Errors
    /// Returns the reason if the change is refused. The coordinator takes back what the call has
    /// changed in `proposed`.
    fn prepare(
        &mut self,
        participants: &mut Self::Participants,
        proposed: &mut ProposedState,
    ) -> Result<(), Refusal>;

    /// Makes changes outside of the state. Most transactions make none.
    ///
    /// # Errors
    /// Returns the reason if a change failed. The transaction has then undone the others.
    fn commit(&mut self) -> Result<(), Refusal> {
        Ok(())
    }

    /// Undoes the changes of [`Transaction::commit`], because the transaction is not durable.
    ///
    /// # Errors
    /// Returns the reason if some changes could not be undone.
    fn undo(&mut self) -> Result<(), Refusal> {
        Ok(())
    }

    /// Makes changes outside of the state visible, after the state has been published.
    fn publish(&mut self) {}
}

/// Makes records durable.
pub trait DurableLog {
    /// Writes the records of several transactions, in order, each completely or not at all. If they
    /// cannot be written together, writes one after another until one fails.
    ///
    /// # Errors
    /// Returns the number of transactions whose records are durable, which are the first ones. The
    /// others are not applied.
    fn commit_group(&mut self, batches: Vec<Vec<StateRecord>>) -> Result<(), GroupError>;
}

/// Stores nothing: for programs whose state ends with the process.
#[derive(Clone, Copy, Debug, Default)]
pub struct VolatileLog;

impl DurableLog for VolatileLog {
    fn commit_group(&mut self, _: Vec<Vec<StateRecord>>) -> Result<(), GroupError> {
        Ok(())
    }
}

/// A group of transactions that is not durable, or only in part.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GroupError {
    /// The number of transactions that are durable.
    pub durable: usize,
    /// The reason why the next one is not.
    pub reason: String,
    /// True if those that are not durable could not be removed from the disk, so that they may be
    /// in effect after a restart.
    pub may_reappear: bool,
}

/// The result of a transaction.
pub type TransactionResult = Result<(), Refusal>;

/// Executes transactions on a datastore and stores their records in a log.
pub struct Coordinator<L> {
    datastore: Datastore,
    log: L,
    /// True from the first commit of a group until its results are known.
    is_committing: bool,
}

impl<L: DurableLog> Coordinator<L> {
    /// Creates a coordinator for `datastore`.
    pub fn new(datastore: Datastore, log: L) -> Self {
        Self { datastore, log, is_committing: false }
    }

    /// Returns the log.
    pub fn log_mut(&mut self) -> &mut L {
        &mut self.log
    }

    /// Returns whether a panic has ended [`execute`](Self::execute) after it began to commit. The
    /// group may then be durable without being published, so that later transactions must not be
    /// executed.
    pub fn was_interrupted(&self) -> bool {
        self.is_committing
    }

    /// Executes the transactions in order, and returns their results in the same order. When it
    /// returns, the successful transactions are durable and published. `clock` returns the current
    /// time; it is also called after the wait for the transaction lock.
    ///
    /// A refused transaction does not affect the others. If the records of a transaction cannot be
    /// stored, those that follow fail as well, because they may be based on it. That includes those
    /// that were refused: the reason may be a conflict with a change that was not made.
    pub fn execute<T: Transaction>(
        &mut self,
        participants: &mut T::Participants,
        group: &mut [T],
        ticket: Ticket,
        clock: impl Fn() -> Timestamp,
    ) -> Vec<TransactionResult> {
        let base = self.datastore.state().current();
        let mut draft = GroupDraft::new(base, clock());
        draft.prepare_rest(participants, group);
        if draft.all_refused() {
            return draft.into_results();
        }
        let mut locked = self.datastore.begin(ticket);
        let granted = clock();
        locked.guard().record_grant(granted);
        let current = locked.current();
        if current.generation != draft.base_generation() {
            draft = GroupDraft::new(current, granted);
            draft.prepare_rest(participants, group);
        }
        draft.proposed.compile(granted);
        self.is_committing = true;
        draft.commit(participants, group);
        draft.proposed.compile(granted);
        draft.store(&mut self.log, group);
        let (lcd, results) = draft.finish(granted);
        if let Some(lcd) = lcd {
            locked.publish(lcd);
        }
        for (transaction, _) in group.iter_mut().zip(&results).filter(|(_, result)| result.is_ok()) {
            transaction.publish();
        }
        self.is_committing = false;
        results
    }
}

/// Transactions that are drafted on one another.
struct GroupDraft {
    proposed: ProposedState,
    entries: Vec<Entry>,
}

/// One prepared or refused transaction.
struct Entry {
    /// The proposed state before the transaction.
    before: Savepoint,
    /// The records of the transaction, or the reason why it is refused.
    outcome: Result<Vec<StateRecord>, Refusal>,
}

impl GroupDraft {
    fn new(base: Arc<State>, now: Timestamp) -> Self {
        Self { proposed: ProposedState::new(base, now), entries: Vec::new() }
    }

    fn base_generation(&self) -> u64 {
        self.proposed.base().generation
    }

    fn all_refused(&self) -> bool {
        self.entries.iter().all(|entry| entry.outcome.is_err())
    }

    /// Prepares the transactions that have no entry yet.
    fn prepare_rest<T: Transaction>(&mut self, participants: &mut T::Participants, group: &mut [T]) {
        for transaction in group.iter_mut().skip(self.entries.len()) {
            let before = self.proposed.savepoint();
            let prepared = transaction.prepare(participants, &mut self.proposed);
            let outcome = match prepared {
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
    fn commit<T: Transaction>(&mut self, participants: &mut T::Participants, group: &mut [T]) {
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
    fn store<T: Transaction>(&mut self, log: &mut impl DurableLog, group: &mut [T]) {
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

    fn into_results(self) -> Vec<TransactionResult> {
        self.entries.into_iter().map(|entry| entry.outcome.map(drop)).collect()
    }

    /// Returns the new tables and scalars if they have changed, and the results. `now` is the time
    /// of the changes.
    fn finish(mut self, now: Timestamp) -> (Option<portreeve_lcd::Lcd>, Vec<TransactionResult>) {
        let entries = std::mem::take(&mut self.entries);
        let results = entries.into_iter().map(|entry| entry.outcome.map(drop)).collect();
        (self.proposed.into_lcd(now), results)
    }
}

#[cfg(test)]
mod tests;
