//! Data trees.

use std::sync::Arc;

use crate::{Row, TreeSize};

/// A version of the data of all modules. A clone is a pointer.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tree {
    root: Arc<Row>,
    size: TreeSize,
}

impl Tree {
    /// Creates a tree without data.
    pub fn new() -> Self {
        Self::default()
    }

    /// Creates a tree, whose content is counted.
    pub(crate) fn from_root(root: Arc<Row>) -> Self {
        Self::new().with_root(root)
    }

    /// Creates a version from this one. The parts that they share take no time.
    pub(crate) fn with_root(&self, root: Arc<Row>) -> Self {
        let size = self.size.after(&self.root, &root);
        Self { root, size }
    }

    /// Returns the row of the top level.
    pub fn root(&self) -> &Arc<Row> {
        &self.root
    }

    /// Returns the number of leafs and of their octets, which takes no time.
    pub fn size(&self) -> TreeSize {
        self.size
    }

    /// Returns true if both are the same version, which takes no time to find out.
    pub fn is_same_version(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.root, &other.root)
    }
}

#[cfg(test)]
mod tests;
