//! The objects of an agent: several instrumentations in lexicographical order.

use std::{cell::Cell, fmt, sync::Arc};

use portreeve_datastore::{ProposedState, State};
use portreeve_smi::{Oid, OidBuf, Timestamp, Value};

use crate::{Draft, Instrumentation, Lookup, LookupToken, Object, Requester};

/// The objects of one worker, sorted by identifier.
///
/// A *leaf* is a scalar, a column or a complete subtree; leaves are numbered in order. No leaf is
/// below another, so instances are ordered by leaf, and within a leaf by index.
pub struct ServedObjects {
    modules: Vec<Box<dyn Instrumentation>>,
    leaves: Vec<Leaf>,
    /// The leaf that was found last. Walks and polls often look up names of the same leaf.
    last_found: Cell<usize>,
}

impl ServedObjects {
    /// Sorts the leaves of all modules.
    ///
    /// # Errors
    /// Returns an error if two modules implement the same leaf, or if one leaf is below another.
    pub fn new(modules: Vec<Box<dyn Instrumentation>>) -> Result<Self, OverlapError> {
        let mut leaves = Vec::new();
        for (module, instrumentation) in modules.iter().enumerate() {
            let objects = instrumentation.objects().into_iter().map(|object| (object.oid(), Some(object)));
            let subtrees = instrumentation.subtrees();
            let subtrees = subtrees.iter().map(|oid| (OidBuf::from_arcs(oid).unwrap_or_default(), None));
            for (position, (oid, object)) in objects.chain(subtrees).enumerate() {
                let oid = Oid::new(&oid).unwrap_or_default();
                leaves.push(Leaf { oid, module, position, object });
            }
        }
        leaves.sort_by(|a, b| a.oid.cmp(&b.oid));
        let overlap = leaves.windows(2).find_map(|pair| match pair {
            [a, b] if b.oid.starts_with(&a.oid) => {
                Some(OverlapError { first: a.to_string(), second: b.to_string() })
            }
            _ => None,
        });
        match overlap {
            Some(overlap) => Err(overlap),
            None => Ok(Self { modules, leaves, last_found: Cell::new(0) }),
        }
    }

    /// Must be called first for each request, with its contextName.
    pub fn enter_context(&mut self, context_name: &[u8]) {
        for module in &mut self.modules {
            module.enter_context(context_name);
        }
    }

    /// Must be called once for each request, before its lookups, with the state that it reads.
    pub fn begin(&mut self, state: &Arc<State>, now: Timestamp) {
        for module in &mut self.modules {
            module.begin(state, now);
        }
    }

    /// Returns the number of leaves.
    pub fn leaf_count(&self) -> usize {
        self.leaves.len()
    }

    /// Returns the identifier of a leaf; `None` past the last one.
    pub fn leaf_oid(&self, leaf: usize) -> Option<&[u32]> {
        self.leaves.get(leaf).map(|leaf| leaf.oid.arcs())
    }

    /// Returns the definition of a leaf; `None` past the last one, and for a subtree.
    pub fn leaf_object(&self, leaf: usize) -> Option<&'static Object> {
        self.leaves.get(leaf)?.object
    }

    /// Returns the leaf that is `name` or contains it.
    pub fn leaf_of(&self, name: &[u32]) -> Option<usize> {
        let contains = |leaf: usize| self.leaves.get(leaf).is_some_and(|leaf| name.starts_with(&leaf.oid));
        // No other leaf contains the name, because no leaf is below another.
        if contains(self.last_found.get()) {
            return Some(self.last_found.get());
        }
        let leaf = self.leaves.partition_point(|leaf| leaf.oid.arcs() <= name).checked_sub(1)?;
        contains(leaf).then(|| {
            self.last_found.set(leaf);
            leaf
        })
    }

    /// Returns the first leaf in which an instance may follow `name`; [`ServedObjects::leaf_count`]
    /// if there is none.
    pub fn first_leaf_after(&self, name: &[u32]) -> usize {
        self.leaf_of(name).unwrap_or_else(|| self.leaves.partition_point(|leaf| leaf.oid.arcs() <= name))
    }

    /// Returns the value of exactly the instance `name`.
    #[inline]
    pub fn get(&mut self, name: &[u32]) -> LookupResult<'_> {
        let Some(leaf) = self.leaf_of(name) else { return LookupResult::NoSuchObject };
        let Some(leaf) = self.leaves.get(leaf) else { return LookupResult::NoSuchObject };
        let Some(index) = name.get(leaf.oid.len()..) else { return LookupResult::NoSuchObject };
        let Some(module) = self.modules.get_mut(leaf.module) else { return LookupResult::Failed };
        LookupResult::from(module.get(leaf.position, index))
    }

    /// Returns the first instance of `leaf` after `after`, and stores its name in `name`.
    ///
    /// Returns [`LookupResult::NoSuchInstance`] if no instance of this leaf follows; continue with
    /// the next leaf.
    #[inline]
    pub fn next_in_leaf(&mut self, leaf: usize, after: &[u32], name: &mut OidBuf) -> LookupResult<'_> {
        let Some(leaf) = self.leaves.get(leaf) else { return LookupResult::NoSuchObject };
        let after = if after.starts_with(&leaf.oid) { after.get(leaf.oid.len()..) } else { None };
        let Some(module) = self.modules.get_mut(leaf.module) else { return LookupResult::Failed };
        if name.set(&leaf.oid).is_err() {
            return LookupResult::Failed;
        }
        LookupResult::from(module.next(leaf.position, after.unwrap_or_default(), name))
    }

    /// Returns the module of a leaf and the leaf's position in it, which identifies the leaf in a
    /// [`Draft`].
    pub fn owner(&self, leaf: usize) -> Option<(usize, usize)> {
        self.leaves.get(leaf).map(|leaf| (leaf.module, leaf.position))
    }

    /// Opens a module's part of a SET by `requester`. Returns `None` if nothing in it is writable.
    pub fn draft(
        &mut self,
        module: usize,
        proposed: &ProposedState,
        requester: Requester<'_>,
    ) -> Option<Box<dyn Draft>> {
        self.modules.get_mut(module)?.draft(proposed, requester)
    }
}

/// The result of a lookup among all objects.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LookupResult<'a> {
    /// The value of the instance.
    Value(Value<'a>),
    /// No implemented leaf contains the name.
    NoSuchObject,
    /// The leaf is implemented, but the named instance does not exist.
    NoSuchInstance,
    /// The value will be available when the token is announced.
    Later(LookupToken),
    /// The value is unavailable. The request fails with genErr.
    Failed,
}

impl<'a> From<Lookup<'a>> for LookupResult<'a> {
    fn from(lookup: Lookup<'a>) -> Self {
        match lookup {
            Lookup::Value(value) => Self::Value(value),
            Lookup::Absent => Self::NoSuchInstance,
            Lookup::Unknown => Self::NoSuchObject,
            Lookup::Later(token) => Self::Later(token),
            Lookup::Failed => Self::Failed,
        }
    }
}

/// Two leaves that conflict: they are equal, or the second is below the first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OverlapError {
    first: String,
    second: String,
}

impl fmt::Display for OverlapError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} is implemented twice, or is below {}", self.second, self.first)
    }
}

impl std::error::Error for OverlapError {}

struct Leaf {
    oid: Oid,
    module: usize,
    position: usize,
    object: Option<&'static Object>,
}

impl fmt::Display for Leaf {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.object {
            Some(object) => f.write_str(object.name),
            None => self.oid.fmt(f),
        }
    }
}

#[cfg(test)]
mod tests;
