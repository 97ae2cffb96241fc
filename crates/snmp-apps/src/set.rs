//! SetRequest (RFC 3416 §4.2.5): changes all variables or none of them.
//!
//! ```text
//! worker:    size, access ─► SetRequest ──┐                       ┌─► response
//!                                         ▼                       │
//! datastore: access ─► test each ─► apply each ─► check each ─► commit, store, publish
//!               └──────────┴────────────┴────────────┴─► refused
//! ```

use std::{
    fmt,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
};

use portreeve_datastore::{ProposedState, Refusal, RefusalKind, Transaction};
use portreeve_lcd::View;
use portreeve_mib::{Draft, Requester, ServedObjects, SetVariable};
use portreeve_smi::OidBuf;
use portreeve_snmp_engine::{
    StateReference,
    access::vacm::{AccessError, Principal, ViewType, find_view},
};
use portreeve_snmp_message::{OwnedPdu, Pdu};

/// A SET that a worker has accepted. The thread that executes transactions prepares it on the state
/// that it will change, together with other SETs.
pub struct SetRequest {
    token: SetToken,
    claim: SetClaim,
    state: StateReference,
    pdu: Arc<OwnedPdu>,
    changes: Vec<ModuleChange>,
}

/// Identifies a SET of one worker.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SetToken(pub(crate) u64);

impl SetRequest {
    pub(crate) fn new(token: SetToken, claim: SetClaim, state: StateReference, pdu: Arc<OwnedPdu>) -> Self {
        Self { token, claim, state, pdu, changes: Vec::new() }
    }

    /// Returns the token with which the result is reported to [`Entity`](crate::Entity).
    pub fn token(&self) -> SetToken {
        self.token
    }

    /// Returns the size of the request in memory, in octets.
    pub fn octets(&self) -> usize {
        self.pdu.as_pdu().var_binds.encoded().len() + size_of::<Self>()
    }

    /// Returns the requester.
    pub fn principal(&self) -> Principal<'_> {
        self.state.principal()
    }

    /// Starts the execution. Returns `false` if the entity has dropped the SET, or has answered it
    /// because it waited too long; then it must not be executed. After the start the SET has no
    /// deadline, and its result must be reported.
    pub fn start(&self) -> bool {
        self.claim.take()
    }

    fn pdu(&self) -> Pdu<'_> {
        self.pdu.as_pdu()
    }

    /// Tests all variables and opens the drafts of their modules.
    fn test(
        &mut self,
        view: &View,
        served: &mut ServedObjects,
        proposed: &mut ProposedState,
    ) -> Result<(), Refusal> {
        let pdu = Arc::clone(&self.pdu);
        let mut name = OidBuf::new();
        for (number, var_bind) in (1..).zip(pdu.as_pdu().var_binds.iter()) {
            var_bind.name.decode_into(&mut name);
            if !view.contains(&name) {
                return Err(Refusal::from(RefusalKind::AccessDenied).at_variable(number));
            }
            let not_writable = || Refusal::from(RefusalKind::NotWritable).at_variable(number);
            let leaf = served.leaf_of(&name).ok_or_else(not_writable)?;
            let (module, position) = served.owner(leaf).ok_or_else(not_writable)?;
            let index_start = served.leaf_oid(leaf).map_or(0, <[u32]>::len);
            let index = name.get(index_start..).unwrap_or_default();
            let variable = SetVariable { number, leaf: position, index, value: var_bind.value };
            let change = self.change_of(module, number, served, proposed).ok_or_else(not_writable)?;
            change.draft.test(proposed, &variable).map_err(|refusal| refusal.at_variable(number))?;
        }
        Ok(())
    }

    /// Returns the change of a module, which is opened for its first variable.
    fn change_of(
        &mut self,
        module: usize,
        number: usize,
        served: &mut ServedObjects,
        proposed: &ProposedState,
    ) -> Option<&mut ModuleChange> {
        let position = match self.changes.iter().position(|change| change.module == module) {
            Some(position) => position,
            None => {
                let principal = self.state.principal();
                let requester = Requester {
                    security_model: principal.security_model,
                    security_name: principal.security_name,
                };
                let draft = served.draft(module, proposed, requester)?;
                self.changes.push(ModuleChange { module, draft, first_variable: number });
                self.changes.len() - 1
            }
        };
        self.changes.get_mut(position)
    }

    /// Undoes the first `committed` changes in reverse order. Every change is undone, even if
    /// undoing another one fails.
    fn undo_first(&mut self, committed: usize) -> Result<(), Refusal> {
        let undone = self.changes.iter_mut().take(committed).rev().map(|change| change.draft.undo());
        let failures = undone.filter(Result::is_err).count();
        if failures == 0 { Ok(()) } else { Err(RefusalKind::UndoFailed.into()) }
    }
}

