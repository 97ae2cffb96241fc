//! Nodes of the B+tree, and the searches in them.

use std::sync::Arc;

use super::RowKey;

/// A node. Only a map without entries has no node, so that nodes have at least one entry.
#[derive(Clone)]
pub(super) enum Node<V> {
    /// The lowest level: entries in ascending order of keys.
    Leaf(Vec<(RowKey, V)>),
    /// A level above: branches in ascending order, all of the same height.
    Inner(Vec<Branch<V>>),
}

/// A node below another.
pub(super) struct Branch<V> {
    /// A lower bound of the keys below: not greater than the first of them, and greater than all
    /// keys of the branch before.
    pub(super) first: RowKey,
    pub(super) node: Arc<Node<V>>,
}

/// Maximum number of entries of a node.
pub const MAX_NODE_ENTRIES: usize = 32;

impl<V> Node<V> {
    /// Returns the number of entries or branches.
    pub(super) fn len(&self) -> usize {
        match self {
            Self::Leaf(entries) => entries.len(),
            Self::Inner(branches) => branches.len(),
        }
    }

    /// Returns a lower bound of the keys, which only a leaf node without entries lacks.
    pub(super) fn lower_bound(&self) -> Option<&RowKey> {
        match self {
            Self::Leaf(entries) => entries.first().map(|(key, _)| key),
            Self::Inner(branches) => branches.first().map(|branch| &branch.first),
        }
    }

    pub(super) fn first(&self) -> Option<(&RowKey, &V)> {
        let mut node = self;
        loop {
            match node {
                Self::Inner(branches) => node = &branches.first()?.node,
                Self::Leaf(entries) => return entries.first().map(|(key, value)| (key, value)),
            }
        }
    }

    pub(super) fn last(&self) -> Option<(&RowKey, &V)> {
        let mut node = self;
        loop {
            match node {
                Self::Inner(branches) => node = &branches.last()?.node,
                Self::Leaf(entries) => return entries.last().map(|(key, value)| (key, value)),
            }
        }
    }

    /// Returns the last entry whose key is less than `key`.
    pub(super) fn last_before(&self, key: &[u8]) -> Option<(&RowKey, &V)> {
        match self {
            Self::Leaf(entries) => {
                let following = entries.partition_point(|(other, _)| other.as_octets() < key);
                entries.get(following.checked_sub(1)?).map(|(key, value)| (key, value))
            }
            Self::Inner(branches) => {
                let following = branches.partition_point(|branch| branch.first.as_octets() < key);
                let before = branches.get(..following).unwrap_or_default();
                // The keys of the last of these branches can all be greater, but not those of the
                // branch before it.
                before.iter().rev().find_map(|branch| branch.node.last_before(key))
            }
        }
    }
}

impl<V> Clone for Branch<V> {
    fn clone(&self) -> Self {
        Self { first: self.first.clone(), node: self.node.clone() }
    }
}

/// Returns the position of a key, or the position at which it would be.
pub(super) fn find<V>(entries: &[(RowKey, V)], key: &[u8]) -> Result<usize, usize> {
    entries.binary_search_by(|(other, _)| other.as_octets().cmp(key))
}

/// Returns the position of the branch in which a key is or would be.
pub(super) fn branch_of<V>(branches: &[Branch<V>], key: &[u8]) -> usize {
    branches.partition_point(|branch| branch.first.as_octets() <= key).saturating_sub(1)
}
