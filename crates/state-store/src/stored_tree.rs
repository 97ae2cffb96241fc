//! The tree that the state directory contains, and the records that change it.

use std::{fmt, io, sync::Arc};

use portreeve_datastore::Tree;
use portreeve_store::{Batch, Image, RecordRef, RecordSource, VisitEntry, VisitRecord};
use portreeve_yang::Schema;
use portreeve_yang_tree::RecordChange;

use crate::keys::TREE;

/// The tree that the state directory contains, and the records that have to be written first.
pub struct StoredTree {
    pub(crate) schema: Arc<Schema>,
    pub(crate) tree: Tree,
    /// The changes of the start that could not be written.
    pub(crate) pending: Option<Batch>,
}

impl StoredTree {
    /// Adds the change from one tree to another to a batch.
    pub(crate) fn add_change(&self, batch: Batch, before: &Tree, after: &Tree) -> Batch {
        batch.with_source(self.source(Some(before), after)).with_image(self.image(after))
    }

    /// Returns the records that change a tree to another. Without the first one, they replace all
    /// records.
    pub(crate) fn source(&self, before: Option<&Tree>, after: &Tree) -> Arc<dyn RecordSource> {
        Arc::new(TreeRecords {
            schema: Arc::clone(&self.schema),
            before: before.cloned(),
            after: after.clone(),
        })
    }

    pub(crate) fn image(&self, tree: &Tree) -> Arc<dyn Image> {
        Arc::new(TreeRecords { schema: Arc::clone(&self.schema), before: None, after: tree.clone() })
    }
}

/// The records of a tree, or of the change from another one.
struct TreeRecords {
    schema: Arc<Schema>,
    before: Option<Tree>,
    after: Tree,
}

impl RecordSource for TreeRecords {
    fn visit_records(&self, visit: &mut VisitRecord<'_>) -> io::Result<()> {
        let mut name = StoredKey::default();
        let empty = Tree::new();
        let before = match &self.before {
            Some(before) => before,
            None => {
                visit(RecordRef::RemovePrefix { prefix: TREE })?;
                &empty
            }
        };
        before.write_record_changes(&self.schema, &self.after, &mut |change| match change {
            RecordChange::Put { key, value } => visit(RecordRef::Set { key: name.of(key), value }),
            RecordChange::RemoveAll { prefix } => visit(RecordRef::RemovePrefix { prefix: name.of(prefix) }),
        })
    }
}

impl Image for TreeRecords {
    fn visit_entries(&self, visit: &mut VisitEntry<'_>) -> io::Result<()> {
        let mut name = StoredKey::default();
        self.after.write_records(&self.schema, &mut |key, value| visit(name.of(key), value))
    }
}

/// The key of a record in the store, in memory that is used again.
#[derive(Default)]
struct StoredKey(Vec<u8>);

impl StoredKey {
    fn of(&mut self, key: &[u8]) -> &[u8] {
        self.0.clear();
        self.0.extend(TREE);
        self.0.extend(key);
        &self.0
    }
}

impl fmt::Debug for StoredTree {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("StoredTree").field("size", &self.tree.size()).finish_non_exhaustive()
    }
}
