//! Finds instances by their paths.

use std::sync::Arc;

use portreeve_yang::{Entry, InstancePath, NodeId, NodeKind, PathStep, Schema};

use crate::{
    Child, Row, Tree,
    defaults::{default_values, effective_leaf, is_case_in_effect},
    keys::value_key,
};

impl Tree {
    /// Returns the row of a list entry, presence container or the top level. For a container
    /// without presence, the row that contains it.
    pub fn row(&self, schema: &Schema, path: &InstancePath) -> Option<&Arc<Row>> {
        self.find_row(schema, path.steps()).map(|(_, row)| row)
    }

    /// Returns true if an instance exists. Leafs and leaf-lists with defaults in effect exist, and
    /// containers without presence do in each row. The path of a list or leaf-list without an entry
    /// exists if there is any entry.
    pub fn contains(&self, schema: &Schema, path: &InstancePath) -> bool {
        let Some((last, above)) = path.steps().split_last() else { return true };
        let Some((node, row)) = self.find_row(schema, above) else { return false };
        match &schema.node(last.node).kind {
            NodeKind::Leaf(_) => effective_leaf(schema, node, row, last.node).is_some(),
            NodeKind::AnyData { .. } | NodeKind::AnyXml { .. } => {
                schema.slot(last.node).is_some_and(|slot| row.leaf(slot).is_some())
            }
            NodeKind::Container(container) if !container.presence => {
                is_case_in_effect(schema, node, row, last.node)
            }
            _ => match (row.child(schema.row_children_in(last.node).start), &last.entry) {
                (Some(Child::LeafList(values)), Entry::Value(value)) => {
                    values.get(value_key(value).as_octets()).is_some()
                }
                (Some(_), Entry::All) => true,
                (Some(_), _) => self.find_row(schema, path.steps()).is_some(),
                (None, Entry::Value(value)) => {
                    default_values(schema, node, row, last.node).iter().any(|default| default == value)
                }
                (None, _) => !default_values(schema, node, row, last.node).is_empty(),
            },
        }
    }

    /// Returns the row at the end of a path with its schema node.
    fn find_row(&self, schema: &Schema, steps: &[PathStep]) -> Option<(NodeId, &Arc<Row>)> {
        let (mut node, mut row) = (NodeId::ROOT, self.root());
        for step in steps {
            let index = schema.row_children_in(step.node).start;
            match (&schema.node(step.node).kind, &step.entry) {
                (NodeKind::Container(container), Entry::All) if !container.presence => continue,
                (NodeKind::Container(_), Entry::All) => row = row.container(index)?,
                (NodeKind::List(_), Entry::Keys(keys)) => {
                    let key = schema.encode_key(step.node, keys.iter().map(|key| &**key)).ok()?;
                    row = row.list(index)?.get(&key)?;
                }
                _ => return None,
            }
            node = step.node;
        }
        Some((node, row))
    }
}

#[cfg(test)]
mod tests;
