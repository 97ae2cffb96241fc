//! Opens containers and list entries.

use portreeve_yang::{NodeId, Schema};

use super::{
    EditError, EditReason, Editor, Operation, Placement,
    apply::{apply_leaf, enter, remove_entry},
    frame::{Frame, OpenRow, RowState},
    row_edit::RowEdit,
};
use crate::{Child, List, MAX_KEY_OCTETS, RowKey};

impl Editor {
    pub(super) fn open_presence(&mut self, node: NodeId, operation: Operation) -> Result<(), EditReason> {
        let schema = &self.schema;
        let index = schema.row_children_in(node).start;
        let parent = &mut self.stack.top_row().edit;
        parent.seen.add_container(node)?;
        let original = parent.original().and_then(|row| row.container(index)).cloned();
        let exists = parent.child(index).is_some();
        if !enter(&mut self.access, node, operation, exists)? {
            if exists {
                parent.children_mut().remove(index);
            }
            self.stack.frames.push(Frame::Skipped);
            return Ok(());
        }
        if operation != Operation::Enter {
            parent.choose_cases(schema, node)?;
        }
        let mut edit = RowEdit::new(node, std::mem::take(&mut self.buffers));
        edit.start(original, !exists || operation == Operation::Replace);
        self.stack.frames.push(Frame::Row(OpenRow::new(edit, operation, RowState::Open)));
        Ok(())
    }

    /// Opens a container without presence, which exists if it has content.
    pub(super) fn open_container(&mut self, node: NodeId, operation: Operation) -> Result<(), EditReason> {
        let schema = &self.schema;
        let edit = &mut self.stack.top_row().edit;
        edit.seen.add_container(node)?;
        let exists = edit.has_content(schema.slots_in(node), schema.row_children_in(node));
        // Entering it changes nothing, even if it has no content.
        let is_open = enter(&mut self.access, node, operation, exists || operation == Operation::Enter)?;
        if !is_open || operation == Operation::Replace {
            edit.clear(schema, node);
        }
        self.stack.frames.push(if is_open { Frame::Container { node, operation } } else { Frame::Skipped });
        Ok(())
    }

    /// Opens a list entry, whose keys are not known yet.
    pub(super) fn open_entry(
        &mut self,
        node: NodeId,
        operation: Operation,
        placement: Option<Placement>,
    ) -> Result<(), EditReason> {
        let edit = RowEdit::new(node, std::mem::take(&mut self.buffers));
        let mut row = OpenRow::new(edit, operation, RowState::Keys);
        row.keys.resize(self.schema.keys(node).len(), None);
        row.placement = placement;
        if row.keys.is_empty() {
            self.begin_entry(&mut row)?;
        }
        self.stack.frames.push(Frame::Row(row));
        Ok(())
    }

    /// Finds the list entry whose keys are complete, and applies what preceded the keys.
    pub(super) fn find_entry(&mut self) -> Result<(), EditError> {
        let Some(Frame::Row(mut row)) = self.stack.frames.pop() else { return Ok(()) };
        let found = self.begin_entry(&mut row);
        let queued = std::mem::take(&mut row.queued);
        let is_open = row.state == RowState::Open;
        self.stack.frames.push(Frame::Row(row));
        found.map_err(|reason| self.error(reason, None))?;
        if is_open {
            for (node, operation, value) in queued {
                let edit = &mut self.stack.top_row().edit;
                apply_leaf(&self.schema, &mut self.access, edit, node, operation, value.as_deref())
                    .map_err(|reason| self.error(reason, Some(node)))?;
            }
        }
        Ok(())
    }

    /// Begins the changes of a list entry. Its parent is the last frame.
    fn begin_entry(&mut self, row: &mut OpenRow) -> Result<(), EditReason> {
        let (schema, node) = (&self.schema, row.edit.node);
        let index = schema.row_children_in(node).start;
        let parent = &mut self.stack.top_row().edit;
        let list = parent.child(index).and_then(Child::as_list);
        let key = entry_key(schema, row, list)?;
        let exists = list.is_some_and(|list| list.get(key.as_octets()).is_some());
        let original = parent.original().and_then(|row| row.list(index));
        let original = original.and_then(|list| list.get(key.as_octets())).cloned();
        parent.seen.add_entry(index, &key)?;
        if !enter(&mut self.access, node, row.operation, exists)? {
            if exists {
                remove_entry(parent, index, &key);
            }
            row.state = RowState::Removed;
            return Ok(());
        }
        if row.operation != Operation::Enter {
            parent.choose_cases(schema, node)?;
        }
        row.key = Some(key);
        row.state = RowState::Open;
        let is_replaced = !exists || row.operation == Operation::Replace;
        row.edit.start(original, is_replaced);
        if is_replaced {
            for (slot, value) in row.keys.iter().flatten().enumerate() {
                row.edit.set_leaf(slot, value)?;
            }
        }
        Ok(())
    }
}

/// Returns the key of an entry. That of a list without keys is the number after the last entry's.
fn entry_key(schema: &Schema, row: &OpenRow, list: Option<&List>) -> Result<RowKey, EditReason> {
    if row.keys.is_empty() {
        let last = list.and_then(|list| list.by_key().last());
        let last = last.and_then(|(key, _)| key.as_octets().try_into().ok()).map_or(0, u64::from_be_bytes);
        return Ok(RowKey::from(&last.saturating_add(1).to_be_bytes()[..]));
    }
    let key = schema.encode_key(row.edit.node, row.keys.iter().flatten().map(|key| &**key));
    let key = key.map_err(|_| EditReason::InvalidKey)?;
    if key.len() > MAX_KEY_OCTETS { Err(EditReason::KeyTooLong) } else { Ok(RowKey::from(&key[..])) }
}
