//! Writes the records of the rows in which two versions of a tree differ.

use std::{collections::BTreeMap, sync::Arc};

use portreeve_yang::{ModuleId, NodeId, Schema};

use super::{
    CONTAINER, ENTRY, POSITION, PassChange, RecordChange, VALUE,
    key::{push_containers, push_leaf_name, push_step, push_value, top_level_key, top_level_module},
};
use crate::{
    DifferenceItem, LeafList, List, Order, Row, RowKey, Tree,
    keys::value_of,
    pairs::{Pair, pairs},
};

/// Implements [`Tree::write_record_changes`].
pub(super) fn changes<E>(
    schema: &Schema,
    before: &Tree,
    after: &Tree,
    pass: &mut PassChange<'_, E>,
) -> Result<(), E> {
    if before.is_same_version(after) {
        return Ok(());
    }
    let mut writer = Writer { schema, key: Vec::new(), value: Vec::new(), pass };
    writer.top_level(before.root(), after.root())?;
    writer.children(NodeId::ROOT, before.root(), after.root())
}

struct Writer<'w, E> {
    schema: &'w Schema,
    /// The key of the current row.
    key: Vec<u8>,
    /// The value of the last record, whose memory is used again.
    value: Vec<u8>,
    pass: &'w mut PassChange<'w, E>,
}

