//! Steps between rows in the paths of instances.

use portreeve_yang::{Entry, InstancePath, NodeId, NodeKind, Schema};

use crate::{Row, RowKey, keys::value_of};

/// Appends the steps from a row to a data node in it: the containers without presence between them,
/// and the node itself with its entry. Returns the number of steps.
pub(crate) fn push_within(
    path: &mut InstancePath,
    schema: &Schema,
    row: NodeId,
    node: NodeId,
    entry: Entry,
) -> usize {
    let mut containers = Vec::new();
    let mut next = schema.data_parent(node);
    while let Some(container) = next.filter(|container| *container != row) {
        containers.push(container);
        next = schema.data_parent(container);
    }
    let steps = containers.len() + 1;
    containers.into_iter().rev().for_each(|container| path.push(container, Entry::All));
    path.push(node, entry);
    steps
}

/// Returns the path of a data node in a row.
pub(crate) fn path_within(
    path: &InstancePath,
    schema: &Schema,
    row: NodeId,
    node: NodeId,
    entry: Entry,
) -> InstancePath {
    let mut path = path.clone();
    push_within(&mut path, schema, row, node, entry);
    path
}

/// Removes as many steps as were appended.
pub(crate) fn pop_steps(path: &mut InstancePath, steps: usize) {
    for _ in 0..steps {
        path.pop();
    }
}

/// Returns the entry of a list entry or presence container with this content.
pub(crate) fn entry_of_row(schema: &Schema, node: NodeId, row: &Row) -> Entry {
    match &schema.node(node).kind {
        // The keys have the first slots.
        NodeKind::List(list) => {
            Entry::Keys(row.leafs().range(0..list.keys.len()).map(|(_, value)| value.into()).collect())
        }
        _ => Entry::All,
    }
}

/// Returns the entry of a leaf-list with this key.
pub(crate) fn entry_of_value(key: &RowKey) -> Entry {
    Entry::Value(value_of(key).into())
}
