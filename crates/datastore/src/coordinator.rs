//! Executes transactions in groups: each is drafted on the one before, and all share one write to
//! the disk.
//!
//! ```text
//! prepare each on a snapshot ─▶ lock ─▶ state moved? prepare again ─▶ compile ─▶ commit each
//!                                                                                     │
//!      answers ◀─ unlock ◀─ publish once, up to the first that failed ◀─ write all ◀──┘
//! ```
//! Each preparation is completed: the tables follow the tree and the tree follows the tables, and
//! the tree is checked. So no protocol can publish a tree that is not valid.
//!
//! The new state is compiled before the first effect outside of memory, so that a panic in the
//! compilation has no effect. It is compiled again only if a transaction fails after that.

use std::sync::Arc;

use portreeve_lcd::StateRecord;
use portreeve_smi::Timestamp;

use crate::{Datastore, ProposedState, Refusal, RunningLockHolder, Ticket, Tree, group_draft::GroupDraft};

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

    /// Returns the number of the NETCONF session that requested the transaction. If it holds the
    /// lock on the running configuration, the transaction can change the data tree.
    fn session(&self) -> Option<u32> {
        None
    }
}

/// Makes records durable.
pub trait DurableLog {
    /// Writes the records of several transactions, in order, each completely or not at all. If they
    /// cannot be written together, writes one after another until one fails.
    ///
    /// # Errors
    /// Returns the number of transactions whose records are durable, which are the first ones. The
    /// others are not applied.
    fn commit_group(&mut self, batches: Vec<TransactionRecords>) -> Result<(), GroupError>;
}

/// The changes of a transaction that must be durable before it is published.
#[derive(Debug, Default)]
pub struct TransactionRecords {
    /// The records of tables, scalars and modules.
    pub records: Vec<StateRecord>,
    /// The change of the data tree. Its records are derived while they are written, because those
    /// of a large change are not a second time in memory.
    pub tree: Option<TreeChange>,
}

/// A change of the data tree.
#[derive(Clone, Debug)]
pub struct TreeChange {
    /// The tree before the transaction. At the first change after the start or after a reload, it
    /// can contain values of the tables that the log has not received.
    pub before: Tree,
    /// The tree after the transaction.
    pub after: Tree,
}

impl TransactionRecords {
    /// Returns true if nothing has to be stored.
    pub fn is_empty(&self) -> bool {
        self.records.is_empty() && self.tree.is_none()
    }
}

/// Stores nothing: for programs whose state ends with the process.
#[derive(Clone, Copy, Debug, Default)]
pub struct VolatileLog;

impl DurableLog for VolatileLog {
    fn commit_group(&mut self, _: Vec<TransactionRecords>) -> Result<(), GroupError> {
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

    /// Returns the datastore.
    pub fn datastore(&self) -> &Datastore {
        &self.datastore
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
    ///
    /// The caller then reports the results and calls
    /// [`StateHandle::free_replaced`](crate::StateHandle::free_replaced).
    pub fn execute<T: Transaction>(
        &mut self,
        participants: &mut T::Participants,
        group: &mut [T],
        ticket: Ticket,
        clock: impl Fn() -> Timestamp,
    ) -> Vec<TransactionResult> {
        let mut draft = self.draft(clock(), self.datastore.running_lock().holder());
        draft.prepare_rest(participants, group);
        if draft.all_refused() {
            return draft.into_results();
        }
        let mut locked = self.datastore.begin(ticket);
        let granted = clock();
        locked.guard().record_grant(granted);
        let running_lock = self.datastore.running_lock().clone();
        let change = running_lock.begin_change();
        if !draft.is_based_on(&locked.current(), change.holder()) {
            draft = self.draft(granted, change.holder().cloned());
            draft.prepare_rest(participants, group);
        }
        draft.compile(granted);
        self.is_committing = true;
        draft.commit(participants, group);
        draft.compile(granted);
        draft.store(&mut self.log, group);
        let (next, results) = draft.finish(granted);
        if let Some(next) = next {
            locked.publish_next(next);
        }
        for (transaction, _) in group.iter_mut().zip(&results).filter(|(_, result)| result.is_ok()) {
            transaction.publish();
        }
        self.is_committing = false;
        results
    }

    /// Begins a draft on the current state. `holder` holds the lock on the running configuration.
    fn draft(&self, now: Timestamp, holder: Option<Arc<RunningLockHolder>>) -> GroupDraft {
        let (base, model) = (self.datastore.state().current(), Arc::clone(self.datastore.model()));
        GroupDraft::new(ProposedState::new(base, model, now).with_lock_holder(holder))
    }
}

#[cfg(test)]
mod tests;
