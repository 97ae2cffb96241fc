//! SetRequest (RFC 3416 §4.2.5): all variables are changed, or none.
//!
//! ```text
//! view? ─► test each ─► validate each draft ─► commit each ─► (records durable) ─► publish each
//!   │          │               │                   │                  │
//!   └──────────┴───────────────┴─► rejected        └─► undo ◄─────────┘
//! ```

use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering},
};

use portreeve_lcd::View;
use portreeve_mib::{Draft, Record, Requester, Served};
use portreeve_smi::{ErrorStatus, OidBuf, Timestamp};
use portreeve_snmp_message::Pdu;

/// Why a SET is rejected: the status, and the variable to blame, counted from 1, or 0 for all of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Rejected(pub(crate) ErrorStatus, pub(crate) usize);

/// A SET that has passed every test and is committed, but not yet durable nor visible.
pub(crate) struct Transaction {
    parts: Vec<Part>,
}

struct Part {
    module: usize,
    draft: Box<dyn Draft>,
    /// Which variables of the request went into this draft, counted from 1.
    variables: Vec<usize>,
}

impl Transaction {
    /// Tests all variables, then commits them in every module they touch.
    pub(crate) fn prepare(
        served: &mut Served,
        view: &View,
        requester: Requester<'_>,
        now: Timestamp,
        pdu: &Pdu<'_>,
    ) -> Result<Self, Rejected> {
        let mut transaction = Self { parts: Vec::new() };
        let mut name = OidBuf::new();
        for (position, var_bind) in pdu.var_binds.iter().enumerate() {
            let variable = position + 1;
            var_bind.name.decode_into(&mut name);
            if !view.contains(&name) {
                return Err(Rejected(ErrorStatus::NoAccess, variable));
            }
            let not_writable = Rejected(ErrorStatus::NotWritable, variable);
            let leaf = served.leaf_of(&name).ok_or(not_writable)?;
            let (module, position) = served.owner(leaf).ok_or(not_writable)?;
            let index_start = served.leaf_oid(leaf).map_or(0, <[u32]>::len);
            let index = name.get(index_start..).unwrap_or_default();
            let part = transaction.part(served, module, requester, now).ok_or(not_writable)?;
            part.variables.push(variable);
            part.draft.test(position, index, &var_bind.value).map_err(|status| Rejected(status, variable))?;
        }
        transaction.validate()?;
        transaction.commit()?;
        Ok(transaction)
    }

    /// What must be durable before [`Transaction::publish`].
    pub(crate) fn records(&self) -> Vec<Record> {
        self.parts.iter().flat_map(|part| part.draft.records()).collect()
    }

    /// Makes the changes visible.
    pub(crate) fn publish(self) {
        for part in self.parts {
            part.draft.publish();
        }
    }

    /// Takes everything back, after it could not be made durable.
    pub(crate) fn undo(mut self) -> Rejected {
        let committed = self.parts.len();
        Rejected(self.undo_first(committed), 0)
    }

    fn part(
        &mut self,
        served: &mut Served,
        module: usize,
        requester: Requester<'_>,
        now: Timestamp,
    ) -> Option<&mut Part> {
        let position = match self.parts.iter().position(|part| part.module == module) {
            Some(position) => position,
            None => {
                let draft = served.draft(module, now, requester)?;
                self.parts.push(Part { module, draft, variables: Vec::new() });
                self.parts.len() - 1
            }
        };
        self.parts.get_mut(position)
    }

    fn validate(&mut self) -> Result<(), Rejected> {
        for part in &mut self.parts {
            part.draft.validate().map_err(|failure| {
                Rejected(failure.status, part.variables.get(failure.variable).copied().unwrap_or(0))
            })?;
        }
        Ok(())
    }

    fn commit(&mut self) -> Result<(), Rejected> {
        for position in 0..self.parts.len() {
            let Some(part) = self.parts.get_mut(position) else { break };
            if part.draft.commit().is_err() {
                let variable = part.variables.first().copied().unwrap_or(0);
                return Err(match self.undo_first(position) {
                    ErrorStatus::CommitFailed => Rejected(ErrorStatus::CommitFailed, variable),
                    status => Rejected(status, 0),
                });
            }
        }
        Ok(())
    }

    /// Undoes the first `committed` parts, last first: commitFailed, or undoFailed where one could not be undone.
    fn undo_first(&mut self, committed: usize) -> ErrorStatus {
        let undone = self.parts.iter_mut().take(committed).rev().map(|part| part.draft.undo());
        // Every part is tried, whatever becomes of the others.
        let failures = undone.filter(Result::is_err).count();
        if failures == 0 { ErrorStatus::CommitFailed } else { ErrorStatus::UndoFailed }
    }
}

/// Whose turn it is to change things: one SET at a time among all workers of an engine.
///
/// A SET that waits for its records to be durable holds the turn; others wait in their worker's queue, and everything
/// else goes on.
#[derive(Clone, Debug, Default)]
pub struct SetTurn(Arc<AtomicBool>);

impl SetTurn {
    /// Takes the turn, if nobody has it.
    pub(crate) fn take(&self) -> Option<Turn> {
        let taken = self.0.compare_exchange(false, true, Ordering::Acquire, Ordering::Relaxed).is_ok();
        taken.then(|| Turn(Arc::clone(&self.0)))
    }
}

/// The turn; given back when dropped.
pub(crate) struct Turn(Arc<AtomicBool>);

impl Drop for Turn {
    fn drop(&mut self) {
        self.0.store(false, Ordering::Release);
    }
}
