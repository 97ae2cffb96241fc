//! Sorted maps whose clones share their nodes, and the orders that users choose for lists.
//!
//! A map is a B+tree: entries are in the leaf nodes, all at the same depth. A change copies the
//! nodes on its path that other maps share, and edits the others in place.

mod build;
mod difference;
mod insert;
mod iterate;
mod key;
mod node;
mod order;
mod remove;

use std::sync::Arc;

pub use build::NotAscending;
pub use difference::{DifferenceItem, Differences, IsSame};
pub use iterate::SortedEntries;
pub use key::RowKey;
pub use node::MAX_NODE_ENTRIES;
pub use order::{Order, Place, UnknownAnchor};

use insert::Inserted;
use node::{Branch, Node};

/// A map from octets to values, sorted by the octets. Its clones share their nodes.
#[derive(Clone)]
pub struct SortedMap<V> {
    root: Option<Arc<Node<V>>>,
    len: usize,
}

impl<V> SortedMap<V> {
    /// Creates an empty map.
    pub const fn new() -> Self {
        Self { root: None, len: 0 }
    }

    /// Returns the number of entries.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Returns true if the map has no entries.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Returns the value with this key.
    pub fn get(&self, key: &[u8]) -> Option<&V> {
        let mut node = self.root.as_deref()?;
        loop {
            match node {
                Node::Inner(branches) => node = &branches.get(node::branch_of(branches, key))?.node,
                Node::Leaf(entries) => {
                    let position = node::find(entries, key).ok()?;
                    return entries.get(position).map(|(_, value)| value);
                }
            }
        }
    }

    /// Returns the first entry.
    pub fn first(&self) -> Option<(&RowKey, &V)> {
        self.root.as_deref()?.first()
    }

    /// Returns the last entry.
    pub fn last(&self) -> Option<(&RowKey, &V)> {
        self.root.as_deref()?.last()
    }

    /// Returns the first entry whose key follows `key`, which need not exist.
    pub fn next_after(&self, key: &[u8]) -> Option<(&RowKey, &V)> {
        self.after(key).next()
    }

    /// Returns the last entry whose key precedes `key`, which need not exist.
    pub fn last_before(&self, key: &[u8]) -> Option<(&RowKey, &V)> {
        self.root.as_deref()?.last_before(key)
    }

    /// Returns the first entry whose key is greater than all keys that begin with `prefix`.
    pub fn after_all_with(&self, prefix: &[u8]) -> Option<(&RowKey, &V)> {
        // The least octets that are greater: the last octet that can be increased is, and those
        // after it are left out.
        let (last, start) = prefix.iter().rposition(|octet| *octet < u8::MAX).and_then(|at| {
            let (start, rest) = prefix.split_at_checked(at)?;
            Some((rest.first()?.checked_add(1)?, start))
        })?;
        self.starting_at(&[start, &[last]].concat()).next()
    }

    /// Returns true if both maps are the same version, which takes no time to find out. Maps with
    /// equal entries can be different versions.
    pub fn is_same_version(&self, other: &Self) -> bool {
        match (&self.root, &other.root) {
            (None, None) => true,
            (Some(one), Some(two)) => Arc::ptr_eq(one, two),
            _ => false,
        }
    }
}

impl<V: Clone> SortedMap<V> {
    /// Sets the value of a key, and returns its previous value.
    pub fn insert(&mut self, key: RowKey, value: V) -> Option<V> {
        let Some(root) = &mut self.root else {
            self.root = Some(Arc::new(Node::Leaf(vec![(key, value)])));
            self.len = 1;
            return None;
        };
        match insert::insert(root, key, value, true) {
            Inserted::Replaced(previous) => return Some(previous),
            Inserted::Added => {}
            Inserted::Split(right) => {
                if let Some(first) = root.lower_bound().cloned() {
                    let left = Branch { first, node: root.clone() };
                    *root = Arc::new(Node::Inner(vec![left, right]));
                }
            }
        }
        self.len += 1;
        None
    }

    /// Removes a key, and returns its value. Shared nodes are not copied if there is no such key.
    pub fn remove(&mut self, key: &[u8]) -> Option<V> {
        self.get(key)?;
        let root = self.root.as_mut()?;
        let removed = remove::remove(root, key)?;
        self.len -= 1;
        remove::shorten(&mut self.root);
        Some(removed)
    }

    /// Returns the value with this key for a change. Shared nodes are not copied if there is no
    /// such key.
    pub fn get_mut(&mut self, key: &[u8]) -> Option<&mut V> {
        self.get(key)?;
        let mut node = self.root.as_mut()?;
        loop {
            match Arc::make_mut(node) {
                Node::Inner(branches) => {
                    let position = node::branch_of(branches, key);
                    node = &mut branches.get_mut(position)?.node;
                }
                Node::Leaf(entries) => {
                    let position = node::find(entries, key).ok()?;
                    return entries.get_mut(position).map(|(_, value)| value);
                }
            }
        }
    }
}

impl<V> Default for SortedMap<V> {
    fn default() -> Self {
        Self::new()
    }
}

/// Prints no keys and values, which can be secret.
impl<V> std::fmt::Debug for SortedMap<V> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "SortedMap({} entries)", self.len)
    }
}

impl<V: PartialEq> PartialEq for SortedMap<V> {
    fn eq(&self, other: &Self) -> bool {
        self.is_same_version(other) || (self.len == other.len && self.iter().eq(other.iter()))
    }
}

impl<V: Eq> Eq for SortedMap<V> {}

#[cfg(test)]
mod tests;
