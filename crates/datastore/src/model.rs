//! The meaning of the data tree: its schema, its checks, and its values that are also in the
//! tables.
//!
//! ```text
//! SET, reload, start:  tables ── to_tree ──▶ tree ─┐
//!                                                  ├─▶ check ─▶ consistent state
//! edit of the tree:    tree ── to_tables ──▶ tables ┘
//! ```

use std::sync::Arc;

use portreeve_lcd::{LcdDraft, Tables};
use portreeve_yang::Schema;
use portreeve_yang_tree::{Tree, Validator};

use crate::Refusal;

/// The meaning of the data tree, set once for a process.
pub struct Model {
    schema: Arc<Schema>,
    validator: Validator,
    links: Vec<Box<dyn Link>>,
}

/// Values that exist both in the tables and in the tree.
///
/// After each transaction, both contain the same values. If a transaction changes a value in both,
/// that of the tree is used. A value that the tree cannot represent exists in the tables only,
/// and has no counterpart in the tree.
pub trait Link: Send + Sync {
    /// Returns the tree with the values of the tables, after a change of the tables and at the
    /// start. Returns a clone of `tree` if its values are current.
    ///
    /// # Errors
    /// Returns the reason if the tree cannot contain the values.
    fn to_tree(&self, tables: &Tables, tree: &Tree) -> Result<Tree, Refusal>;

    /// Changes the tables as the tree has changed from `before` to `after`. Values of the tables
    /// whose counterparts have not changed stay as they are.
    ///
    /// # Errors
    /// Returns the reason if the values cannot be changed, for example because the configuration
    /// file sets them.
    fn to_tables(&self, before: &Tree, after: &Tree, lcd: &mut LcdDraft) -> Result<(), Refusal>;
}

impl Model {
    /// Creates the model of a schema. `links` are applied in this order.
    pub fn new(schema: Arc<Schema>, links: Vec<Box<dyn Link>>) -> Self {
        Self { validator: Validator::new(Arc::clone(&schema)), schema, links }
    }

    /// Creates a model without modules, for programs without YANG.
    pub fn empty() -> Self {
        Self::new(Arc::default(), Vec::new())
    }

    /// Returns the schema of the tree.
    pub fn schema(&self) -> &Arc<Schema> {
        &self.schema
    }

    /// Returns the checks of the tree.
    pub fn validator(&self) -> &Validator {
        &self.validator
    }

    /// Returns the tree that follows from a tree that is valid and from tables that replace those
    /// of its state, for example after a reload.
    ///
    /// # Errors
    /// Returns the reason if the tree cannot contain the values of the tables, or if it would not
    /// be valid.
    pub fn follow_tables(&self, tables: &Tables, before: &Tree) -> Result<Tree, Refusal> {
        let after = self.to_tree(tables, before)?;
        self.check_change(before, &after)?;
        Ok(after)
    }

    /// Returns the tree with the values of the tables. Does not check it.
    ///
    /// # Errors
    /// Returns the reason if the tree cannot contain the values.
    pub fn to_tree(&self, tables: &Tables, tree: &Tree) -> Result<Tree, Refusal> {
        self.links.iter().try_fold(tree.clone(), |tree, link| link.to_tree(tables, &tree))
    }

    pub(crate) fn to_tables(&self, before: &Tree, after: &Tree, lcd: &mut LcdDraft) -> Result<(), Refusal> {
        self.links.iter().try_for_each(|link| link.to_tables(before, after, lcd))
    }

    /// Checks a tree that follows a valid one.
    pub(crate) fn check_change(&self, before: &Tree, after: &Tree) -> Result<(), Refusal> {
        if before.is_same_version(after) {
            return Ok(());
        }
        let faults = self.validator.validate_change(before, after);
        Refusal::from_faults(&self.schema, &faults).map_or(Ok(()), Err)
    }
}