impl<E> Writer<'_, E> {
    fn top_level(&mut self, before: &Row, after: &Row) -> Result<(), E> {
        if before.leafs() == after.leafs() {
            return Ok(());
        }
        let [before, mut after] = [before, after].map(|row| self.leafs_of_modules(row));
        for module in before.keys().filter(|module| !after.contains_key(module)) {
            (self.pass)(RecordChange::RemoveAll { prefix: &top_level_key(self.schema, *module) })?;
        }
        after.retain(|module, value| before.get(module) != Some(value));
        for (module, value) in &after {
            (self.pass)(RecordChange::Put { key: &top_level_key(self.schema, *module), value })?;
        }
        Ok(())
    }

    /// Returns the records of the leafs at the top level.
    fn leafs_of_modules(&self, row: &Row) -> BTreeMap<ModuleId, Vec<u8>> {
        let mut modules: BTreeMap<ModuleId, Vec<u8>> = BTreeMap::new();
        for (slot, value) in row.leafs().iter() {
            let Some(leaf) = self.schema.row_layout(NodeId::ROOT).slots.get(slot) else { continue };
            let record = modules.entry(top_level_module(self.schema, *leaf)).or_default();
            push_leaf_name(record, self.schema, NodeId::ROOT, *leaf);
            push_value(record, value);
        }
        modules
    }

    fn children(&mut self, node: NodeId, before: &Row, after: &Row) -> Result<(), E> {
        for (index, pair) in pairs(before, after) {
            let Some(child) = self.schema.row_layout(node).children.get(index).copied() else { continue };
            let length = self.key.len();
            let parent = push_containers(&mut self.key, self.schema, node, child);
            match pair {
                Pair::Containers(before, after) => {
                    push_step(&mut self.key, self.schema, CONTAINER, parent, child);
                    self.row(child, before, after)?;
                }
                Pair::Lists(before, after) => self.list(parent, child, before, after)?,
                Pair::LeafLists(before, after) => self.leaf_list(parent, child, before, after)?,
            }
            self.key.truncate(length);
        }
        Ok(())
    }

    fn list(&mut self, parent: NodeId, node: NodeId, before: &List, after: &List) -> Result<(), E> {
        let (moved, order, entries) = (moved(before.order(), after.order()), after.order(), after.by_key());
        let length = self.key.len();
        for DifferenceItem { key, before, after } in before.by_key().differences(entries) {
            let Some(any) = after.or(before) else { continue };
            self.push_entry(parent, node, any);
            self.row(node, before, after)?;
            if before.is_none()
                && let Some(position) = order.and_then(|order| order.position(key.as_octets()))
            {
                self.key.push(POSITION);
                self.put_position(position)?;
            }
            self.key.truncate(length);
        }
        for (key, position) in moved {
            let Some(entry) = entries.get(key.as_octets()) else { continue };
            self.push_entry(parent, node, entry);
            self.key.push(POSITION);
            self.put_position(position)?;
            self.key.truncate(length);
        }
        Ok(())
    }

    fn leaf_list(
        &mut self,
        parent: NodeId,
        node: NodeId,
        before: &LeafList,
        after: &LeafList,
    ) -> Result<(), E> {
        let (moved, order) = (moved(before.order(), after.order()), after.order());
        let length = self.key.len();
        for DifferenceItem { key, after, .. } in before.by_key().differences(after.by_key()) {
            self.push_leaf_list_entry(parent, node, key);
            match (after, order.and_then(|order| order.position(key.as_octets()))) {
                (None, _) => (self.pass)(RecordChange::RemoveAll { prefix: &self.key })?,
                (Some(()), Some(position)) => self.put_position(position)?,
                (Some(()), None) => (self.pass)(RecordChange::Put { key: &self.key, value: &[] })?,
            }
            self.key.truncate(length);
        }
        for (key, position) in moved {
            self.push_leaf_list_entry(parent, node, key);
            self.put_position(position)?;
            self.key.truncate(length);
        }
        Ok(())
    }

    /// Writes the difference of a row whose key is the current one.
    fn row(&mut self, node: NodeId, before: Option<&Arc<Row>>, after: Option<&Arc<Row>>) -> Result<(), E> {
        match (before, after) {
            (Some(before), Some(after)) => {
                if before.leafs() != after.leafs() {
                    self.put_leafs(node, after)?;
                }
                self.children(node, before, after)
            }
            (None, Some(after)) => {
                self.put_leafs(node, after)?;
                self.children(node, &Row::default(), after)
            }
            (Some(_), None) => (self.pass)(RecordChange::RemoveAll { prefix: &self.key }),
            (None, None) => Ok(()),
        }
    }

    /// Writes the leafs of a row. The keys are in the key of the record.
    fn put_leafs(&mut self, node: NodeId, row: &Row) -> Result<(), E> {
        let schema = self.schema;
        self.value.clear();
        for (slot, text) in row.leafs().range(schema.keys(node).len()..usize::MAX) {
            let Some(leaf) = schema.row_layout(node).slots.get(slot) else { continue };
            push_leaf_name(&mut self.value, schema, node, *leaf);
            push_value(&mut self.value, text);
        }
        (self.pass)(RecordChange::Put { key: &self.key, value: &self.value })
    }

    fn put_position(&mut self, position: u64) -> Result<(), E> {
        (self.pass)(RecordChange::Put { key: &self.key, value: &position.to_be_bytes() })
    }

    fn push_entry(&mut self, parent: NodeId, node: NodeId, row: &Row) {
        let schema = self.schema;
        let keys = schema.keys(node).len();
        push_step(&mut self.key, schema, ENTRY, parent, node);
        // The schema has a maximum number of keys that this octet can count.
        self.key.push(u8::try_from(keys).unwrap_or(u8::MAX));
        // The keys have the first slots.
        row.leafs().range(0..keys).for_each(|(_, value)| push_value(&mut self.key, value));
    }

    fn push_leaf_list_entry(&mut self, parent: NodeId, node: NodeId, key: &RowKey) {
        push_step(&mut self.key, self.schema, VALUE, parent, node);
        push_value(&mut self.key, value_of(key));
    }
}

/// Returns the keys that exist in both orders and have different positions, with the new ones.
fn moved<'o>(before: Option<&'o Order>, after: Option<&'o Order>) -> impl Iterator<Item = (&'o RowKey, u64)> {
    let orders = before.zip(after);
    let differences =
        orders.into_iter().flat_map(|(before, after)| before.positions().differences(after.positions()));
    differences
        .filter(|difference| difference.before.is_some())
        .filter_map(|difference| Some((difference.key, *difference.after?)))
}
