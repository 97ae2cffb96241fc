//! The parts of keys and records.

use portreeve_yang::{ModuleId, NodeId, Schema};

use super::{CONTAINER, TOP_LEVEL};

/// Returns the key of the leafs of a module at the top level.
pub(super) fn top_level_key(schema: &Schema, module: ModuleId) -> Vec<u8> {
    let mut key = vec![TOP_LEVEL];
    push_name(&mut key, |key| key.extend(schema.module(module).name.as_bytes()));
    key
}

/// Returns the module of the top-level node above a data node, or of the node itself.
pub(super) fn top_level_module(schema: &Schema, node: NodeId) -> ModuleId {
    let mut top = node;
    while let Some(parent) = schema.data_parent(top).filter(|parent| *parent != NodeId::ROOT) {
        top = parent;
    }
    schema.node(top).module
}

/// Appends the steps of the containers without presence between a row and a data node in it.
/// Returns the parent of the node.
pub(super) fn push_containers(key: &mut Vec<u8>, schema: &Schema, row: NodeId, node: NodeId) -> NodeId {
    let Some(parent) = schema.data_parent(node).filter(|parent| *parent != row) else { return row };
    let above = push_containers(key, schema, row, parent);
    push_step(key, schema, CONTAINER, above, parent);
    parent
}

/// Appends the kind and the name of a step.
pub(super) fn push_step(key: &mut Vec<u8>, schema: &Schema, kind: u8, parent: NodeId, node: NodeId) {
    key.push(kind);
    push_name(key, |key| push_node(key, schema, parent, node));
}

/// Appends the names of the data nodes from a row to a leaf in it.
pub(super) fn push_leaf_name(octets: &mut Vec<u8>, schema: &Schema, row: NodeId, leaf: NodeId) {
    push_name(octets, |octets| push_nodes(octets, schema, row, leaf));
}

fn push_nodes(octets: &mut Vec<u8>, schema: &Schema, row: NodeId, leaf: NodeId) {
    match schema.data_parent(leaf).filter(|parent| *parent != row) {
        Some(parent) => {
            push_nodes(octets, schema, row, parent);
            octets.push(b'/');
            push_node(octets, schema, parent, leaf);
        }
        None => push_node(octets, schema, row, leaf),
    }
}

/// Appends the name of a node, with the name of its module if that is not the one of its parent.
fn push_node(octets: &mut Vec<u8>, schema: &Schema, parent: NodeId, node: NodeId) {
    let node = schema.node(node);
    if parent == NodeId::ROOT || schema.node(parent).module != node.module {
        octets.extend(schema.module(node.module).name.as_bytes());
        octets.push(b':');
    }
    octets.extend(node.name.as_bytes());
}

/// Appends a name that a function writes, with its length.
fn push_name(octets: &mut Vec<u8>, write: impl FnOnce(&mut Vec<u8>)) {
    let start = octets.len();
    octets.extend([0; 2]);
    write(octets);
    // Names and the depth of a schema have maximum lengths, so that this length suffices.
    let length = u16::try_from(octets.len() - start - 2).unwrap_or(u16::MAX);
    if let Some(place) = octets.get_mut(start..start + 2) {
        place.copy_from_slice(&length.to_be_bytes());
    }
}

/// Appends a value with its length.
pub(super) fn push_value(octets: &mut Vec<u8>, value: &str) {
    // The values of a row together have a maximum length.
    octets.extend(u32::try_from(value.len()).unwrap_or(u32::MAX).to_be_bytes());
    octets.extend(value.as_bytes());
}
