//! The sizes of trees, for quotas.

use std::sync::Arc;

use crate::{
    Row,
    pairs::{Pair, pairs},
};

/// The amount of data in a tree.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TreeSize {
    /// The number of leafs, leaf-list entries, and presence containers. The key leafs of list
    /// entries count.
    pub leafs: u64,
    /// The octets of all values.
    pub octets: u64,
}

impl TreeSize {
    /// Maximum size of a tree that a datastore accepts.
    pub const MAX: Self = Self { leafs: 2_000_000, octets: 512 << 20 };

    /// Returns true if neither number is greater than that of a quota.
    pub fn is_within(self, quota: Self) -> bool {
        self.leafs <= quota.leafs && self.octets <= quota.octets
    }

    /// Returns the size of a tree `after` from this size of the tree `before`.
    pub(crate) fn after(self, before: &Arc<Row>, after: &Arc<Row>) -> Self {
        let (mut removed, mut added) = (Self::default(), Self::default());
        compare_rows(before, after, &mut removed, &mut added);
        let difference = |size: u64, removed, added| size.saturating_add(added).saturating_sub(removed);
        Self {
            leafs: difference(self.leafs, removed.leafs, added.leafs),
            octets: difference(self.octets, removed.octets, added.octets),
        }
    }

    fn add(&mut self, leafs: usize, octets: usize) {
        self.leafs = self.leafs.saturating_add(leafs as u64);
        self.octets = self.octets.saturating_add(octets as u64);
    }
}

/// Counts what differs between two versions of a row.
fn compare_rows(before: &Arc<Row>, after: &Arc<Row>, removed: &mut TreeSize, added: &mut TreeSize) {
    if Arc::ptr_eq(before, after) {
        return;
    }
    for (row, size) in [(before, &mut *removed), (after, &mut *added)] {
        size.add(row.leafs().len(), row.leafs().octets());
    }
    let empty = Arc::default();
    for (_, pair) in pairs(before, after) {
        match pair {
            Pair::Containers(before, after) => {
                removed.add(usize::from(before.is_some()), 0);
                added.add(usize::from(after.is_some()), 0);
                compare_rows(before.unwrap_or(&empty), after.unwrap_or(&empty), removed, added);
            }
            Pair::Lists(before, after) => {
                for item in before.by_key().differences(after.by_key()) {
                    let [before, after] = [item.before, item.after].map(|row| row.unwrap_or(&empty));
                    compare_rows(before, after, removed, added);
                }
            }
            Pair::LeafLists(before, after) => {
                for item in before.by_key().differences(after.by_key()) {
                    let size = if item.after.is_some() { &mut *added } else { &mut *removed };
                    size.add(1, item.key.as_octets().len());
                }
            }
        }
    }
}

#[cfg(test)]
mod tests;
