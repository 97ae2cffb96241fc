//! Edits of a tree with the operations of edit-config (RFC 6241 §7.2).
//!
//! ```text
//! open list ─ leaf (key) ─ leaf ─ open container ─ leaf ─ close ─ close ─ finish ──▶ Tree
//! ```
//! An [`Editor`] is fed node by node, so that a long request is never in memory as a whole. Values
//! are in canonical form; the reader of the request has checked them. The rows that the request
//! does not change remain shared with the tree before.

mod apply;
mod error;
mod frame;
mod row_edit;

use portreeve_yang::{Entry, InstancePath, NodeId, NodeKind, Schema};

use crate::{
    Child, Place, RowKey, Tree,
    path::{path_within, push_within},
};
use apply::{apply_leaf, apply_value, enter, is_user_ordered, queue_leaf, remove_entry, set_key};
pub use error::{EditError, EditReason};
use frame::{Frame, OpenRow, RowState};
use row_edit::{Buffers, RowEdit};

/// The operation that an edit performs on a node, and on the nodes below it that have none of their
/// own (RFC 6241 §7.2).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operation {
    /// Creates the node or changes it.
    Merge,
    /// Replaces the node and everything below it.
    Replace,
    /// Creates the node, which must not exist.
    Create,
    /// Removes the node, which has to exist.
    Delete,
    /// Removes the node if it exists.
    Remove,
    /// Changes nothing, but the node has to exist. As the default operation of a request, it is
    /// called `none`.
    Enter,
}

/// The place of an entry in a list that the user orders (RFC 7950 §7.8.6, §7.7.9).
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Placement {
    /// Before all others.
    First,
    /// After all others.
    Last,
    /// Immediately before this entry.
    Before(RowKey),
    /// Immediately after this entry.
    After(RowKey),
}

/// An edit in progress. After an error, it has to be dropped: the tree before is unchanged.
pub struct Editor<'s> {
    schema: &'s Schema,
    root: OpenRow,
    /// The open nodes below the top level.
    frames: Vec<Frame>,
    /// Memory of the row that was closed last.
    buffers: Buffers,
}

impl<'s> Editor<'s> {
    /// Starts an edit. The operation is that of top-level nodes without their own: `Merge`,
    /// `Replace`, which removes all data that the request does not contain, or `Enter`.
    pub fn new(schema: &'s Schema, tree: &Tree, operation: Operation) -> Self {
        let mut root = RowEdit::new(NodeId::ROOT, Some(tree.root.clone()), Buffers::default());
        if operation == Operation::Replace {
            root.clear_all();
        }
        let root = OpenRow::new(root, operation, RowState::Open);
        Self { schema, root, frames: Vec::new(), buffers: Buffers::default() }
    }

    /// Opens a container or a list entry, whose key leafs have to precede all containers and lists
    /// in it. A placement is for entries of lists that the user orders.
    pub fn open(
        &mut self,
        node: NodeId,
        operation: Option<Operation>,
        placement: Option<Placement>,
    ) -> Result<(), EditError> {
        if self.is_skipping() {
            self.frames.push(Frame::Skipped);
            return Ok(());
        }
        self.check_child(node)?;
        if self.top_row().state == RowState::Keys {
            return Err(self.error(EditReason::KeysNotFirst, None));
        }
        let operation = operation.unwrap_or(self.operation());
        let opened = match &self.schema.node(node).kind {
            NodeKind::Container(container) if container.presence => self.open_presence(node, operation),
            NodeKind::Container(_) => self.open_container(node, operation),
            NodeKind::List(list) if placement.is_some() && !list.user_ordered => {
                Err(EditReason::NotUserOrdered)
            }
            NodeKind::List(_) => {
                let edit = RowEdit::new(node, None, std::mem::take(&mut self.buffers));
                let mut row = OpenRow::new(edit, operation, RowState::Keys);
                row.keys.resize(self.schema.keys(node).len(), None);
                row.placement = placement;
                self.frames.push(Frame::Row(row));
                Ok(())
            }
            _ => Err(EditReason::NotAChild),
        };
        opened.map_err(|reason| self.error(reason, Some(node)))
    }

