//! Rows as records for the store. Records contain names and never numbers of a schema, so that they
//! can be read with another version of the modules.
//!
//! ```text
//! key    = step … | 4                4 is the top level
//! step   = 0 name                    container
//!        | 1 name count value …      list entry with its keys
//!        | 2 name value              leaf-list entry
//!        | 3                         the position of the entry before
//! record = name value …              the leafs of a row without its keys
//!        | position                  8 octets, of a list or leaf-list that the user orders
//! ```
//! A name has a length of two octets, a value one of four. The key of a row is the beginning of the
//! keys of everything below it, and of no others.

mod read;

use portreeve_yang::{Entry, InstancePath, NodeId, Schema};

use crate::{
    Change, ChangeKind, Child, Row, Tree,
    path::{entry_of_row, entry_of_value, pop_steps, push_within},
};
pub use read::{RecordError, RecordReader};

/// A change of the records of a store.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RecordChange {
    /// Sets a record.
    Put {
        /// The key.
        key: Vec<u8>,
        /// The value.
        value: Vec<u8>,
    },
    /// Removes all records whose keys begin with these octets.
    RemoveAll {
        /// The beginning of the keys.
        prefix: Vec<u8>,
    },
}

impl Tree {
    /// Passes the records of all rows to a function. The record of a row precedes those below it.
    pub fn write_records(&self, schema: &Schema, put: &mut dyn FnMut(Vec<u8>, Vec<u8>)) {
        let mut writer = Writer { schema, path: InstancePath::new(), put };
        writer.row(NodeId::ROOT, self.root());
    }
}

/// Passes the changes of records that follow from a change of a tree to a function.
pub fn record_changes(schema: &Schema, change: &Change, pass: &mut dyn FnMut(RecordChange)) {
    let Change { path, kind } = change;
    let key = record_key(schema, path);
    match kind {
        ChangeKind::Row { before: Some(_), after: Some(after), .. }
            if path.node() != NodeId::ROOT || !after.leafs().is_empty() =>
        {
            pass(RecordChange::Put { key, value: leafs(schema, path.node(), after) });
        }
        ChangeKind::Row { before: Some(_), .. }
        | ChangeKind::Row { after: None, .. }
        | ChangeKind::ValueRemoved => {
            pass(RecordChange::RemoveAll { prefix: key });
        }
        ChangeKind::Row { before: None, after: Some(after), position } => {
            let mut writer = Writer {
                schema,
                path: path.clone(),
                put: &mut |key, value| pass(RecordChange::Put { key, value }),
            };
            writer.row(path.node(), after);
            if let Some(position) = position {
                pass(RecordChange::Put { key: position_key(key), value: position.to_be_bytes().into() });
            }
        }
        ChangeKind::ValueAdded { position } => {
            let value = position.map(|position| position.to_be_bytes().into()).unwrap_or_default();
            pass(RecordChange::Put { key, value });
        }
        ChangeKind::Position { position } => {
            let is_list = matches!(path.steps().last().map(|step| &step.entry), Some(Entry::Keys(_)));
            let key = if is_list { position_key(key) } else { key };
            pass(RecordChange::Put { key, value: position.to_be_bytes().into() });
        }
    }
}

/// Returns the key of the record of a row or of a leaf-list entry.
pub fn record_key(schema: &Schema, path: &InstancePath) -> Vec<u8> {
    if path.steps().is_empty() {
        return vec![TOP_LEVEL];
    }
    let mut key = Vec::new();
    let mut parent = NodeId::ROOT;
    for step in path.steps() {
        let name = name(schema, parent, step.node);
        match &step.entry {
            Entry::All | Entry::Position(_) => {
                key.push(CONTAINER);
                push_name(&mut key, &name);
            }
            Entry::Keys(values) => {
                key.push(ENTRY);
                push_name(&mut key, &name);
                // The schema has a maximum number of keys that this octet can count.
                key.push(u8::try_from(values.len()).unwrap_or(u8::MAX));
                values.iter().for_each(|value| push_value(&mut key, value));
            }
            Entry::Value(value) => {
                key.push(VALUE);
                push_name(&mut key, &name);
                push_value(&mut key, value);
            }
        }
        parent = step.node;
    }
    key
}

