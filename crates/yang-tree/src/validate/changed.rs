//! The changes between two trees, as far as references depend on them.

use std::{collections::BTreeSet, sync::Arc};

use portreeve_yang::{NodeId, NodeKind, Schema};

use crate::{
    Row,
    cases::visit_flattened,
    pairs::{Pair, pairs},
};

/// The nodes that references read, prepared.
#[derive(Default)]
pub(super) struct Watched {
    /// True for each node that a reference reads.
    nodes: Vec<bool>,
    /// References can lead to all nodes: rows in which a change can end the existence of a default.
    rows_with_defaults: Option<BTreeSet<NodeId>>,
}

/// The changes between two trees.
#[derive(Default)]
pub(super) struct Changed {
    /// The nodes that are watched, of which an instance has another value, was created or removed.
    nodes: BTreeSet<NodeId>,
    /// Those that are rows with other leafs, or with children that begin or end to exist.
    contents: BTreeSet<NodeId>,
    /// Those of which an instance lost its value or was removed.
    lost: BTreeSet<NodeId>,
    /// Any instance, or a default in its place, exists no more.
    has_removals: bool,
}

impl Watched {
    /// Watches nodes. If references can lead to all nodes, their removal is watched as well.
    pub(super) fn new(schema: &Schema, nodes: impl Iterator<Item = NodeId>, is_any: bool) -> Self {
        let mut watched = Self::default();
        for node in nodes {
            if watched.nodes.len() <= node.index() {
                watched.nodes.resize(node.index() + 1, false);
            }
            if let Some(is_watched) = watched.nodes.get_mut(node.index()) {
                *is_watched = true;
            }
        }
        if is_any {
            let rows = schema.nodes().filter(|(_, node)| node.is_row()).map(|(row, _)| row);
            watched.rows_with_defaults = Some(rows.filter(|row| has_defaults(schema, *row)).collect());
        }
        watched
    }

    fn contains(&self, node: NodeId) -> bool {
        self.nodes.get(node.index()).is_some_and(|is_watched| *is_watched)
    }
}

/// Returns true if a choice or a default value in a row exists only without other nodes.
fn has_defaults(schema: &Schema, row: NodeId) -> bool {
    let mut found = false;
    visit_flattened(schema, row, &mut |node| {
        found |= match &schema.node(node).kind {
            NodeKind::Choice(_) => true,
            NodeKind::LeafList(list) => !list.defaults.is_empty(),
            _ => false,
        };
    });
    found
}

impl Changed {
    /// Returns true if one of these nodes has changed.
    pub(super) fn has_changed(&self, nodes: &BTreeSet<NodeId>) -> bool {
        !self.nodes.is_disjoint(nodes)
    }

    /// Returns true if the content of one of these rows has changed.
    pub(super) fn has_changed_content(&self, rows: &BTreeSet<NodeId>) -> bool {
        !self.contents.is_disjoint(rows)
    }

    /// Returns true if an instance of one of these nodes lost its value or was removed.
    pub(super) fn has_lost(&self, nodes: &BTreeSet<NodeId>) -> bool {
        !self.lost.is_disjoint(nodes)
    }

    /// Returns true if any instance was removed.
    pub(super) fn has_removals(&self) -> bool {
        self.has_removals
    }

    /// Adds the differences between two versions of a row, without the rows below it.
    pub(super) fn add(
        &mut self,
        watched: &Watched,
        schema: &Schema,
        node: NodeId,
        before: Option<&Arc<Row>>,
        after: Option<&Arc<Row>>,
    ) {
        if watched.nodes.is_empty() && watched.rows_with_defaults.is_none() {
            return;
        }
        let is_removed = before.is_some() && after.is_none();
        if before.is_some() != after.is_some() && watched.contains(node) {
            self.nodes.insert(node);
            if is_removed {
                self.lost.insert(node);
            }
        }
        self.has_removals |= is_removed;
        let empty = Arc::default();
        let (before, after) = (before.unwrap_or(&empty), after.unwrap_or(&empty));
        let is_different = self.add_leafs(watched, schema, node, before, after)
            | self.add_children(watched, schema, node, before, after);
        if is_different {
            if watched.contains(node) {
                self.contents.insert(node);
            }
            self.has_removals |= watched.rows_with_defaults.as_ref().is_some_and(|rows| rows.contains(&node));
        }
    }

    /// Returns true if leafs differ.
    fn add_leafs(
        &mut self,
        watched: &Watched,
        schema: &Schema,
        node: NodeId,
        before: &Row,
        after: &Row,
    ) -> bool {
        if before.leafs == after.leafs {
            return false;
        }
        let layout = schema.row_layout(node);
        for (row, other, is_before) in [(before, after, true), (after, before, false)] {
            for (slot, value) in row.leafs().iter() {
                let found = other.leaf(slot);
                self.has_removals |= is_before && found.is_none();
                if found == Some(value) {
                    continue;
                }
                if let Some(leaf) = layout.slots.get(slot).filter(|leaf| watched.contains(**leaf)) {
                    self.nodes.insert(*leaf);
                    if is_before {
                        self.lost.insert(*leaf);
                    }
                }
            }
        }
        true
    }

    /// Returns true if leaf-lists differ, or if lists or containers begin or end to exist.
    fn add_children(
        &mut self,
        watched: &Watched,
        schema: &Schema,
        node: NodeId,
        before: &Row,
        after: &Row,
    ) -> bool {
        let mut is_different = false;
        for (index, pair) in pairs(before, after) {
            let Some(child) = schema.row_layout(node).children.get(index).copied() else { continue };
            is_different |= match pair {
                Pair::Containers(before, after) => before.is_some() != after.is_some(),
                Pair::Lists(before, after) => before.is_empty() != after.is_empty(),
                Pair::LeafLists(before, after) => {
                    let mut differences = before.by_key().differences(after.by_key()).peekable();
                    let is_different = differences.peek().is_some();
                    let is_lost = differences.any(|item| item.after.is_none());
                    self.has_removals |= is_lost;
                    if is_different && watched.contains(child) {
                        self.nodes.insert(child);
                        if is_lost {
                            self.lost.insert(child);
                        }
                    }
                    is_different
                }
            };
        }
        is_different
    }
}
