//! The open nodes of an edit.

use portreeve_yang::{Entry, InstancePath, NodeId, Schema};

use super::{
    Operation, Placement,
    row_edit::{Buffers, RowEdit},
};
use crate::{RowKey, path::push_within};

/// The open nodes of an edit, from the top level downwards.
pub(super) struct Stack {
    root: OpenRow,
    /// The open nodes below the top level.
    pub(super) frames: Vec<Frame>,
}

/// An open node.
#[allow(clippy::large_enum_variant, reason = "at most 64 nodes are open, and most of them are rows")]
pub(super) enum Frame {
    /// The top level, a list entry or a presence container.
    Row(OpenRow),
    /// A container without presence, which is a part of the row below.
    Container { node: NodeId, operation: Operation },
    /// A node whose content has no effect, because it or a node above it is removed.
    Skipped,
}

/// A row that is being edited.
pub(super) struct OpenRow {
    pub(super) edit: RowEdit,
    pub(super) operation: Operation,
    pub(super) state: RowState,
    /// The key leafs of a list entry, as far as they are known.
    pub(super) keys: Vec<Option<Box<str>>>,
    /// The key of a list entry, once it is known.
    pub(super) key: Option<RowKey>,
    pub(super) placement: Option<Placement>,
    /// The leafs that precede the last key, each of them once.
    pub(super) queued: Vec<(NodeId, Operation, Option<Box<str>>)>,
}

/// The progress of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RowState {
    /// A list entry that lacks a key.
    Keys,
    /// The row can be changed.
    Open,
    /// The row has been removed.
    Removed,
}

impl Stack {
    pub(super) fn new(root: OpenRow) -> Self {
        Self { root, frames: Vec::new() }
    }

    /// Returns true in a node that is removed: its content has no effect.
    pub(super) fn is_skipping(&self) -> bool {
        match self.frames.last() {
            Some(Frame::Skipped) => true,
            Some(Frame::Row(row)) => row.state == RowState::Removed,
            _ => false,
        }
    }

    /// Returns the node that was opened last.
    pub(super) fn open_node(&self) -> NodeId {
        self.frames.last().and_then(Frame::node).unwrap_or(NodeId::ROOT)
    }

    /// Returns the operation of nodes in the open node that have none of their own.
    pub(super) fn operation(&self) -> Operation {
        match self.frames.last() {
            Some(Frame::Row(row)) => row.operation,
            Some(Frame::Container { operation, .. }) => *operation,
            _ => self.root.operation,
        }
    }

    /// Returns the row that contains the open node.
    pub(super) fn top_row(&mut self) -> &mut OpenRow {
        let row = self.frames.iter_mut().rev().find_map(|frame| match frame {
            Frame::Row(row) => Some(row),
            _ => None,
        });
        row.unwrap_or(&mut self.root)
    }

    /// Returns the row that contains the open node, with its path.
    pub(super) fn row_path(&self, schema: &Schema) -> (InstancePath, NodeId) {
        let (mut path, mut row) = (InstancePath::new(), NodeId::ROOT);
        for frame in &self.frames {
            if let Frame::Row(open) = frame {
                push_within(&mut path, schema, row, open.edit.node, open.entry());
                row = open.edit.node;
            }
        }
        (path, row)
    }

    /// Takes the changes of the top level at the end of the edit.
    pub(super) fn take_root(&mut self) -> RowEdit {
        std::mem::replace(&mut self.root.edit, RowEdit::new(NodeId::ROOT, Buffers::default()))
    }
}

impl Frame {
    /// Returns the schema node.
    pub(super) fn node(&self) -> Option<NodeId> {
        match self {
            Self::Row(row) => Some(row.edit.node),
            Self::Container { node, .. } => Some(*node),
            Self::Skipped => None,
        }
    }
}

impl OpenRow {
    pub(super) fn new(edit: RowEdit, operation: Operation, state: RowState) -> Self {
        Self { edit, operation, state, keys: Vec::new(), key: None, placement: None, queued: Vec::new() }
    }

    /// Returns the entry for a path. It has no keys until all are known.
    pub(super) fn entry(&self) -> Entry {
        match self.keys.iter().cloned().collect::<Option<Vec<_>>>() {
            Some(keys) if !keys.is_empty() => Entry::Keys(keys),
            _ => Entry::All,
        }
    }
}
