//! Removes an entry. Nodes that become small are joined with their neighbour.

use std::sync::Arc;

use super::node::{Branch, MAX_NODE_ENTRIES, Node, branch_of, find};

/// Removes a key below a node. The node can become empty.
pub(super) fn remove<V: Clone>(node: &mut Arc<Node<V>>, key: &[u8]) -> Option<V> {
    match Arc::make_mut(node) {
        Node::Leaf(entries) => {
            let position = find(entries, key).ok()?;
            Some(entries.remove(position).1)
        }
        Node::Inner(branches) => {
            let position = branch_of(branches, key);
            let branch = branches.get_mut(position)?;
            let removed = remove(&mut branch.node, key)?;
            match branch.node.len() {
                // A node without a neighbour, which could not be joined when it became small.
                0 => drop(branches.remove(position)),
                1..MIN_NODE_ENTRIES => join_with_neighbour(branches, position),
                _ => {}
            }
            Some(removed)
        }
    }
}

/// Removes levels at the root that have a single branch, or no entry.
pub(super) fn shorten<V>(root: &mut Option<Arc<Node<V>>>) {
    while let Some(node) = root {
        *root = match node.as_ref() {
            Node::Inner(branches) if branches.len() < 2 => branches.first().map(|branch| branch.node.clone()),
            Node::Leaf(entries) if entries.is_empty() => None,
            _ => return,
        };
    }
}

/// Moves the entries of a small branch and its neighbour into one node, or divides them evenly if
/// they are too many.
fn join_with_neighbour<V: Clone>(branches: &mut Vec<Branch<V>>, position: usize) {
    let left = position.saturating_sub(1);
    if left + 1 >= branches.len() {
        return;
    }
    let right = branches.remove(left + 1);
    let Some(branch) = branches.get_mut(left) else { return };
    let rest = match (Arc::make_mut(&mut branch.node), Arc::unwrap_or_clone(right.node)) {
        (Node::Leaf(entries), Node::Leaf(more)) => {
            let rest = join(entries, more);
            rest.first().map(|(key, _)| key.clone()).map(|first| (first, Node::Leaf(rest)))
        }
        (Node::Inner(inner), Node::Inner(more)) => {
            let rest = join(inner, more);
            rest.first().map(|branch| branch.first.clone()).map(|first| (first, Node::Inner(rest)))
        }
        // All branches have the same height.
        (_, right_node) => Some((right.first, right_node)),
    };
    if let Some((first, node)) = rest {
        branches.insert(left + 1, Branch { first, node: Arc::new(node) });
    }
}

/// Appends `more`, and returns the second half if one node cannot contain all.
fn join<T>(items: &mut Vec<T>, mut more: Vec<T>) -> Vec<T> {
    items.append(&mut more);
    if items.len() <= MAX_NODE_ENTRIES {
        return more;
    }
    items.split_off(items.len() / 2)
}

/// A node with fewer entries is joined with its neighbour. Much less than half of the maximum, so
/// that removals and insertions in turns do not join and split the same nodes.
const MIN_NODE_ENTRIES: usize = MAX_NODE_ENTRIES / 4;
