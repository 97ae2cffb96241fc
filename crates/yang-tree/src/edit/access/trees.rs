//! The check of all changes between two trees.

use std::sync::Arc;

use portreeve_yang::{Entry, InstancePath, NodeId, Schema};

use super::{Access, WriteAccess};
use crate::{
    EditError, EditReason, Row, Tree,
    pairs::{Pair, pairs},
    path::{entry_of_row, path_within, pop_steps, push_within},
};

impl Tree {
    /// Checks that the changes from this version to another are permitted. Parts that the versions
    /// share take no time.
    ///
    /// # Errors
    /// The first change that is not permitted, as [`EditReason::AccessDenied`].
    pub fn check_access(
        &self,
        schema: &Schema,
        after: &Self,
        rules: Arc<dyn WriteAccess>,
    ) -> Result<(), EditError> {
        let mut check = Check { schema, access: Access::new(rules), path: InstancePath::new() };
        check.row(NodeId::ROOT, Some(self.root()), after.root())
    }
}

struct Check<'c> {
    schema: &'c Schema,
    access: Access,
    path: InstancePath,
}

impl Check<'_> {
    fn row(&mut self, node: NodeId, before: Option<&Arc<Row>>, after: &Arc<Row>) -> Result<(), EditError> {
        let schema = self.schema;
        if before.is_some_and(|before| Arc::ptr_eq(before, after)) {
            return Ok(());
        }
        self.access.check_row(schema, node, before.map(|row| &**row), after).map_err(|denied| {
            let path = match denied {
                Some((child, entry)) => path_within(&self.path, schema, node, child, entry),
                None => self.path.clone(),
            };
            EditError { reason: EditReason::AccessDenied, path }
        })?;
        let empty = Arc::default();
        for (index, pair) in pairs(before.unwrap_or(&empty), after) {
            let Some(child) = schema.row_layout(node).children.get(index).copied() else { continue };
            match pair {
                Pair::Containers(before, Some(after)) => self.below(node, child, before, after)?,
                Pair::Lists(before, after) => {
                    for item in before.by_key().differences(after.by_key()) {
                        if let Some(after) = item.after {
                            self.below(node, child, item.before, after)?;
                        }
                    }
                }
                Pair::Containers(_, None) | Pair::LeafLists(..) => {}
            }
        }
        Ok(())
    }

    fn below(
        &mut self,
        row: NodeId,
        node: NodeId,
        before: Option<&Arc<Row>>,
        after: &Arc<Row>,
    ) -> Result<(), EditError> {
        let entry: Entry = entry_of_row(self.schema, node, after);
        let steps = push_within(&mut self.path, self.schema, row, node, entry);
        let checked = self.row(node, before, after);
        pop_steps(&mut self.path, steps);
        checked
    }
}
