//! The changes between two versions of a tree. Parts that the versions share are skipped.

use std::{ops::ControlFlow, sync::Arc};

use portreeve_yang::{Entry, InstancePath, NodeId, Schema};

use crate::{
    DifferenceItem, IsSame, LeafList, List, Row, RowKey, Tree,
    entries::Entries,
    pairs::{Pair, pairs},
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
        let mut changes = Vec::new();
        // The function does not stop the comparison.
        let _ = self.visit_changes(schema, after, &mut |change| {
            changes.push(change);
            ControlFlow::Continue(())
        });
        changes
    }

    /// Passes the changes from this version to another to a function until it returns `Break`, in
    /// the order of the schema and of keys. A change exists only as long as the function uses it.
    pub fn visit_changes(
        &self,
        schema: &Schema,
        after: &Self,
        visit: &mut dyn FnMut(Change) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let mut comparison = Comparison { schema, path: InstancePath::new(), visit };
        comparison.compare_rows(NodeId::ROOT, self.root(), after.root())
    }
}

struct Comparison<'c> {
    schema: &'c Schema,
    path: InstancePath,
    visit: &'c mut dyn FnMut(Change) -> ControlFlow<()>,
}

impl Comparison<'_> {
    /// Compares two versions of a row, whose path is the current one.
    fn compare_rows(&mut self, node: NodeId, before: &Arc<Row>, after: &Arc<Row>) -> ControlFlow<()> {
        if Arc::ptr_eq(before, after) {
            return ControlFlow::Continue(());
        }
        if before.leafs != after.leafs {
            let kind =
                ChangeKind::Row { before: Some(before.clone()), after: Some(after.clone()), position: None };
            (self.visit)(Change { path: self.path.clone(), kind })?;
        }
        for (index, pair) in pairs(before, after) {
            let Some(child) = self.schema.row_layout(node).children.get(index) else { continue };
            self.compare_children(node, *child, pair)?;
        }
        ControlFlow::Continue(())
    }

    fn compare_children(&mut self, row: NodeId, node: NodeId, pair: Pair<'_>) -> ControlFlow<()> {
        match pair {
            Pair::Containers(before, after) => {
                self.compare_instances(row, node, before.cloned(), after.cloned(), None)
            }
            Pair::Lists(before, after) => self.compare_lists(row, node, before, after),
            Pair::LeafLists(before, after) => self.compare_leaf_lists(row, node, before, after),
        }
    }

    fn compare_lists(&mut self, row: NodeId, node: NodeId, before: &List, after: &List) -> ControlFlow<()> {
        for DifferenceItem { key, before, after: changed } in before.by_key().differences(after.by_key()) {
            let position = if before.is_none() { position(after, key) } else { None };
            self.compare_instances(row, node, before.cloned(), changed.cloned(), position)?;
        }
        for (key, position) in moved(before, after) {
            let Some(entry) = after.get(key.as_octets()) else { continue };
            let entry = entry_of_row(self.schema, node, entry);
            self.pass(row, node, entry, ChangeKind::Position { position })?;
        }
        ControlFlow::Continue(())
    }

    fn compare_leaf_lists(
        &mut self,
        row: NodeId,
        node: NodeId,
        before: &LeafList,
        after: &LeafList,
    ) -> ControlFlow<()> {
        for DifferenceItem { key, after: added, .. } in before.by_key().differences(after.by_key()) {
            let kind = match added {
                Some(()) => ChangeKind::ValueAdded { position: position(after, key) },
                None => ChangeKind::ValueRemoved,
            };
            self.pass(row, node, entry_of_value(key), kind)?;
        }
        for (key, position) in moved(before, after) {
            self.pass(row, node, entry_of_value(key), ChangeKind::Position { position })?;
        }
        ControlFlow::Continue(())
    }

    /// Compares two versions of a list entry or presence container.
    fn compare_instances(
        &mut self,
        row: NodeId,
        node: NodeId,
        before: Option<Arc<Row>>,
        after: Option<Arc<Row>>,
        position: Option<u64>,
    ) -> ControlFlow<()> {
        let Some(any) = before.as_ref().or(after.as_ref()) else { return ControlFlow::Continue(()) };
        let entry = entry_of_row(self.schema, node, any);
        match (&before, &after) {
            (Some(before), Some(after)) => {
                let steps = push_within(&mut self.path, self.schema, row, node, entry);
                let flow = self.compare_rows(node, before, after);
                pop_steps(&mut self.path, steps);
                flow
            }
            _ => self.pass(row, node, entry, ChangeKind::Row { before, after, position }),
        }
    }

    fn pass(&mut self, row: NodeId, node: NodeId, entry: Entry, kind: ChangeKind) -> ControlFlow<()> {
        let path = path_within(&self.path, self.schema, row, node, entry);
        (self.visit)(Change { path, kind })
    }
}

fn position<V>(entries: &Entries<V>, key: &RowKey) -> Option<u64> {
    entries.order()?.position(key.as_octets())
}

/// Returns the entries that exist in both versions and have different positions.
fn moved<'e, V: IsSame>(
    before: &'e Entries<V>,
    after: &'e Entries<V>,
) -> impl Iterator<Item = (&'e RowKey, u64)> {
    let orders = before.order().zip(after.order());
    let differences =
        orders.into_iter().flat_map(|(before, after)| before.positions().differences(after.positions()));
    differences
        .filter(|difference| difference.before.is_some())
        .filter_map(|difference| Some((difference.key, *difference.after?)))
}

#[cfg(test)]
mod tests;
