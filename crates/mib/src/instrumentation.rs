//! The implementation of the instances of a group of objects.
//!
//! Each worker has its own instrumentations, so they are neither shared nor locked. Data shared
//! between workers is in immutable snapshots.

use std::sync::Arc;

use portreeve_datastore::{ProposedState, State};
use portreeve_smi::{Oid, OidBuf, SecurityModel, Timestamp, Value};

use crate::{Object, transaction::Draft};

/// Implements the instances of some leaf objects (scalars and columns), or of complete subtrees.
///
/// A leaf is identified by its position in [`Instrumentation::objects`]; the subtrees continue the
/// numbering. An instance is identified by its index arcs: `[0]` for a scalar, the encoded INDEX
/// clause for a column, and all arcs below the root for a subtree.
pub trait Instrumentation: Send {
    /// Returns the leaf objects. Called once; positions in the result identify the leaves
    /// afterwards.
    fn objects(&self) -> Vec<&'static Object>;

    /// Returns the subtrees that are implemented completely, such as recordings of objects without
    /// definitions. Called once, like [`Instrumentation::objects`].
    fn subtrees(&self) -> Vec<Oid> {
        Vec::new()
    }

    /// Called before [`Instrumentation::begin`] with the contextName of the request. Most
    /// implementations are the same in every context.
    fn enter_context(&mut self, context_name: &[u8]) {
        let _ = context_name;
    }

    /// Called before the first lookup of every request, with the state that the request reads.
    /// Access control uses the same state. Take other snapshots here too, so that a response never
    /// mixes two snapshots.
    fn begin(&mut self, state: &Arc<State>, now: Timestamp) {
        let _ = (state, now);
    }

    /// Returns the value of exactly this instance.
    fn get(&mut self, leaf: usize, index: &[u32]) -> Lookup<'_>;

    /// Returns the first instance of this leaf whose index arcs follow `after` in lexicographical
    /// order.
    ///
    /// `after` is arbitrary; if it is empty, the first instance is returned. If a value is
    /// returned, the index arcs of the instance have been appended to `name`, which contains the
    /// identifier of the leaf. Returns [`Lookup::Absent`] if no instance follows.
    fn next(&mut self, leaf: usize, after: &[u32], name: &mut OidBuf) -> Lookup<'_>;

    /// Opens this module's part of a SET by `requester` that will be made in `proposed`. Returns
    /// `None` if nothing is writable.
    fn draft(&mut self, proposed: &ProposedState, requester: Requester<'_>) -> Option<Box<dyn Draft>> {
        let _ = (proposed, requester);
        None
    }
}

/// The requester of a change. Access control has already been applied; a few objects may only be
/// changed by their owner.
#[derive(Clone, Copy, Debug)]
pub struct Requester<'a> {
    /// The model that authenticated the securityName.
    pub security_model: SecurityModel,
    /// The securityName of the requester.
    pub security_name: &'a [u8],
}

/// The result of a lookup.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lookup<'a> {
    /// The value of the instance.
    Value(Value<'a>),
    /// The instance does not exist, or no instance follows.
    Absent,
    /// The object does not exist. Only lookups in subtrees return this, because their objects have
    /// no definitions.
    Unknown,
    /// The value will be available later. Repeat the lookup after the token is announced.
    Later(LookupToken),
    /// The value is unavailable. The request fails with genErr.
    Failed,
}

/// Identifies a value that will be available later.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LookupToken(pub u64);
