//! What shows the instances of a group of objects.
//!
//! A worker owns its instrumentations, so nothing here is shared or locked: what several workers show, they read from
//! immutable snapshots.

use portreeve_smi::{Oid, OidBuf, SecurityModel, Timestamp, Value};

use crate::{Object, transaction::Draft};

/// Shows the instances of some leaf objects (scalars and columns), or of whole subtrees.
///
/// A leaf is named by its position in [`Instrumentation::objects`]; subtrees come after them and count on. An instance
/// is named by its index arcs: `[0]` for a scalar, the encoded INDEX clause for a column, everything below it for a
/// subtree.
pub trait Instrumentation: Send {
    /// The leaf objects shown here. Asked once; the positions in it name the leaves from then on.
    fn objects(&self) -> Vec<&'static Object>;

    /// The subtrees shown whole, whatever objects are in them: what has been recorded elsewhere has no definitions
    /// here. Asked once, as [`Instrumentation::objects`] is.
    fn subtrees(&self) -> Vec<Oid> {
        Vec::new()
    }

    /// Called before [`Instrumentation::begin`] with the request's contextName. Most show the same in every context.
    fn enter_context(&mut self, context_name: &[u8]) {
        let _ = context_name;
    }

    /// Called before the first lookup of every request: the moment to take a fresh snapshot, so that one response
    /// never mixes two.
    fn begin(&mut self, now: Timestamp) {
        let _ = now;
    }

    /// The value of exactly this instance.
    fn get(&mut self, leaf: usize, index: &[u32]) -> Lookup<'_>;

    /// The first instance of this leaf whose index arcs follow `after` in lexicographical order.
    ///
    /// `after` is arbitrary: empty asks for the first instance. Where a value is returned, the instance's index arcs
    /// have been appended to `name`, which holds the leaf's identifier; [`Lookup::Absent`] says that no instance
    /// follows.
    fn next(&mut self, leaf: usize, after: &[u32], name: &mut OidBuf) -> Lookup<'_>;

    /// Opens this module's share of a SET by `requester` on the state as it is now; `None` where nothing is writable.
    fn draft(&mut self, now: Timestamp, requester: Requester<'_>) -> Option<Box<dyn Draft>> {
        let _ = (now, requester);
        None
    }
}

/// Who asks for a change. May they? is decided elsewhere; a few objects may be changed by those they belong to only.
#[derive(Clone, Copy, Debug)]
pub struct Requester<'a> {
    /// The model that vouches for the name.
    pub security_model: SecurityModel,
    /// securityName.
    pub security_name: &'a [u8],
}

/// What a lookup found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lookup<'a> {
    /// The instance's value.
    Value(Value<'a>),
    /// No such instance, or none that follows.
    Absent,
    /// Not even the object: only for subtrees, whose objects nobody else knows.
    Unknown,
    /// The value will be at hand later; the same lookup is repeated once the token is announced.
    Later(LookupToken),
    /// The value cannot be had: genErr.
    Failed,
}

/// Names an answer that takes time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LookupToken(pub u64);
