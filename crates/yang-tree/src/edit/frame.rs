//! The open nodes of an edit.

use portreeve_yang::{Entry, NodeId};

use super::{Operation, Placement, row_edit::RowEdit};
use crate::RowKey;

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
    /// The leafs that precede the last key.
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
