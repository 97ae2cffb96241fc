//! Summaries of changes, for the log.

use std::ops::ControlFlow;

use portreeve_yang::{Entry, InstancePath, NodeId, Schema};
use portreeve_yang_tree::{Change, ChangeKind, Row, Tree};

use crate::action::MAX_LOGGED_PATHS;

#[cfg(test)]
mod tests;

/// The changes between two trees.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Summary {
    /// The number of nodes that differ.
    pub(crate) changes: usize,
    /// The paths of the first of them.
    pub(crate) paths: Vec<String>,
}

/// Counts the changes from one tree to another: leafs that differ, and list entries, presence
/// containers and leaf-list entries that exist in one of them only.
pub(crate) fn summarize(schema: &Schema, before: &Tree, after: &Tree) -> Summary {
    let mut summary = Summary::default();
    // The function does not stop the comparison.
    let _ = before.visit_changes(schema, after, &mut |Change { path, kind }| {
        match kind {
            ChangeKind::Row { before: Some(before), after: Some(after), .. } => {
                for leaf in changed_leafs(schema, path.node(), &before, &after) {
                    summary.add(|| leaf_path(schema, &path, leaf).display(schema).to_string());
                }
            }
            _ => summary.add(|| path.display(schema).to_string()),
        }
        ControlFlow::Continue(())
    });
    summary
}

impl Summary {
    fn add(&mut self, path: impl FnOnce() -> String) {
        self.changes += 1;
        if self.paths.len() < MAX_LOGGED_PATHS {
            self.paths.push(path());
        }
    }
}

/// Returns the leafs of two versions of a row that differ.
fn changed_leafs<'s>(
    schema: &'s Schema,
    node: NodeId,
    before: &'s Row,
    after: &'s Row,
) -> impl Iterator<Item = NodeId> + 's {
    let slots = schema.row_layout(node).slots.iter().enumerate();
    slots.filter(|(slot, _)| before.leaf(*slot) != after.leaf(*slot)).map(|(_, leaf)| *leaf)
}

/// Returns the path of a leaf in a row with this path, with the containers without presence between
/// them.
fn leaf_path(schema: &Schema, row: &InstancePath, leaf: NodeId) -> InstancePath {
    let mut nodes = vec![leaf];
    let mut at = schema.data_parent(leaf);
    while let Some(container) = at.filter(|container| *container != row.node()) {
        nodes.push(container);
        at = schema.data_parent(container);
    }
    let mut path = row.clone();
    nodes.into_iter().rev().for_each(|node| path.push(node, Entry::All));
    path
}
