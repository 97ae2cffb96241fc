//! The reasons why an edit is refused.

use std::fmt;

use portreeve_yang::{InstancePath, NodeId};

/// An edit is refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EditError {
    /// The fault.
    pub reason: EditReason,
    /// The instance at fault.
    pub path: InstancePath,
}

/// The fault of an edit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EditReason {
    /// The node to be created exists.
    DataExists,
    /// The node to be deleted, or to be entered without an operation, does not exist.
    DataMissing,
    /// A list entry has no value for this key.
    MissingKey(NodeId),
    /// A key is not canonical text of its type.
    InvalidKey,
    /// The keys of a list entry together are longer than [`MAX_KEY_OCTETS`](crate::MAX_KEY_OCTETS).
    KeyTooLong,
    /// A key leaf has an operation that would remove it.
    KeyRemoved,
    /// A list or container precedes the keys of its list entry (RFC 7950 §7.8.5).
    KeysNotFirst,
    /// The leaf occurs twice.
    Duplicate,
    /// The request contains nodes of two cases of a choice. This is the choice.
    TwoCases(NodeId),
    /// The entry before or after which another is inserted does not exist.
    UnknownAnchor,
    /// A place is given for an entry of a list that is not ordered by the user.
    NotUserOrdered,
    /// The leaf has no value.
    MissingValue,
    /// The node is not configuration.
    NotConfiguration,
    /// The node is not a child of the node that is open.
    NotAChild,
    /// All values of the row together are too long.
    RowTooLarge,
    /// The rules of the edit forbid this change.
    AccessDenied,
}

impl fmt::Display for EditReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::DataExists => "the node exists already",
            Self::DataMissing => "the node does not exist",
            Self::MissingKey(_) => "the list entry lacks a key",
            Self::InvalidKey => "a key is not of its type",
            Self::KeyTooLong => "the keys of the list entry are too long",
            Self::KeyRemoved => "a key cannot be removed from its list entry",
            Self::KeysNotFirst => "the keys of a list entry precede its other nodes",
            Self::Duplicate => "the node occurs twice",
            Self::TwoCases(_) => "the nodes belong to different cases of one choice",
            Self::UnknownAnchor => "the entry before or after which it is inserted does not exist",
            Self::NotUserOrdered => "the list is not ordered by the user",
            Self::MissingValue => "the node has no value",
            Self::NotConfiguration => "the node is not configuration",
            Self::NotAChild => "the node is not a child of this node",
            Self::RowTooLarge => "the values are too long",
            Self::AccessDenied => "the change is not permitted",
        })
    }
}

impl fmt::Display for EditError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.reason.fmt(f)
    }
}

impl std::error::Error for EditError {}
