//! Edits of a tree with the operations of edit-config (RFC 6241 §7.2).
//!
//! ```text
//! open list ─ leaf (key) ─ leaf ─ open container ─ leaf ─ close ─ close ─ finish ──▶ Tree
//! ```
//! An [`Editor`] is fed node by node, so that a long request is never in memory as a whole. Values
//! are in canonical form; the reader of the request has checked them. The rows that the request
//! does not change remain shared with the tree before.

mod access;
mod apply;
mod close;
mod error;
mod frame;
mod open;
mod operation;
mod row_edit;
mod seen;

use std::sync::Arc;

use portreeve_yang::{Entry, NodeId, NodeKind, Schema};

use crate::{Tree, path::path_within};
use access::Access;
pub use access::{Write, WriteAccess};
use apply::{apply_leaf, apply_value, set_key};
pub use error::{EditError, EditReason};
use frame::{Frame, OpenRow, RowState, Stack};
pub use operation::{Operation, Placement};
use row_edit::{Buffers, RowEdit};

/// An edit in progress. After an error, it has to be dropped: the tree before is unchanged.
pub struct Editor {
    schema: Arc<Schema>,
    before: Tree,
    access: Access,
    /// The data can be state as well as configuration.
    has_state: bool,
    stack: Stack,
    /// Memory of the row that was closed last.
    buffers: Buffers,
}

impl Editor {
    /// Starts an edit. The operation is that of top-level nodes without their own: `Merge`,
    /// `Replace`, which removes all data that the request does not contain, or `Enter`.
    pub fn new(schema: Arc<Schema>, tree: &Tree, operation: Operation) -> Self {
        let mut root = RowEdit::new(NodeId::ROOT, Buffers::default());
        root.start(Some(tree.root().clone()), operation == Operation::Replace);
        let stack = Stack::new(OpenRow::new(root, operation, RowState::Open));
        let (before, access, buffers) = (tree.clone(), Access::default(), Buffers::default());
        Self { schema, before, access, has_state: false, stack, buffers }
    }

    /// Starts with an empty tree of state, `config false` nodes, and of the configuration that
    /// contains it. The entries of a list without keys keep the sequence in which they are opened.
    pub fn for_state(schema: Arc<Schema>) -> Self {
        Self { has_state: true, ..Self::new(schema, &Tree::new(), Operation::Merge) }
    }

    /// Restricts the edit to the changes that these rules permit. A change that they forbid is
    /// refused with [`EditReason::AccessDenied`]. The operations `Create`, `Delete` and `Remove`
    /// are refused before it is known if their node exists.
    #[must_use]
    pub fn with_access(mut self, rules: Arc<dyn WriteAccess>) -> Self {
        self.access = Access::new(rules);
        self
    }

    /// Opens a container or a list entry, whose key leafs have to precede all containers and lists
    /// in it. A placement is for entries of lists that the user orders.
    pub fn open(
        &mut self,
        node: NodeId,
        operation: Option<Operation>,
        placement: Option<Placement>,
    ) -> Result<(), EditError> {
        if self.stack.is_skipping() {
            self.stack.frames.push(Frame::Skipped);
            return Ok(());
        }
        self.check_child(node)?;
        if self.stack.top_row().state == RowState::Keys {
            return Err(self.error(EditReason::KeysNotFirst, None));
        }
        let operation = operation.unwrap_or(self.stack.operation());
        let opened = match &self.schema.node(node).kind {
            NodeKind::Container(_) if placement.is_some() => Err(EditReason::NotUserOrdered),
            NodeKind::Container(container) if container.presence => self.open_presence(node, operation),
            NodeKind::Container(_) => self.open_container(node, operation),
            NodeKind::List(list) if placement.is_some() && !list.user_ordered => {
                Err(EditReason::NotUserOrdered)
            }
            NodeKind::List(_) => self.open_entry(node, operation, placement),
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
        if self.stack.is_skipping() {
            return Ok(());
        }
        self.check_child(node)?;
        let effective = operation.unwrap_or(self.stack.operation());
        let is_key = match &self.schema.node(node).kind {
            NodeKind::Leaf(leaf) => leaf.is_key,
            NodeKind::AnyData { .. } | NodeKind::AnyXml { .. } => false,
            _ => return Err(self.error(EditReason::NotAChild, Some(node))),
        };
        let row = self.stack.top_row();
        let done = if is_key {
            set_key(&self.schema, row, node, operation, value)
        } else if let Err(duplicate) = row.edit.seen.add_leaf(self.schema.slots_in(node).start) {
            Err(duplicate)
        } else if row.state == RowState::Keys {
            row.queued.push((node, effective, value.map(Into::into)));
            Ok(())
        } else {
            apply_leaf(&self.schema, &mut self.access, &mut row.edit, node, effective, value)
        };
        done.map_err(|reason| self.error(reason, Some(node)))?;
        if is_key && self.stack.top_row().keys.iter().all(Option::is_some) {
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
        if self.stack.is_skipping() {
            return Ok(());
        }
        self.check_child(node)?;
        let operation = operation.unwrap_or(self.stack.operation());
        let row = self.stack.top_row();
        let done = if row.state == RowState::Keys {
            Err(EditReason::KeysNotFirst)
        } else {
            let place = placement.as_ref();
            apply_value(&self.schema, &mut self.access, &mut row.edit, node, operation, place, value)
        };
        done.map_err(|reason| self.error_at(reason, node, Entry::Value(value.into())))
    }

    /// Checks that a node can be in the open node.
    fn check_child(&self, node: NodeId) -> Result<(), EditError> {
        if self.schema.data_parent(node) != Some(self.stack.open_node()) {
            return Err(self.error(EditReason::NotAChild, None));
        }
        if !self.has_state && !self.schema.node(node).config {
            return Err(self.error(EditReason::NotConfiguration, Some(node)));
        }
        Ok(())
    }

    /// Returns an error at the open node, or at a node in it.
    fn error(&self, reason: EditReason, node: Option<NodeId>) -> EditError {
        if let Some(node) = node {
            return self.error_at(reason, node, Entry::All);
        }
        let (path, row) = self.stack.row_path(&self.schema);
        match self.stack.frames.last() {
            Some(Frame::Container { node, .. }) => {
                EditError { reason, path: path_within(&path, &self.schema, row, *node, Entry::All) }
            }
            _ => EditError { reason, path },
        }
    }

    /// Returns an error at a node in the open node.
    fn error_at(&self, reason: EditReason, node: NodeId, entry: Entry) -> EditError {
        let (path, row) = self.stack.row_path(&self.schema);
        EditError { reason, path: path_within(&path, &self.schema, row, node, entry) }
    }
}

#[cfg(test)]
mod tests;
