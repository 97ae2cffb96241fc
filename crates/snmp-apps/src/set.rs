//! SetRequest (RFC 3416 §4.2.5): changes all variables or none of them.
//!
//! ```text
//! view  ─► test each ─► validate each draft ─► commit each ─► (records durable) ─► publish each
//!   │          │               │                   │                  │
//!   └──────────┴───────────────┴─► rejected        └─► undo ◄─────────┘
//! ```

use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering},
};

use portreeve_lcd::View;
use portreeve_mib::{Draft, Requester, ServedObjects, StateRecord};
use portreeve_smi::{ErrorStatus, OidBuf, Timestamp};
use portreeve_snmp_message::Pdu;

/// error-status and error-index of a response. The index is counted from 1; 0 means all variables.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ResponseStatus(pub(crate) ErrorStatus, pub(crate) usize);

/// A SET that has passed all tests and is committed, but not yet durable or visible.
pub(crate) struct Transaction {
    changes: Vec<ModuleChange>,
}

struct ModuleChange {
    module: usize,
    draft: Box<dyn Draft>,
    /// The numbers of the request's variables that are in this draft, counted from 1.
    variables: Vec<usize>,
}

impl Transaction {
    /// Tests all variables, then commits them in every module that contains one of them.
    pub(crate) fn prepare(
        served: &mut ServedObjects,
        view: &View,
        requester: Requester<'_>,
        now: Timestamp,
        pdu: &Pdu<'_>,
    ) -> Result<Self, ResponseStatus> {
        let mut transaction = Self { changes: Vec::new() };
        let mut name = OidBuf::new();
        for (position, var_bind) in pdu.var_binds.iter().enumerate() {
            let variable = position + 1;
            var_bind.name.decode_into(&mut name);
            if !view.contains(&name) {
                return Err(ResponseStatus(ErrorStatus::NoAccess, variable));
            }
            let not_writable = ResponseStatus(ErrorStatus::NotWritable, variable);
            let leaf = served.leaf_of(&name).ok_or(not_writable)?;
            let (module, position) = served.owner(leaf).ok_or(not_writable)?;
            let index_start = served.leaf_oid(leaf).map_or(0, <[u32]>::len);
            let index = name.get(index_start..).unwrap_or_default();
            let change = transaction.change_for(served, module, requester, now).ok_or(not_writable)?;
            change.variables.push(variable);
            change
                .draft
                .test(position, index, &var_bind.value)
                .map_err(|status| ResponseStatus(status, variable))?;
        }
        transaction.validate()?;
        transaction.commit()?;
        Ok(transaction)
    }

    /// Returns the records that must be durable before [`Transaction::publish`].
    pub(crate) fn records(&self) -> Vec<StateRecord> {
        self.changes.iter().flat_map(|change| change.draft.records()).collect()
    }

    /// Makes the changes of the SET visible.
    pub(crate) fn publish(self) {
        for change in self.changes {
            change.draft.publish();
        }
    }

    /// Undoes all changes because they could not be made durable.
    pub(crate) fn undo(mut self) -> ResponseStatus {
        let committed = self.changes.len();
        ResponseStatus(self.undo_first(committed), 0)
    }

    fn change_for(
        &mut self,
        served: &mut ServedObjects,
        module: usize,
        requester: Requester<'_>,
        now: Timestamp,
    ) -> Option<&mut ModuleChange> {
        let position = match self.changes.iter().position(|change| change.module == module) {
            Some(position) => position,
            None => {
                let draft = served.draft(module, now, requester)?;
                self.changes.push(ModuleChange { module, draft, variables: Vec::new() });
                self.changes.len() - 1
            }
        };
        self.changes.get_mut(position)
    }

    fn validate(&mut self) -> Result<(), ResponseStatus> {
        for change in &mut self.changes {
            change.draft.validate().map_err(|failure| {
                ResponseStatus(failure.status, change.variables.get(failure.variable).copied().unwrap_or(0))
            })?;
        }
        Ok(())
    }

    fn commit(&mut self) -> Result<(), ResponseStatus> {
        for position in 0..self.changes.len() {
            let Some(change) = self.changes.get_mut(position) else { break };
            if change.draft.commit().is_err() {
                let variable = change.variables.first().copied().unwrap_or(0);
                return Err(match self.undo_first(position) {
                    ErrorStatus::CommitFailed => ResponseStatus(ErrorStatus::CommitFailed, variable),
                    status => ResponseStatus(status, 0),
                });
            }
        }
        Ok(())
    }

    /// Undoes the first `committed` changes in reverse order. Returns commitFailed, or undoFailed
    /// if a change could not be undone.
    fn undo_first(&mut self, committed: usize) -> ErrorStatus {
        let undone = self.changes.iter_mut().take(committed).rev().map(|change| change.draft.undo());
        // Every change is undone, even if undoing another change fails.
        let failures = undone.filter(Result::is_err).count();
        if failures == 0 { ErrorStatus::CommitFailed } else { ErrorStatus::UndoFailed }
    }
}

/// The lock that serializes SET requests among all workers of an engine.
///
/// A SET that waits for its records to become durable holds the lock. Other SETs wait in the queue
/// of their worker. All other requests continue.
#[derive(Clone, Debug, Default)]
pub struct SetLock(Arc<AtomicBool>);

impl SetLock {
    /// Acquires the lock; returns `None` if another SET holds it.
    pub(crate) fn try_acquire(&self) -> Option<SetLockGuard> {
        let acquired = self.0.compare_exchange(false, true, Ordering::Acquire, Ordering::Relaxed).is_ok();
        acquired.then(|| SetLockGuard(Arc::clone(&self.0)))
    }
}

/// The acquired lock, which is released when this value is dropped.
pub(crate) struct SetLockGuard(Arc<AtomicBool>);

impl Drop for SetLockGuard {
    fn drop(&mut self) {
        self.0.store(false, Ordering::Release);
    }
}
