//! One table: rows by index, shared until somebody changes it.

use std::{collections::BTreeMap, sync::Arc};

use crate::{Columns, Row};

/// The rows of one kind, in the order of their keys. Cloning shares them; the first change after that copies the
/// table's pointers, never its rows.
pub struct Table<C: Columns> {
    rows: Arc<BTreeMap<C::Key, Arc<Row<C>>>>,
}

impl<C: Columns> Table<C> {
    /// The row with this key.
    pub fn get(&self, key: &C::Key) -> Option<&Arc<Row<C>>> {
        self.rows.get(key)
    }

    /// All rows, whatever their status.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &Arc<Row<C>>> {
        self.rows.values()
    }

    /// The rows in use.
    pub fn active(&self) -> impl Iterator<Item = &Arc<Row<C>>> {
        self.iter().filter(|row| row.is_active())
    }

    /// How many rows there are.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Whether there is no row.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// Puts a row in, in place of the one with the same key.
    pub fn insert(&mut self, row: Arc<Row<C>>) {
        Arc::make_mut(&mut self.rows).insert(row.key.clone(), row);
    }

    /// Takes a row out.
    pub fn remove(&mut self, key: &C::Key) {
        if self.rows.contains_key(key) {
            Arc::make_mut(&mut self.rows).remove(key);
        }
    }

    /// Whether both are the same table, unchanged since one was cloned from the other.
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