    /// Sets or removes a leaf, anydata or anyxml in the open node. To be removed, it needs no
    /// value.
    pub fn leaf(
        &mut self,
        node: NodeId,
        operation: Option<Operation>,
        value: Option<&str>,
    ) -> Result<(), EditError> {
        if self.is_skipping() {
            return Ok(());
        }
        self.check_child(node)?;
        let effective = operation.unwrap_or(self.operation());
        let is_key = match &self.schema.node(node).kind {
            NodeKind::Leaf(leaf) => leaf.is_key,
            NodeKind::AnyData { .. } | NodeKind::AnyXml { .. } => false,
            _ => return Err(self.error(EditReason::NotAChild, Some(node))),
        };
        let schema = self.schema;
        let row = self.top_row();
        let done = if is_key {
            set_key(schema, row, node, operation, value)
        } else if row.state == RowState::Keys {
            queue_leaf(row, node, effective, value)
        } else {
            apply_leaf(schema, &mut row.edit, node, effective, value)
        };
        done.map_err(|reason| self.error(reason, Some(node)))?;
        if is_key && self.top_row().keys.iter().all(Option::is_some) {
            self.find_entry()?;
        }
        Ok(())
    }

    /// Sets or removes one value of a leaf-list in the open node.
    pub fn leaf_list_entry(
        &mut self,
        node: NodeId,
        operation: Option<Operation>,
        placement: Option<Placement>,
        value: &str,
    ) -> Result<(), EditError> {
        if self.is_skipping() {
            return Ok(());
        }
        self.check_child(node)?;
        let operation = operation.unwrap_or(self.operation());
        let schema = self.schema;
        let row = self.top_row();
        let done = if row.state == RowState::Keys {
            Err(EditReason::KeysNotFirst)
        } else {
            apply_value(schema, &mut row.edit, node, operation, placement, value)
        };
        done.map_err(|reason| self.error_at(reason, node, Entry::Value(value.into())))
    }

    /// Closes the container or list entry that was opened last.
    pub fn close(&mut self) -> Result<(), EditError> {
        match self.frames.pop() {
            None => Err(self.error(EditReason::NotAChild, None)),
            Some(Frame::Row(row)) => {
                let (node, entry) = (row.edit.node, row.entry());
                self.close_row(row).map_err(|reason| self.error_at(reason, node, entry))
            }
            Some(Frame::Container { .. } | Frame::Skipped) => Ok(()),
        }
    }

    /// Returns the tree after the edit.
    pub fn finish(self) -> Result<Tree, EditError> {
        if !self.frames.is_empty() {
            return Err(self.error(EditReason::NotAChild, None));
        }
        let unchanged = self.root.edit.base().cloned().unwrap_or_default();
        Ok(Tree { root: self.root.edit.finish().0.unwrap_or(unchanged) })
    }

    fn open_presence(&mut self, node: NodeId, operation: Operation) -> Result<(), EditReason> {
        let (schema, buffers) = (self.schema, std::mem::take(&mut self.buffers));
        let index = schema.row_children_in(node).start;
        let parent = &mut self.top_row().edit;
        let base = match parent.child(index) {
            Some(Child::Container(row)) => Some(row.clone()),
            _ => None,
        };
        if !enter(operation, base.is_some())? {
            if base.is_some() {
                parent.children_mut().remove(index);
            }
            self.frames.push(Frame::Skipped);
            return Ok(());
        }
        if operation != Operation::Enter {
            parent.choose_cases(schema, node)?;
        }
        let mut edit = RowEdit::new(node, base, buffers);
        if operation == Operation::Replace {
            edit.clear_all();
        }
        self.frames.push(Frame::Row(OpenRow::new(edit, operation, RowState::Open)));
        Ok(())
    }

    /// Opens a container without presence, which exists if it has content.
    fn open_container(&mut self, node: NodeId, operation: Operation) -> Result<(), EditReason> {
        let schema = self.schema;
        let edit = &mut self.top_row().edit;
        let exists = edit.has_content(schema.slots_in(node), schema.row_children_in(node));
        // Entering it changes nothing, even if it has no content.
        let is_open = enter(operation, exists || operation == Operation::Enter)?;
        if !is_open || operation == Operation::Replace {
            edit.clear(schema, node);
        }
        self.frames.push(if is_open { Frame::Container { node, operation } } else { Frame::Skipped });
        Ok(())
    }

    /// Finds the list entry whose keys are complete, and applies what preceded the keys.
    fn find_entry(&mut self) -> Result<(), EditError> {
        let Some(Frame::Row(mut row)) = self.frames.pop() else { return Ok(()) };
        let found = self.begin_entry(&mut row);
        let queued = std::mem::take(&mut row.queued);
        let is_open = row.state == RowState::Open;
        self.frames.push(Frame::Row(row));
        found.map_err(|reason| self.error(reason, None))?;
        if is_open {
            let schema = self.schema;
            for (node, operation, value) in queued {
                let edit = &mut self.top_row().edit;
                apply_leaf(schema, edit, node, operation, value.as_deref())
                    .map_err(|reason| self.error(reason, Some(node)))?;
            }
        }
        Ok(())
    }

