//! Stores transactions in the state directory.

use portreeve_datastore::{DurableLog, GroupError, StateRecord, TransactionRecords, Tree};
use portreeve_store::{Batch, GroupError as StoreGroupError, Record, Writer};

use crate::StoredTree;

/// The log of the state directory.
pub struct StateLog {
    writer: Writer,
    /// The stored tree; `None` if the agent has no data tree.
    stored: Option<StoredTree>,
}

impl StateLog {
    /// Creates the log.
    pub fn new(writer: Writer, stored: Option<StoredTree>) -> Self {
        Self { writer, stored }
    }

    fn write(&mut self, batches: Vec<Batch>) -> Result<(), StoreGroupError> {
        if let Some(pending) = self.stored.as_mut().map(|stored| &mut stored.pending)
            && let Some(batch) = pending.clone()
        {
            self.writer.commit_group(vec![batch])?;
            *pending = None;
        }
        self.writer.commit_group(batches)
    }
}

impl DurableLog for StateLog {
    fn commit_group(&mut self, group: Vec<TransactionRecords>) -> Result<(), GroupError> {
        if self.stored.is_none() && group.iter().any(|records| records.tree.is_some()) {
            let reason = "the agent does not have a data tree".to_owned();
            return Err(GroupError { durable: 0, reason, may_reappear: false });
        }
        let (mut batches, mut trees) = (Vec::with_capacity(group.len()), Vec::with_capacity(group.len()));
        let mut last: Option<Tree> = self.stored.as_ref().map(|stored| stored.tree.clone());
        for TransactionRecords { records, tree } in group {
            let mut batch = Batch::new(records.into_iter().map(into_stored).collect());
            // The difference to what is stored: a reload can have changed the tree.
            if let (Some(stored), Some(before), Some(change)) = (&self.stored, &last, tree) {
                batch = stored.add_change(batch, before, &change.after);
                last = Some(change.after);
            }
            batches.push(batch);
            trees.push(last.clone());
        }
        let result = self.write(batches);
        let durable = result.as_ref().map_or_else(|failed| failed.durable, |()| trees.len());
        let tree = durable.checked_sub(1).and_then(|last| trees.into_iter().nth(last).flatten());
        if let (Some(stored), Some(tree)) = (&mut self.stored, tree) {
            stored.tree = tree;
        }
        result.map_err(|failed| {
            let error = failed.error;
            tracing::error!(%error, "change rejected: cannot write it to the state directory");
            let may_reappear = error.may_reappear();
            GroupError { durable: failed.durable, reason: error.to_string(), may_reappear }
        })
    }
}

fn into_stored(record: StateRecord) -> Record {
    match record.value {
        Some(value) => Record::Set { key: record.key, value: value.into_octets() },
        None => Record::remove(record.key),
    }
}
