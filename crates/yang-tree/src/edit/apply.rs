//! The effect of one operation on a leaf or entry.

use portreeve_yang::{NodeId, Schema};

use super::{
    Access, EditReason, Operation, Placement, Write,
    frame::{OpenRow, RowState},
    row_edit::RowEdit,
};
use crate::{Child, RowKey, keys::value_key};

/// Decides if an operation continues below a node; if not, it removes the node.
pub(super) fn enter(
    access: &mut Access,
    node: NodeId,
    operation: Operation,
    exists: bool,
) -> Result<bool, EditReason> {
    match operation {
        Operation::Create => access.ask(node, Write::Create)?,
        Operation::Delete | Operation::Remove => access.ask(node, Write::Delete)?,
        Operation::Merge | Operation::Replace | Operation::Enter => {}
    }
    match operation {
        Operation::Create if exists => Err(EditReason::DataExists),
        Operation::Delete | Operation::Enter if !exists => Err(EditReason::DataMissing),
        Operation::Delete | Operation::Remove => Ok(false),
        Operation::Merge | Operation::Replace | Operation::Create | Operation::Enter => Ok(true),
    }
}

/// Stores the value of a key leaf until all keys are known.
pub(super) fn set_key(
    schema: &Schema,
    row: &mut OpenRow,
    node: NodeId,
    operation: Option<Operation>,
    value: Option<&str>,
) -> Result<(), EditReason> {
    if matches!(operation, Some(Operation::Delete | Operation::Remove)) {
        return Err(EditReason::KeyRemoved);
    }
    let keys = schema.keys(row.edit.node);
    if row.state != RowState::Keys {
        return Err(EditReason::Duplicate);
    }
    let position = keys.iter().position(|key| *key == node).ok_or(EditReason::NotAChild)?;
    let key = row.keys.get_mut(position).ok_or(EditReason::NotAChild)?;
    let value = value.ok_or(EditReason::MissingValue)?;
    if key.replace(value.into()).is_some() { Err(EditReason::Duplicate) } else { Ok(()) }
}

pub(super) fn apply_leaf(
    schema: &Schema,
    access: &mut Access,
    edit: &mut RowEdit,
    node: NodeId,
    operation: Operation,
    value: Option<&str>,
) -> Result<(), EditReason> {
    let slot = schema.slot(node).ok_or(EditReason::NotAChild)?;
    let exists = edit.leaf(slot).is_some();
    if !enter(access, node, operation, exists)? {
        if exists {
            edit.remove_leaf(slot);
        }
        return Ok(());
    }
    if operation == Operation::Enter {
        return Ok(());
    }
    let value = value.ok_or(EditReason::MissingValue)?;
    edit.choose_cases(schema, node)?;
    edit.set_leaf(slot, value)
}

pub(super) fn apply_value(
    schema: &Schema,
    access: &mut Access,
    edit: &mut RowEdit,
    node: NodeId,
    operation: Operation,
    placement: Option<&Placement>,
    value: &str,
) -> Result<(), EditReason> {
    let is_user_ordered = schema.leaf_list(node).ok_or(EditReason::NotAChild)?.user_ordered;
    if placement.is_some() && !is_user_ordered {
        return Err(EditReason::NotUserOrdered);
    }
    let index = schema.row_children_in(node).start;
    let key = value_key(value);
    edit.seen.add_entry(index, &key)?;
    let exists = match edit.child(index) {
        Some(Child::LeafList(values)) => values.get(key.as_octets()).is_some(),
        _ => false,
    };
    if !enter(access, node, operation, exists)? {
        if exists {
            remove_entry(edit, index, &key);
        }
        return Ok(());
    }
    if operation == Operation::Enter {
        return Ok(());
    }
    edit.choose_cases(schema, node)?;
    if exists && placement.is_none() {
        return Ok(());
    }
    if let Some(values) = edit.children_mut().leaf_list_mut(index, is_user_ordered) {
        if !exists {
            values.insert(key.clone(), ());
        }
        if let Some(placement) = placement {
            values.place(&key, placement.as_place()).map_err(|_| EditReason::UnknownAnchor)?;
        }
    }
    Ok(())
}

/// Removes an entry of a list or leaf-list, and the list with its last entry.
pub(super) fn remove_entry(edit: &mut RowEdit, index: usize, key: &RowKey) {
    let children = edit.children_mut();
    let is_empty = match children.get_mut(index) {
        Some(Child::List(list)) => {
            list.remove(key.as_octets());
            list.is_empty()
        }
        Some(Child::LeafList(values)) => {
            values.remove(key.as_octets());
            values.is_empty()
        }
        _ => false,
    };
    if is_empty {
        children.remove(index);
    }
}
