//! An edit of the data tree as a transaction.

use portreeve_yang_tree::Tree;

use crate::{ProposedState, Refusal};

/// An edit of the data tree that a protocol has prepared on a snapshot.
///
/// If the state has changed since then, the edit is merged with the other changes. So it can be
/// prepared without the transaction lock, and large edits delay no other transaction.
#[derive(Clone)]
pub struct TreeEdit {
    base: Tree,
    edited: Tree,
    is_validated: bool,
    session: Option<u32>,
}

impl TreeEdit {
    /// Creates an edit that changes `base`, the tree of a published state, to `edited`.
    pub fn new(base: Tree, edited: Tree) -> Self {
        Self { base, edited, is_validated: false, session: None }
    }

    /// Marks the edited tree as valid, so that it is not checked again unless it is merged.
    #[must_use]
    pub fn validated(self) -> Self {
        Self { is_validated: true, ..self }
    }

    /// Sets the NETCONF session that makes the edit. It can hold the lock on the running
    /// configuration.
    #[must_use]
    pub fn by_session(self, session: u32) -> Self {
        Self { session: Some(session), ..self }
    }

    /// Returns the NETCONF session that makes the edit.
    pub fn session(&self) -> Option<u32> {
        self.session
    }

    /// Returns true if the edit changes nothing.
    pub fn is_empty(&self) -> bool {
        self.base.is_same_version(&self.edited)
    }

    /// Adds the edit to a proposed state: the step of [`Transaction::prepare`].
    ///
    /// # Errors
    /// Returns a conflict with the paths of the nodes that both this edit and another transaction
    /// have changed.
    ///
    /// [`Transaction::prepare`]: crate::Transaction::prepare
    pub fn prepare(&self, proposed: &mut ProposedState) -> Result<(), Refusal> {
        if proposed.tree().is_same_version(&self.base) {
            proposed.set_tree(self.edited.clone());
            if self.is_validated {
                proposed.mark_tree_as_valid();
            }
            return Ok(());
        }
        let schema = proposed.model().schema();
        let merged = proposed.tree().merge(schema, &self.base, &self.edited);
        let merged = merged.map_err(|conflicts| Refusal::from_conflicts(schema, &conflicts))?;
        proposed.set_tree(merged);
        Ok(())
    }
}