impl Transaction for SetRequest {
    type Participants = ServedObjects;

    fn prepare(&mut self, served: &mut ServedObjects, proposed: &mut ProposedState) -> Result<(), Refusal> {
        self.changes.clear();
        let rights = Arc::clone(proposed.access_rights());
        let context_name = self.state.context_name();
        let view = find_view(&rights, &self.state.principal(), ViewType::Write, context_name)
            .map_err(|error| access_refusal(error, &self.state))?;
        served.enter_context(context_name);
        self.test(view, served, proposed)?;
        for change in &mut self.changes {
            change.draft.apply(proposed)?;
        }
        for change in &mut self.changes {
            change.draft.check(proposed)?;
        }
        Ok(())
    }

    fn commit(&mut self) -> Result<(), Refusal> {
        for position in 0..self.changes.len() {
            let Some(change) = self.changes.get_mut(position) else { break };
            if let Err(refusal) = change.draft.commit() {
                let variable = change.first_variable;
                self.undo_first(position)?;
                return Err(Refusal { kind: RefusalKind::CommitFailed, ..refusal }.at_variable(variable));
            }
        }
        Ok(())
    }

    fn undo(&mut self) -> Result<(), Refusal> {
        self.undo_first(self.changes.len())
    }

    fn publish(&mut self) {
        self.changes.iter_mut().for_each(|change| change.draft.publish());
    }
}

impl fmt::Debug for SetRequest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let variables = self.pdu().var_binds.len();
        f.debug_struct("SetRequest")
            .field("token", &self.token)
            .field("variables", &variables)
            .finish_non_exhaustive()
    }
}

/// The part of a SET that concerns one module.
struct ModuleChange {
    module: usize,
    draft: Box<dyn Draft>,
    /// The number of the first variable in this module, counted from 1.
    first_variable: usize,
}

/// Decides whether a SET is executed, or dropped before it has started: the first to take the claim
/// decides.
#[derive(Clone, Debug, Default)]
pub(crate) struct SetClaim(Arc<AtomicBool>);

impl SetClaim {
    /// Takes the claim; returns `false` if it was taken before.
    pub(crate) fn take(&self) -> bool {
        !self.0.swap(true, Ordering::AcqRel)
    }
}

/// Returns the refusal of a SET by a requester without a write view.
pub(crate) fn access_refusal(error: AccessError, state: &StateReference) -> Refusal {
    match error {
        // A principal with read access but without write access receives an error for the variable,
        // as managers expect, although RFC 3413 requires authorizationError in this case as well.
        AccessError::NoSuchView => Refusal::from(RefusalKind::AccessDenied).at_variable(1),
        //= rfc3413#3.2-5-p1
        AccessError::NoAccessEntry | AccessError::NoGroupName | AccessError::NoSuchContext => {
            let refusal = Refusal::from(RefusalKind::NotAuthorized);
            // SNMPv1 peers receive noSuchName, which requires the index of a variable.
            //= rfc3584#4.4-p2
            if state.rules().v2_errors { refusal } else { refusal.at_variable(1) }
        }
        //= rfc3413#3.2-5-p5
        AccessError::NotInView => RefusalKind::Internal.into(),
    }
}
