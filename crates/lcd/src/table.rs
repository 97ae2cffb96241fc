//! A table: rows sorted by index. Clones share the rows until one of them is changed.
//!
//! The rows are divided into chunks. The first change after cloning copies the pointers to the
//! chunks, and each change copies at most one chunk, so that changing a few rows of a large table
//! is cheap although readers hold the table as it was.

use std::{cmp::Ordering, sync::Arc};

use crate::{Columns, Row};

/// The rows of one type, sorted by key.
pub struct Table<C: Columns> {
    /// The chunks in order. None of them is empty.
    chunks: Arc<Vec<Arc<Chunk<C>>>>,
    len: usize,
}

/// Rows sorted by key, at most [`MAX_CHUNK_ROWS`].
type Chunk<C> = Vec<Arc<Row<C>>>;

impl<C: Columns> Table<C> {
    /// Returns the row with this key.
    pub fn get(&self, key: &C::Key) -> Option<&Arc<Row<C>>> {
        let chunk = self.chunks.get(self.chunk_of(key))?;
        chunk.get(find(chunk, key).ok()?)
    }

    /// Returns all rows, in any status.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &Arc<Row<C>>> {
        Rows { chunks: self.chunks.iter(), current: [].iter(), left: self.len }
    }

    /// Returns the first row for which `precedes` is false, and all rows after it. It must be true
    /// for all rows before that row, and false for all after it; it is called for a number of rows
    /// that grows with the logarithm of the table's size.
    pub fn starting_at(&self, precedes: impl Fn(&C::Key) -> bool) -> impl Iterator<Item = &Arc<Row<C>>> {
        let ends_before = |chunk: &Arc<Chunk<C>>| chunk.last().is_some_and(|row| precedes(&row.key));
        let position = self.chunks.partition_point(ends_before);
        let mut chunks = self.chunks.get(position..).unwrap_or_default().iter();
        let first = chunks.next().map_or(&[][..], |chunk| {
            let place = chunk.partition_point(|row| precedes(&row.key));
            chunk.get(place..).unwrap_or_default()
        });
        first.iter().chain(chunks.flat_map(|chunk| chunk.iter()))
    }

    /// Returns the active rows.
    pub fn active(&self) -> impl Iterator<Item = &Arc<Row<C>>> {
        self.iter().filter(|row| row.is_active())
    }

    /// Returns the number of rows.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Returns true if the table has no rows.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Inserts a row; replaces a row with the same key.
    pub fn insert(&mut self, row: Arc<Row<C>>) {
        let position = self.chunk_of(&row.key);
        let chunks = Arc::make_mut(&mut self.chunks);
        let Some(shared) = chunks.get_mut(position) else {
            chunks.push(Arc::new(vec![row]));
            self.len += 1;
            return;
        };
        let chunk = Arc::make_mut(shared);
        match find(chunk, &row.key) {
            Ok(place) => {
                if let Some(replaced) = chunk.get_mut(place) {
                    *replaced = row;
                }
            }
            Err(place) => {
                chunk.insert(place, row);
                self.len += 1;
                if chunk.len() > MAX_CHUNK_ROWS {
                    let upper = chunk.split_off(chunk.len() / 2);
                    chunks.insert(position + 1, Arc::new(upper));
                }
            }
        }
    }

    /// Removes the row with this key, if there is one.
    pub fn remove(&mut self, key: &C::Key) {
        let position = self.chunk_of(key);
        let Some(Ok(place)) = self.chunks.get(position).map(|chunk| find(chunk, key)) else { return };
        let chunks = Arc::make_mut(&mut self.chunks);
        let Some(chunk) = chunks.get_mut(position).map(Arc::make_mut) else { return };
        chunk.remove(place);
        self.len -= 1;
        if chunk.is_empty() {
            chunks.remove(position);
        }
    }

    /// Returns true if one table is an unchanged clone of the other.
    pub fn is_same(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.chunks, &other.chunks)
    }

    /// Returns the position of the chunk that contains `key` if the table does.
    fn chunk_of(&self, key: &C::Key) -> usize {
        let starts_before = |chunk: &Arc<Chunk<C>>| chunk.first().is_some_and(|first| first.key <= *key);
        self.chunks.partition_point(starts_before).saturating_sub(1)
    }
}

/// Returns the place of `key` in a chunk, or the place at which it would be inserted.
fn find<C: Columns>(chunk: &Chunk<C>, key: &C::Key) -> Result<usize, usize> {
    let order = |row: &Arc<Row<C>>| -> Ordering { row.key.cmp(key) };
    chunk.binary_search_by(order)
}

impl<C: Columns> Clone for Table<C> {
    fn clone(&self) -> Self {
        Self { chunks: Arc::clone(&self.chunks), len: self.len }
    }
}

impl<C: Columns> Default for Table<C> {
    fn default() -> Self {
        Self { chunks: Arc::default(), len: 0 }
    }
}

/// The rows of all chunks.
struct Rows<'a, C: Columns> {
    chunks: std::slice::Iter<'a, Arc<Chunk<C>>>,
    current: std::slice::Iter<'a, Arc<Row<C>>>,
    left: usize,
}

impl<'a, C: Columns> Iterator for Rows<'a, C> {
    type Item = &'a Arc<Row<C>>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(row) = self.current.next() {
                self.left = self.left.saturating_sub(1);
                return Some(row);
            }
            self.current = self.chunks.next()?.iter();
        }
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.left, Some(self.left))
    }
}

impl<C: Columns> ExactSizeIterator for Rows<'_, C> {}

/// The maximum number of rows in a chunk: the copy of a chunk and the copy of the pointers to all
/// chunks of a table with some 10 000 rows take a similar time.
const MAX_CHUNK_ROWS: usize = 128;

#[cfg(test)]
mod tests;
