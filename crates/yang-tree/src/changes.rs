//! The changes between two versions of a tree. Parts that the versions share are skipped.

use std::sync::Arc;

use portreeve_yang::{Entry, InstancePath, NodeId, Schema};

use crate::{
    Child, DifferenceItem, IsSame, LeafList, List, Row, RowKey, Tree,
    entries::Entries,
    path::{entry_of_row, entry_of_value, path_within, pop_steps, push_within},
};

/// A change between two versions of a tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// The list entry, presence container or leaf-list entry that has changed. The path of the top
    /// level has no steps.
    pub path: InstancePath,
    /// The kind of the change.
    pub kind: ChangeKind,
}

/// The kind of a change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ChangeKind {
    /// A row was created or removed with everything below it, or its leafs have changed. Changes of
    /// the rows below a row that remains are listed by themselves.
    Row {
        /// The row before.
        before: Option<Arc<Row>>,
        /// The row after.
        after: Option<Arc<Row>>,
        /// The position of a new entry in a list that the user orders.
        position: Option<u64>,
    },
    /// A value was added to a leaf-list.
    ValueAdded {
        /// Its position if the user orders the leaf-list.
        position: Option<u64>,
    },
    /// A value was removed from a leaf-list.
    ValueRemoved,
    /// An entry of a list or leaf-list that the user orders has another position. The sequence of
    /// the entries can be the same.
    Position {
        /// The position after.
        position: u64,
    },
}

impl Tree {
    /// Returns the changes from this version to another, in the order of the schema and of keys.
    pub fn changes(&self, schema: &Schema, after: &Self) -> Vec<Change> {
        let mut found = Found { schema, path: InstancePath::new(), changes: Vec::new() };
        found.compare_rows(NodeId::ROOT, &self.root, &after.root);
        found.changes
    }
}

struct Found<'s> {
    schema: &'s Schema,
    path: InstancePath,
    changes: Vec<Change>,
}

impl Found<'_> {
    /// Compares two versions of a row, whose path is the current one.
    fn compare_rows(&mut self, node: NodeId, before: &Arc<Row>, after: &Arc<Row>) {
        if Arc::ptr_eq(before, after) {
            return;
        }
        if before.leafs != after.leafs {
            let kind =
                ChangeKind::Row { before: Some(before.clone()), after: Some(after.clone()), position: None };
            self.changes.push(Change { path: self.path.clone(), kind });
        }
        for (index, before, after) in pairs(before, after) {
            let Some(child) = self.schema.row_layout(node).children.get(index) else { continue };
            self.compare_children(node, *child, before, after);
        }
    }

    fn compare_children(&mut self, row: NodeId, node: NodeId, before: Option<&Child>, after: Option<&Child>) {
        match (before, after) {
            (Some(Child::List(before)), Some(Child::List(after))) => {
                self.compare_lists(row, node, before, after)
            }
            (Some(Child::List(before)), None) => self.compare_lists(row, node, before, &List::new(false)),
            (None, Some(Child::List(after))) => {
                self.compare_lists(row, node, &List::new(after.order().is_some()), after);
            }
            (Some(Child::LeafList(before)), Some(Child::LeafList(after))) => {
                self.compare_leaf_lists(row, node, before, after);
            }
            (Some(Child::LeafList(before)), None) => {
                self.compare_leaf_lists(row, node, before, &LeafList::new(false));
            }
            (None, Some(Child::LeafList(after))) => {
                self.compare_leaf_lists(row, node, &LeafList::new(after.order().is_some()), after);
            }
            (before, after) => {
                let [before, after] =
                    [before, after].map(|child| child.and_then(Child::as_container).cloned());
                self.compare_instances(row, node, before, after, None);
            }
        }
    }

    fn compare_lists(&mut self, row: NodeId, node: NodeId, before: &List, after: &List) {
        for DifferenceItem { key, before, after: changed } in before.by_key().differences(after.by_key()) {
            let position = if before.is_none() { position(after, key) } else { None };
            self.compare_instances(row, node, before.cloned(), changed.cloned(), position);
        }
        for key in moved(before, after) {
            let Some(entry) = after.get(key.0.as_octets()) else { continue };
            self.push(
                row,
                node,
                entry_of_row(self.schema, node, entry),
                ChangeKind::Position { position: key.1 },
            );
        }
    }

    fn compare_leaf_lists(&mut self, row: NodeId, node: NodeId, before: &LeafList, after: &LeafList) {
        for DifferenceItem { key, after: added, .. } in before.by_key().differences(after.by_key()) {
            let kind = match added {
                Some(()) => ChangeKind::ValueAdded { position: position(after, key) },
                None => ChangeKind::ValueRemoved,
            };
            self.push(row, node, entry_of_value(key), kind);
        }
        for (key, position) in moved(before, after) {
            self.push(row, node, entry_of_value(&key), ChangeKind::Position { position });
        }
    }

    /// Compares two versions of a list entry or presence container.
    fn compare_instances(
        &mut self,
        row: NodeId,
        node: NodeId,
        before: Option<Arc<Row>>,
        after: Option<Arc<Row>>,
        position: Option<u64>,
    ) {
        let Some(any) = before.as_ref().or(after.as_ref()) else { return };
        let entry = entry_of_row(self.schema, node, any);
        match (&before, &after) {
            (Some(before), Some(after)) => {
                let steps = push_within(&mut self.path, self.schema, row, node, entry);
                self.compare_rows(node, before, after);
                pop_steps(&mut self.path, steps);
            }
            _ => self.push(row, node, entry, ChangeKind::Row { before, after, position }),
        }
    }

    fn push(&mut self, row: NodeId, node: NodeId, entry: Entry, kind: ChangeKind) {
        self.changes.push(Change { path: path_within(&self.path, self.schema, row, node, entry), kind });
    }
}

/// Returns the children of two rows with their indexes, without those that are the same version.
pub(crate) fn pairs<'r>(
    before: &'r Row,
    after: &'r Row,
) -> impl Iterator<Item = (usize, Option<&'r Child>, Option<&'r Child>)> {
    let mut before = before.children().peekable();
    let mut after = after.children().peekable();
    let mut next = move || {
        let index = match (before.peek(), after.peek()) {
            (Some((one, _)), Some((two, _))) => *one.min(two),
            (Some((index, _)), None) | (None, Some((index, _))) => *index,
            (None, None) => return None,
        };
        let one = before.next_if(|(other, _)| *other == index).map(|(_, child)| child);
        let two = after.next_if(|(other, _)| *other == index).map(|(_, child)| child);
        Some((index, one, two))
    };
    std::iter::from_fn(move || {
        loop {
            match next()? {
                (_, Some(one), Some(two)) if one.is_same_version(two) => {}
                pair => return Some(pair),
            }
        }
    })
}

fn position<V>(entries: &Entries<V>, key: &RowKey) -> Option<u64> {
    entries.order()?.position(key.as_octets())
}

/// Returns the entries that exist in both versions and have different positions.
fn moved<V: IsSame>(before: &Entries<V>, after: &Entries<V>) -> Vec<(RowKey, u64)> {
    let (Some(before), Some(after)) = (before.order(), after.order()) else { return Vec::new() };
    let differences = before.positions().differences(after.positions());
    differences
        .filter(|difference| difference.before.is_some())
        .filter_map(|difference| Some((difference.key.clone(), *difference.after?)))
        .collect()
}

#[cfg(test)]
mod tests;
