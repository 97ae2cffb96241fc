//! Iterates over entries in ascending order, from any key.

use std::slice;

use super::{
    RowKey, SortedMap,
    node::{Branch, Node, branch_of},
};

/// SortedEntries of a map in ascending order of keys.
pub struct SortedEntries<'m, V> {
    entries: slice::Iter<'m, (RowKey, V)>,
    /// The branches that follow, from the root downwards.
    branches: Vec<slice::Iter<'m, Branch<V>>>,
}

impl<V> SortedMap<V> {
    /// Returns all entries.
    pub fn iter(&self) -> SortedEntries<'_, V> {
        self.start(|_| 0, |_| 0)
    }

    /// Returns the entries whose keys are equal to `key` or greater.
    pub fn starting_at(&self, key: &[u8]) -> SortedEntries<'_, V> {
        self.start(
            |branches| branch_of(branches, key),
            |entries| entries.partition_point(|(other, _)| other.as_octets() < key),
        )
    }

    /// Returns the entries whose keys are greater than `key`.
    pub fn after(&self, key: &[u8]) -> SortedEntries<'_, V> {
        self.start(
            |branches| branch_of(branches, key),
            |entries| entries.partition_point(|(other, _)| other.as_octets() <= key),
        )
    }

    /// Returns the entries from the position on that the functions choose in each node.
    fn start(
        &self,
        branch: impl Fn(&[Branch<V>]) -> usize,
        entry: impl Fn(&[(RowKey, V)]) -> usize,
    ) -> SortedEntries<'_, V> {
        let mut all = SortedEntries { entries: [].iter(), branches: Vec::new() };
        let mut next = self.root.as_deref();
        while let Some(node) = next {
            next = match node {
                Node::Inner(branches) => {
                    let mut rest = branches.get(branch(branches)..).unwrap_or_default().iter();
                    let first = rest.next();
                    all.branches.push(rest);
                    first.map(|branch| branch.node.as_ref())
                }
                Node::Leaf(entries) => {
                    all.entries = entries.get(entry(entries)..).unwrap_or_default().iter();
                    None
                }
            };
        }
        all
    }
}

impl<'m, V> Iterator for SortedEntries<'m, V> {
    type Item = (&'m RowKey, &'m V);

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some((key, value)) = self.entries.next() {
                return Some((key, value));
            }
            match self.branches.last_mut()?.next() {
                None => {
                    self.branches.pop();
                }
                Some(branch) => match branch.node.as_ref() {
                    Node::Inner(branches) => self.branches.push(branches.iter()),
                    Node::Leaf(entries) => self.entries = entries.iter(),
                },
            }
        }
    }
}

impl<V> Clone for SortedEntries<'_, V> {
    fn clone(&self) -> Self {
        Self { entries: self.entries.clone(), branches: self.branches.clone() }
    }
}

impl<'m, V> IntoIterator for &'m SortedMap<V> {
    type Item = (&'m RowKey, &'m V);
    type IntoIter = SortedEntries<'m, V>;

    fn into_iter(self) -> SortedEntries<'m, V> {
        self.iter()
    }
}
