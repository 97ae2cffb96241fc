//! Builds a map from sorted entries in linear time. All nodes but the last of each level are full.

use std::{fmt, sync::Arc};

use super::{
    RowKey, SortedMap,
    node::{Branch, MAX_NODE_ENTRIES, Node},
};

/// The keys of entries were not in strictly ascending order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotAscending;

impl<V> SortedMap<V> {
    /// Builds a map from entries in strictly ascending order of keys.
    pub fn from_ascending(entries: impl IntoIterator<Item = (RowKey, V)>) -> Result<Self, NotAscending> {
        let mut len = 0;
        let mut branches = Vec::new();
        let mut filling: Vec<(RowKey, V)> = Vec::new();
        for (key, value) in entries {
            if filling.last().is_some_and(|(last, _)| *last >= key) {
                return Err(NotAscending);
            }
            if filling.len() == MAX_NODE_ENTRIES {
                let full = std::mem::replace(&mut filling, Vec::with_capacity(MAX_NODE_ENTRIES));
                // The first key of the next node was compared with the last of this one.
                branches.extend(branch(Node::Leaf(full)));
            }
            filling.push((key, value));
            len += 1;
        }
        filling.shrink_to_fit();
        branches.extend(branch(Node::Leaf(filling)));
        while branches.len() > 1 {
            branches = join(branches);
        }
        Ok(Self { root: branches.pop().map(|branch| branch.node), len })
    }
}

/// Makes the next level: each node has as many branches as fit.
fn join<V>(branches: Vec<Branch<V>>) -> Vec<Branch<V>> {
    let mut joined = Vec::with_capacity(branches.len() / MAX_NODE_ENTRIES + 1);
    let mut rest = branches.into_iter();
    loop {
        let node: Vec<_> = rest.by_ref().take(MAX_NODE_ENTRIES).collect();
        match branch(Node::Inner(node)) {
            Some(branch) => joined.push(branch),
            None => return joined,
        }
    }
}

/// Returns a node as a branch, unless it is empty.
fn branch<V>(node: Node<V>) -> Option<Branch<V>> {
    let first = node.lower_bound()?.clone();
    Some(Branch { first, node: Arc::new(node) })
}

impl fmt::Display for NotAscending {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("keys are not in ascending order")
    }
}

impl std::error::Error for NotAscending {}
