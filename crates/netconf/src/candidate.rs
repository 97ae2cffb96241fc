//! The candidate configuration (RFC 6241 §8.3), which all sessions share.
//!
//! ```text
//! running ─▶ base ──▶ tree          while modified: a branch of the running configuration
//!    └────▶ merge(base, tree) ─▶ validated and committed
//! ```
//! While it is not modified, it follows the running configuration.

use portreeve_yang::Schema;
use portreeve_yang_tree::{Conflicts, Tree};

/// The candidate configuration.
#[derive(Clone, Debug, Default)]
pub(crate) struct Candidate {
    /// `None` while it is not modified.
    branch: Option<Branch>,
}

#[derive(Clone, Debug)]
struct Branch {
    /// The running configuration when the first change was made.
    base: Tree,
    tree: Tree,
}

impl Candidate {
    /// Returns the content.
    pub(crate) fn tree<'c>(&'c self, running: &'c Tree) -> &'c Tree {
        self.branch.as_ref().map_or(running, |branch| &branch.tree)
    }

    pub(crate) fn is_modified(&self) -> bool {
        self.branch.is_some()
    }

    /// Replaces the content.
    pub(crate) fn set(&mut self, running: &Tree, tree: Tree) {
        let base = self.branch.take().map_or_else(|| running.clone(), |branch| branch.base);
        if !base.is_same_version(&tree) {
            self.branch = Some(Branch { base, tree });
        }
    }

    /// Discards the changes. Returns false if there were none.
    pub(crate) fn discard(&mut self) -> bool {
        self.branch.take().is_some()
    }

    /// Returns the running configuration with the changes of the candidate.
    ///
    /// # Errors
    /// Both have changed the same nodes since the first change of the candidate.
    pub(crate) fn merged(&self, schema: &Schema, running: &Tree) -> Result<Tree, Conflicts> {
        match &self.branch {
            None => Ok(running.clone()),
            Some(branch) if branch.base.is_same_version(running) => Ok(branch.tree.clone()),
            Some(branch) => running.merge(schema, &branch.base, &branch.tree),
        }
    }

    /// Removes the changes that a commit has moved to the running configuration. Changes that were
    /// made while the commit was stored remain.
    pub(crate) fn committed(&mut self, tree: &Tree) {
        let Some(branch) = &mut self.branch else { return };
        if branch.tree.is_same_version(tree) {
            self.branch = None;
        } else {
            branch.base = tree.clone();
        }
    }
}
