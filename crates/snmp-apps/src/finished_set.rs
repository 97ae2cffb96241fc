//! Records of finished SETs, for the caller's log. They contain no values, because values can be
//! keys or communities.

use std::collections::VecDeque;

use portreeve_datastore::Refusal;
use portreeve_smi::{ErrorStatus, Oid, OidBuf, SecurityModel};
use portreeve_snmp_engine::{RejectReason, StateReference};
use portreeve_snmp_message::{Pdu, PduType};

use crate::{
    pending::{MAX_PENDING_READS, MAX_PENDING_SETS},
    responder::ResponderOutcome,
};

/// A SET that has been answered or rejected.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FinishedSet<S> {
    /// The source of the request.
    pub source: S,
    /// The security model of the request.
    pub security_model: SecurityModel,
    /// The securityName of the request.
    pub security_name: Box<[u8]>,
    /// The contextName of the request.
    pub context_name: Box<[u8]>,
    /// The names of the first variables in the request, at most [`FinishedSet::MAX_NAMES`].
    pub names: Vec<Oid>,
    /// The number of all variables in the request.
    pub variables: usize,
    /// The result of the request.
    pub result: SetResult,
    /// The reason and the place of the fault if the request was refused.
    pub refusal: Option<Refusal>,
}

impl<S> FinishedSet<S> {
    /// The maximum number of names in a record.
    pub const MAX_NAMES: usize = 4;
}

/// The result of a SET.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SetResult {
    /// The error-status of the response; noError if the variables were changed. SNMPv1 peers
    /// receive the corresponding status of SNMPv1.
    Answered(ErrorStatus),
    /// The request was rejected as a whole, with a Report if the version supports it.
    Rejected(RejectReason),
}

impl SetResult {
    /// Returns whether the variables were changed.
    pub fn is_accepted(self) -> bool {
        self == Self::Answered(ErrorStatus::NoError)
    }

    /// Returns the result of a SET with this outcome; `None` if the SET is not finished.
    fn of(outcome: &ResponderOutcome) -> Option<Self> {
        match outcome {
            ResponderOutcome::Response(response) => Some(Self::Answered(response.error_status)),
            ResponderOutcome::Rejected(reason) => Some(Self::Rejected(*reason)),
            ResponderOutcome::AwaitValue(..)
            | ResponderOutcome::ExecuteSet
            | ResponderOutcome::Refused(_) => None,
        }
    }
}

/// The queue of records for the caller.
pub(crate) struct FinishedSets<S> {
    pub(crate) is_enabled: bool,
    queue: VecDeque<FinishedSet<S>>,
}

impl<S: Clone> FinishedSets<S> {
    pub(crate) fn new() -> Self {
        Self { is_enabled: false, queue: VecDeque::new() }
    }

    /// Adds a record if this is a finished SET.
    pub(crate) fn record(
        &mut self,
        source: &S,
        state: &StateReference,
        pdu: &Pdu<'_>,
        outcome: &ResponderOutcome,
        refusal: Option<Refusal>,
    ) {
        if !self.is_enabled || pdu.pdu_type != PduType::SetRequest || self.queue.len() >= MAX_QUEUED {
            return;
        }
        let Some(result) = SetResult::of(outcome) else { return };
        let principal = state.principal();
        let mut name = OidBuf::new();
        let first = pdu.var_binds.iter().take(FinishedSet::<S>::MAX_NAMES);
        let names = first.filter_map(|var_bind| {
            var_bind.name.decode_into(&mut name);
            Oid::new(&name).ok()
        });
        self.queue.push_back(FinishedSet {
            source: source.clone(),
            security_model: principal.security_model,
            security_name: principal.security_name.into(),
            context_name: state.context_name().into(),
            names: names.collect(),
            variables: pdu.var_binds.len(),
            result,
            refusal,
        });
    }

    pub(crate) fn pop(&mut self) -> Option<FinishedSet<S>> {
        self.queue.pop_front()
    }
}

/// The maximum number of records that wait for the caller: more than there are pending requests, so
/// that one call of `Entity::poll` cannot fill the queue.
const MAX_QUEUED: usize = MAX_PENDING_SETS + MAX_PENDING_READS + 1;
