//! Removes instances that make stored data invalid.

use std::sync::Arc;

use portreeve_yang::{Entry, InstancePath, NodeId, NodeKind, PathStep, Schema};

use crate::{Child, Leafs, Row, Tree, keys::value_key, row::Children};

impl Tree {
    /// Returns the tree without the instance at a path. If there is none, or if it is the key of a
    /// list entry, the innermost list entry or presence container above it is removed. Returns a
    /// clone if that would be the top level, or if a list entry or presence container on the path
    /// does not exist.
    #[must_use]
    pub fn without(&self, schema: &Schema, path: &InstancePath) -> Self {
        let mut root = Arc::clone(self.root());
        let steps: Vec<&PathStep> = path.steps().iter().collect();
        let is_removed = remove(schema, NodeId::ROOT, &mut root, &steps);
        if is_removed && !Arc::ptr_eq(&root, self.root()) { self.with_root(root) } else { self.clone() }
    }
}

/// Removes what the steps lead to from a row. Changes nothing if they lead through a list entry or
/// presence container that does not exist. Returns false, and changes nothing, if the row itself
/// has to be removed.
fn remove(schema: &Schema, node: NodeId, row: &mut Arc<Row>, steps: &[&PathStep]) -> bool {
    let Some((step, below)) = steps.split_first() else { return false };
    let index = schema.row_children_in(step.node).start;
    match (&schema.node(step.node).kind, &step.entry) {
        (NodeKind::List(_), Entry::Keys(values)) => {
            let Ok(key) = schema.encode_key(step.node, values.iter().map(|value| &**value)) else {
                return false;
            };
            let Some(mut entry) = row.list(index).and_then(|list| list.get(&key)).cloned() else {
                return true;
            };
            let remains = remove(schema, step.node, &mut entry, below);
            edit_child(row, index, |child| {
                let Child::List(list) = child else { return false };
                match remains {
                    true => drop(list.get_mut(&key).map(|current| *current = entry)),
                    false => drop(list.remove(&key)),
                }
                list.is_empty()
            })
        }
        (NodeKind::Container(container), _) if container.presence => {
            let Some(mut content) = row.container(index).cloned() else { return true };
            let remains = remove(schema, step.node, &mut content, below);
            edit_child(row, index, |child| {
                *child = Child::Container(content);
                !remains
            })
        }
        (NodeKind::Container(_), _) if below.is_empty() => {
            let (slots, children) = (schema.slots_in(step.node), schema.row_children_in(step.node));
            if !row.has_content(slots.clone(), children.clone()) {
                return false;
            }
            let row = Arc::make_mut(row);
            row.leafs = Leafs::pack(row.leafs.iter().filter(|(slot, _)| !slots.contains(slot)));
            children.for_each(|index| row.children.remove(index));
            true
        }
        (NodeKind::Container(_), _) => remove(schema, node, row, below),
        (NodeKind::LeafList(_), Entry::Value(value)) => edit_child(row, index, |child| {
            let Child::LeafList(values) = child else { return false };
            values.remove(value_key(value).as_octets());
            values.is_empty()
        }),
        (NodeKind::List(_) | NodeKind::LeafList(_), _) => edit_child(row, index, |_| true),
        _ => {
            let Some(slot) = schema.slot(step.node) else { return false };
            if slot < schema.keys(node).len() || row.leaf(slot).is_none() {
                return false;
            }
            let leafs = Leafs::pack(row.leafs.iter().filter(|(other, _)| *other != slot));
            Arc::make_mut(row).leafs = leafs;
            true
        }
    }
}

/// Changes a child of a row. Removes it if the function returns true. Returns false if there is no
/// such child.
fn edit_child(row: &mut Arc<Row>, index: usize, edit: impl FnOnce(&mut Child) -> bool) -> bool {
    if row.child(index).is_none() {
        return false;
    }
    let children: &mut Children = &mut Arc::make_mut(row).children;
    if children.get_mut(index).is_some_and(edit) {
        children.remove(index);
    }
    true
}
