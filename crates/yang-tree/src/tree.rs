//! Data trees.

use std::sync::Arc;

use crate::Row;

/// A version of the data of all modules. A clone is a pointer.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tree {
    pub(crate) root: Arc<Row>,
}

impl Tree {
    /// Creates a tree without data.
    pub fn new() -> Self {
        Self::default()
    }

    /// Returns the row of the top level.
    pub fn root(&self) -> &Arc<Row> {
        &self.root
    }

    /// Returns true if both are the same version, which takes no time to find out.
    pub fn is_same_version(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.root, &other.root)
    }
}
