//! Closes containers and list entries: puts changed rows into the rows above.

use std::sync::Arc;

use portreeve_yang::{Entry, NodeId, NodeKind, Schema};

use super::{
    EditError, EditReason, Editor, Operation, Placement,
    frame::{Frame, OpenRow, RowState},
};
use crate::{
    Child, Row, RowKey, Tree,
    path::{path_within, push_within},
};

impl Editor {
    /// Closes the container or list entry that was opened last.
    pub fn close(&mut self) -> Result<(), EditError> {
        match self.stack.frames.pop() {
            None => Err(self.error(EditReason::NotAChild, None)),
            Some(Frame::Row(row)) => self.close_row(row),
            Some(Frame::Container { .. } | Frame::Skipped) => Ok(()),
        }
    }

    /// Returns the tree after the edit.
    pub fn finish(mut self) -> Result<Tree, EditError> {
        if !self.stack.frames.is_empty() {
            return Err(self.error(EditReason::NotAChild, None));
        }
        let root = self.stack.take_root();
        let (after, _) = root.finish();
        let before = self.before.clone();
        self.check_access(NodeId::ROOT, &Entry::All, Some(before.root()), &after)?;
        Ok(before.with_root(after))
    }

    /// Puts a closed row into its parent, which is the last frame.
    fn close_row(&mut self, row: OpenRow) -> Result<(), EditError> {
        let (node, entry) = (row.edit.node, row.entry());
        if row.state == RowState::Keys {
            let missing = self.schema.keys(node).iter().zip(&row.keys).find(|(_, value)| value.is_none());
            let reason = EditReason::MissingKey(missing.map_or(node, |(key, _)| *key));
            return Err(self.error_at(reason, node, entry));
        }
        let OpenRow { edit, key, placement, operation, state, .. } = row;
        if state == RowState::Removed {
            self.buffers = edit.into_buffers();
            return Ok(());
        }
        let before = edit.original().cloned();
        let (after, buffers) = edit.finish();
        self.buffers = buffers;
        self.check_access(node, &entry, before.as_ref(), &after)?;
        let placement = placement.filter(|_| operation != Operation::Enter);
        self.put(node, after, key, placement).map_err(|reason| self.error_at(reason, node, entry))
    }

    fn put(
        &mut self,
        node: NodeId,
        row: Arc<Row>,
        key: Option<RowKey>,
        placement: Option<Placement>,
    ) -> Result<(), EditReason> {
        let index = self.schema.row_children_in(node).start;
        let parent = &mut self.stack.top_row().edit;
        let current = match (parent.child(index), &key) {
            (Some(Child::Container(current)), _) => Some(current),
            (Some(Child::List(list)), Some(key)) => list.get(key.as_octets()),
            _ => None,
        };
        if !current.is_some_and(|current| Arc::ptr_eq(current, &row)) {
            parent.choose_cases(&self.schema, node)?;
            match &key {
                None => parent.children_mut().set(index, Child::Container(row)),
                Some(key) => {
                    let is_user_ordered = is_user_ordered(&self.schema, node);
                    if let Some(list) = parent.children_mut().list_mut(index, is_user_ordered) {
                        list.insert(key.clone(), row);
                    }
                }
            }
        }
        if let (Some(key), Some(placement)) = (key, placement)
            && let Some(list) = parent.children_mut().list_mut(index, true)
        {
            list.place(&key, placement.as_place()).map_err(|_| EditReason::UnknownAnchor)?;
        }
        Ok(())
    }

    /// Checks that the changes of a row are permitted. The row above it is the last frame.
    fn check_access(
        &mut self,
        node: NodeId,
        entry: &Entry,
        before: Option<&Arc<Row>>,
        after: &Arc<Row>,
    ) -> Result<(), EditError> {
        if before.is_some_and(|before| Arc::ptr_eq(before, after)) {
            return Ok(());
        }
        let Err(denied) = self.access.check_row(&self.schema, node, before.map(|row| &**row), after) else {
            return Ok(());
        };
        let (mut path, row) = self.stack.row_path(&self.schema);
        if node != NodeId::ROOT {
            push_within(&mut path, &self.schema, row, node, entry.clone());
        }
        if let Some((child, entry)) = denied {
            path = path_within(&path, &self.schema, node, child, entry);
        }
        Err(EditError { reason: EditReason::AccessDenied, path })
    }
}

/// Returns true if users choose the order of a list. That of state has no other meaning than the
/// sequence of its entries.
fn is_user_ordered(schema: &Schema, list: NodeId) -> bool {
    matches!(&schema.node(list).kind, NodeKind::List(list) if list.user_ordered)
}