    fn begin_entry(&mut self, row: &mut OpenRow) -> Result<(), EditReason> {
        let (schema, node) = (self.schema, row.edit.node);
        let index = schema.row_children_in(node).start;
        let key = schema.encode_key(node, row.keys.iter().flatten().map(|key| &**key));
        let key = RowKey::from(&key.map_err(|_| EditReason::InvalidKey)?[..]);
        let parent = &mut self.top_row().edit;
        let base = match parent.child(index) {
            Some(Child::List(list)) => list.get(key.as_octets()).cloned(),
            _ => None,
        };
        if !enter(row.operation, base.is_some())? {
            if base.is_some() {
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
        let is_new = base.is_none();
        row.edit.set_base(base);
        if row.operation == Operation::Replace {
            row.edit.clear_all();
        }
        if is_new || row.operation == Operation::Replace {
            for (slot, value) in row.keys.iter().flatten().enumerate() {
                row.edit.set_leaf(slot, value)?;
            }
        }
        Ok(())
    }

    /// Puts a closed row into its parent, which is the last frame.
    fn close_row(&mut self, row: OpenRow) -> Result<(), EditReason> {
        let (schema, node) = (self.schema, row.edit.node);
        let index = schema.row_children_in(node).start;
        let OpenRow { edit, key, keys, placement, state, .. } = row;
        if state == RowState::Keys {
            let missing = self.schema.keys(node).iter().zip(&keys).find(|(_, value)| value.is_none());
            return Err(EditReason::MissingKey(missing.map_or(node, |(key, _)| *key)));
        }
        let (changed, buffers) = edit.finish();
        self.buffers = buffers;
        if state == RowState::Removed {
            return Ok(());
        }
        let parent = &mut self.top_row().edit;
        if let Some(changed) = changed {
            parent.choose_cases(schema, node)?;
            match &key {
                None => parent.children_mut().set(index, Child::Container(changed)),
                Some(key) => {
                    if let Some(list) = parent.children_mut().list_mut(index, is_user_ordered(schema, node)) {
                        list.insert(key.clone(), changed);
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

    /// Returns true in a node that is removed: its content has no effect.
    fn is_skipping(&self) -> bool {
        match self.frames.last() {
            Some(Frame::Skipped) => true,
            Some(Frame::Row(row)) => row.state == RowState::Removed,
            _ => false,
        }
    }

    /// Checks that a node can be in the open node.
    fn check_child(&self, node: NodeId) -> Result<(), EditError> {
        let open = self.frames.last().map_or(NodeId::ROOT, |frame| frame.node().unwrap_or(NodeId::ROOT));
        if self.schema.data_parent(node) != Some(open) {
            return Err(self.error(EditReason::NotAChild, None));
        }
        if !self.schema.node(node).config {
            return Err(self.error(EditReason::NotConfiguration, Some(node)));
        }
        Ok(())
    }

    fn operation(&self) -> Operation {
        match self.frames.last() {
            Some(Frame::Row(row)) => row.operation,
            Some(Frame::Container { operation, .. }) => *operation,
            _ => self.root.operation,
        }
    }

    /// Returns the row that contains the open node.
    fn top_row(&mut self) -> &mut OpenRow {
        let row = self.frames.iter_mut().rev().find_map(|frame| match frame {
            Frame::Row(row) => Some(row),
            _ => None,
        });
        row.unwrap_or(&mut self.root)
    }

    /// Returns an error at the open node, or at a node in it.
    fn error(&self, reason: EditReason, node: Option<NodeId>) -> EditError {
        if let Some(node) = node {
            return self.error_at(reason, node, Entry::All);
        }
        let (path, row) = self.row_path();
        match self.frames.last() {
            Some(Frame::Container { node, .. }) => {
                EditError { reason, path: path_within(&path, self.schema, row, *node, Entry::All) }
            }
            _ => EditError { reason, path },
        }
    }

    /// Returns an error at a node in the open node.
    fn error_at(&self, reason: EditReason, node: NodeId, entry: Entry) -> EditError {
        let (path, row) = self.row_path();
        EditError { reason, path: path_within(&path, self.schema, row, node, entry) }
    }

    /// Returns the row that contains the open node, with its path.
    fn row_path(&self) -> (InstancePath, NodeId) {
        let (mut path, mut row) = (InstancePath::new(), NodeId::ROOT);
        for frame in &self.frames {
            if let Frame::Row(open) = frame {
                push_within(&mut path, self.schema, row, open.edit.node, open.entry());
                row = open.edit.node;
            }
        }
        (path, row)
    }
}

impl Placement {
    fn as_place(&self) -> Place<'_> {
        match self {
            Self::First => Place::First,
            Self::Last => Place::Last,
            Self::Before(key) => Place::Before(key.as_octets()),
            Self::After(key) => Place::After(key.as_octets()),
        }
    }
}

#[cfg(test)]
mod tests;