struct Writer<'w> {
    schema: &'w Schema,
    path: InstancePath,
    put: &'w mut dyn FnMut(Vec<u8>, Vec<u8>),
}

impl Writer<'_> {
    /// Writes the record of a row, whose path is the current one, and those below it.
    fn row(&mut self, node: NodeId, row: &Row) {
        let schema = self.schema;
        // The top level exists always, but needs no record without leafs.
        if node != NodeId::ROOT || !row.leafs().is_empty() {
            (self.put)(record_key(schema, &self.path), leafs(schema, node, row));
        }
        for (index, child) in row.children() {
            let Some(below) = schema.row_layout(node).children.get(index).copied() else { continue };
            match child {
                Child::Container(row) => {
                    let steps = push_within(&mut self.path, schema, node, below, Entry::All);
                    self.row(below, row);
                    pop_steps(&mut self.path, steps);
                }
                Child::List(list) => {
                    for (key, row) in list.by_key() {
                        let entry = entry_of_row(schema, below, row);
                        let steps = push_within(&mut self.path, schema, node, below, entry);
                        self.row(below, row);
                        if let Some(position) = list.order().and_then(|order| order.position(key.as_octets()))
                        {
                            let key = position_key(record_key(schema, &self.path));
                            (self.put)(key, position.to_be_bytes().into());
                        }
                        pop_steps(&mut self.path, steps);
                    }
                }
                Child::LeafList(values) => {
                    for (key, ()) in values.by_key() {
                        let steps = push_within(&mut self.path, schema, node, below, entry_of_value(key));
                        let position = values.order().and_then(|order| order.position(key.as_octets()));
                        let position = position.map(|position| position.to_be_bytes().into());
                        (self.put)(record_key(schema, &self.path), position.unwrap_or_default());
                        pop_steps(&mut self.path, steps);
                    }
                }
            }
        }
    }
}

/// Returns the leafs of a row as the value of its record. The keys are in the key of the record.
fn leafs(schema: &Schema, node: NodeId, row: &Row) -> Vec<u8> {
    let keys = schema.keys(node).len();
    let mut value = Vec::with_capacity(row.leafs().octets() + 24 * row.leafs().len());
    for (slot, text) in row.leafs().range(keys..usize::MAX) {
        let Some(leaf) = schema.row_layout(node).slots.get(slot) else { continue };
        push_name(&mut value, &name_in_row(schema, node, *leaf));
        push_value(&mut value, text);
    }
    value
}

/// Returns the names of the data nodes from a row to a leaf in it.
fn name_in_row(schema: &Schema, row: NodeId, leaf: NodeId) -> String {
    match schema.data_parent(leaf) {
        Some(parent) if parent != row => {
            format!("{}/{}", name_in_row(schema, row, parent), name(schema, parent, leaf))
        }
        _ => name(schema, row, leaf),
    }
}

/// Returns the name of a node, with the name of its module if that is not the one of its parent.
fn name(schema: &Schema, parent: NodeId, node: NodeId) -> String {
    let module = schema.node(node).module;
    if parent != NodeId::ROOT && schema.node(parent).module == module {
        return schema.node(node).name.to_string();
    }
    format!("{}:{}", schema.module(module).name, schema.node(node).name)
}

fn position_key(mut key: Vec<u8>) -> Vec<u8> {
    key.push(POSITION);
    key
}

fn push_name(octets: &mut Vec<u8>, name: &str) {
    // Names and the depth of a schema have maximum lengths, so that this length suffices.
    octets.extend(u16::try_from(name.len()).unwrap_or(u16::MAX).to_be_bytes());
    octets.extend(name.as_bytes());
}

fn push_value(octets: &mut Vec<u8>, value: &str) {
    // The values of a row together have a maximum length.
    octets.extend(u32::try_from(value.len()).unwrap_or(u32::MAX).to_be_bytes());
    octets.extend(value.as_bytes());
}

const CONTAINER: u8 = 0;
const ENTRY: u8 = 1;
const VALUE: u8 = 2;
const POSITION: u8 = 3;
const TOP_LEVEL: u8 = 4;

#[cfg(test)]
mod tests;
