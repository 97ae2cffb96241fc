//! What one agent shows: several instrumentations in one lexicographical order.

use std::fmt;

use portreeve_smi::{Oid, OidBuf, Timestamp, Value};

use crate::{Draft, Instrumentation, Lookup, LookupToken, Object, Requester};

/// The objects of one worker, in the order of their identifiers.
///
/// A *leaf* is a scalar, a column or a subtree shown whole; leaves are numbered in that order. Leaves never lie below
/// each other, so the order of all instances is the order of the leaves, and within one leaf that of its indexes.
pub struct ServedObjects {
    modules: Vec<Box<dyn Instrumentation>>,
    leaves: Vec<Leaf>,
}

impl ServedObjects {
    /// Puts the leaves of all modules in order.
    ///
    /// Fails where two modules claim one leaf or one leaf lies below another.
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
            None => Ok(Self { modules, leaves }),
        }
    }

    /// To be called first for each request, with its contextName.
    pub fn enter_context(&mut self, context_name: &[u8]) {
        for module in &mut self.modules {
            module.enter_context(context_name);
        }
    }

    /// To be called once before the lookups of each request.
    pub fn begin(&mut self, now: Timestamp) {
        for module in &mut self.modules {
            module.begin(now);
        }
    }

    /// How many leaves there are.
    pub fn leaf_count(&self) -> usize {
        self.leaves.len()
    }

    /// The identifier of a leaf, `None` past the last.
    pub fn leaf_oid(&self, leaf: usize) -> Option<&[u32]> {
        self.leaves.get(leaf).map(|leaf| leaf.oid.arcs())
    }

    /// The definition of a leaf, `None` past the last and for a subtree, which may hold many.
    pub fn leaf_object(&self, leaf: usize) -> Option<&'static Object> {
        self.leaves.get(leaf)?.object
    }

    /// The leaf that `name` lies in, or is.
    pub fn leaf_of(&self, name: &[u32]) -> Option<usize> {
        let leaf = self.leaves.partition_point(|leaf| leaf.oid.arcs() <= name).checked_sub(1)?;
        self.leaves.get(leaf).filter(|candidate| name.starts_with(&candidate.oid)).map(|_| leaf)
    }

    /// The first leaf in which an instance may follow `name`; [`ServedObjects::leaf_count`] if there is none.
    pub fn first_leaf_after(&self, name: &[u32]) -> usize {
        self.leaf_of(name).unwrap_or_else(|| self.leaves.partition_point(|leaf| leaf.oid.arcs() <= name))
    }

    /// The value of exactly the instance `name`.
    #[inline]
    pub fn get(&mut self, name: &[u32]) -> LookupResult<'_> {
        let Some(leaf) = self.leaf_of(name) else { return LookupResult::NoSuchObject };
        let Some(leaf) = self.leaves.get(leaf) else { return LookupResult::NoSuchObject };
        let Some(index) = name.get(leaf.oid.len()..) else { return LookupResult::NoSuchObject };
        let Some(module) = self.modules.get_mut(leaf.module) else { return LookupResult::Failed };
        LookupResult::from(module.get(leaf.position, index))
    }

    /// The first instance of `leaf` that follows `after`. Its name is left in `name`.
    ///
    /// [`LookupResult::NoSuchInstance`] says that this leaf has none, and the next leaf's turn has come.
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

    /// Which module a leaf belongs to, and its position there: the name a [`Draft`] knows it by.
    pub fn owner(&self, leaf: usize) -> Option<(usize, usize)> {
        self.leaves.get(leaf).map(|leaf| (leaf.module, leaf.position))
    }

    /// Opens a module's share of a SET by `requester`; `None` where nothing in it is writable.
    pub fn draft(
        &mut self,
        module: usize,
        now: Timestamp,
        requester: Requester<'_>,
    ) -> Option<Box<dyn Draft>> {
        self.modules.get_mut(module)?.draft(now, requester)
    }
}

/// What a lookup among all objects found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LookupResult<'a> {
    /// The instance's value.
    Value(Value<'a>),
    /// The name lies in no leaf that is served.
    NoSuchObject,
    /// The leaf is served, but it has no such instance.
    NoSuchInstance,
    /// The value will be at hand when the token is announced.
    Later(LookupToken),
    /// The value cannot be had.
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

/// Two leaves that cannot both be served: they are the same, or the second lies below the first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OverlapError {
    first: String,
    second: String,
}

impl fmt::Display for OverlapError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} is claimed twice, or lies below {}", self.second, self.first)
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
