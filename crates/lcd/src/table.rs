//! A table: rows sorted by index. Clones share the rows until one of them is changed.

use std::{collections::BTreeMap, sync::Arc};

use crate::{Columns, Row};

/// The rows of one type, sorted by key. Clones share the rows; the first change after cloning
/// copies the pointers of the table, never the rows.
pub struct Table<C: Columns> {
    rows: Arc<BTreeMap<C::Key, Arc<Row<C>>>>,
}

impl<C: Columns> Table<C> {
    /// Returns the row with this key.
    pub fn get(&self, key: &C::Key) -> Option<&Arc<Row<C>>> {
        self.rows.get(key)
    }

    /// Returns all rows, in any status.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &Arc<Row<C>>> {
        self.rows.values()
    }

    /// Returns the active rows.
    pub fn active(&self) -> impl Iterator<Item = &Arc<Row<C>>> {
        self.iter().filter(|row| row.is_active())
    }

    /// Returns the number of rows.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Returns true if the table has no rows.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// Inserts a row; replaces a row with the same key.
    pub fn insert(&mut self, row: Arc<Row<C>>) {
        Arc::make_mut(&mut self.rows).insert(row.key.clone(), row);
    }

    /// Removes the row with this key, if there is one.
    pub fn remove(&mut self, key: &C::Key) {
        if self.rows.contains_key(key) {
            Arc::make_mut(&mut self.rows).remove(key);
        }
    }

    /// Returns true if one table is an unchanged clone of the other.
    pub fn is_same(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.rows, &other.rows)
    }
}

impl<C: Columns> Clone for Table<C> {
    fn clone(&self) -> Self {
        Self { rows: Arc::clone(&self.rows) }
    }
}

impl<C: Columns> Default for Table<C> {
    fn default() -> Self {
        Self { rows: Arc::default() }
    }
}
