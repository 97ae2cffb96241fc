//! Inserts an entry. Nodes on the way that other maps share are copied.

use std::sync::Arc;

use super::{
    RowKey,
    node::{Branch, MAX_NODE_ENTRIES, Node, branch_of, find},
};

/// The result of an insertion below a node.
pub(super) enum Inserted<V> {
    /// The key existed with this value.
    Replaced(V),
    Added,
    /// The key was added, and the node became two, of which this is the second.
    Split(Branch<V>),
}

/// Inserts an entry below a node. `is_last` says that no node follows this one at its level.
pub(super) fn insert<V: Clone>(node: &mut Arc<Node<V>>, key: RowKey, value: V, is_last: bool) -> Inserted<V> {
    match Arc::make_mut(node) {
        Node::Leaf(entries) => match find(entries, key.as_octets()) {
            Ok(position) => match entries.get_mut(position) {
                Some((_, current)) => Inserted::Replaced(std::mem::replace(current, value)),
                None => Inserted::Added,
            },
            Err(position) => match add(entries, position, (key, value), is_last) {
                None => Inserted::Added,
                Some(right) => split(right.first().map(|(key, _)| key.clone()), Node::Leaf(right)),
            },
        },
        Node::Inner(branches) => {
            let position = branch_of(branches, key.as_octets());
            let is_last = is_last && position + 1 == branches.len();
            let Some(branch) = branches.get_mut(position) else { return Inserted::Added };
            if key < branch.first {
                branch.first = key.clone();
            }
            match insert(&mut branch.node, key, value, is_last) {
                Inserted::Split(right) => match add(branches, position + 1, right, is_last) {
                    None => Inserted::Added,
                    Some(right) => {
                        split(right.first().map(|branch| branch.first.clone()), Node::Inner(right))
                    }
                },
                inserted => inserted,
            }
        }
    }
}

fn split<V>(first: Option<RowKey>, right: Node<V>) -> Inserted<V> {
    match first {
        Some(first) => Inserted::Split(Branch { first, node: Arc::new(right) }),
        None => Inserted::Added,
    }
}

/// Inserts an item into a full or partly filled node, and returns the second half if the node was
/// full. A node that grows at its end remains full, so that ascending keys fill all nodes.
fn add<T>(items: &mut Vec<T>, position: usize, item: T, is_last: bool) -> Option<Vec<T>> {
    if items.len() < MAX_NODE_ENTRIES {
        if items.len() == items.capacity() {
            items.reserve_exact((items.len() / 2 + 1).min(MAX_NODE_ENTRIES - items.len()));
        }
        items.insert(position, item);
        return None;
    }
    let at = if is_last && position == items.len() { position } else { items.len() / 2 };
    let mut right = items.split_off(at);
    if position < at || (position == at && !right.is_empty()) {
        items.insert(position, item);
    } else {
        right.insert(position - at, item);
    }
    Some(right)
}
