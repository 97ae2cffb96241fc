//! The operations of an edit, and places in lists.

use crate::{Place, RowKey};

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

impl Placement {
    pub(super) fn as_place(&self) -> Place<'_> {
        match self {
            Self::First => Place::First,
            Self::Last => Place::Last,
            Self::Before(key) => Place::Before(key.as_octets()),
            Self::After(key) => Place::After(key.as_octets()),
        }
    }
}
