//! Finds the rows of a table in the order of their index arcs.

use std::sync::Arc;

use portreeve_lcd::{Columns, Lcd, Row};
use portreeve_mib::{Lookup, rows};
use portreeve_smi::OidBuf;

use super::{LocalEngineInfo, Table, index::arcs_of};

/// A view of a table in one snapshot.
pub(crate) trait TableView: Send {
    /// Switches to another snapshot. Does no work if the table has not changed. Called before each
    /// lookup, so that a request does not sort tables that it does not read.
    fn refresh(&mut self, lcd: &Lcd);

    /// Returns the value of a column in the row with this index.
    fn get<'a>(&'a mut self, column: usize, index: &[u32], local: &'a LocalEngineInfo) -> Lookup<'a>;

    /// Returns the value of a column in the first row after `after`; appends the row's index to
    /// `name`.
    fn next<'a>(
        &'a mut self,
        column: usize,
        after: &[u32],
        name: &mut OidBuf,
        local: &'a LocalEngineInfo,
    ) -> Lookup<'a>;
}

/// The rows of one table, sorted by index arcs.
pub(crate) struct SortedRows<C: Columns> {
    definition: &'static Table<C>,
    source: portreeve_lcd::Table<C>,
    rows: Vec<IndexedRow<C>>,
    // The position of the row that the last lookup found. The next row of a walk is close to it.
    hint: usize,
}

impl<C: Columns> SortedRows<C> {
    /// Creates a view without rows.
    pub(crate) fn new(definition: &'static Table<C>) -> Self {
        Self { definition, source: portreeve_lcd::Table::default(), rows: Vec::new(), hint: 0 }
    }
}

impl<C: Columns> TableView for SortedRows<C> {
    fn refresh(&mut self, lcd: &Lcd) {
        let current = C::table(lcd.tables());
        if current.is_same(&self.source) {
            return;
        }
        self.source = current.clone();
        let indexed = |row: &Arc<Row<C>>| IndexedRow {
            index: arcs_of(self.definition.row, &row.key),
            row: Arc::clone(row),
        };
        self.rows = current.iter().map(indexed).collect();
        self.rows.sort_unstable_by(|a, b| a.index.cmp(&b.index));
    }

    fn get<'a>(&'a mut self, column: usize, index: &[u32], local: &'a LocalEngineInfo) -> Lookup<'a> {
        let position = rows::exact(self.rows.len(), index_of(&self.rows), index, &mut self.hint);
        let value = position.and_then(|position| {
            let row = &self.rows.get(position)?.row;
            self.definition.columns.get(column)?.value(row, local)
        });
        value.map_or(Lookup::Absent, Lookup::Value)
    }

    fn next<'a>(
        &'a mut self,
        column: usize,
        after: &[u32],
        name: &mut OidBuf,
        local: &'a LocalEngineInfo,
    ) -> Lookup<'a> {
        let Some(column) = self.definition.columns.get(column) else { return Lookup::Absent };
        let first = rows::successor(self.rows.len(), index_of(&self.rows), after, &mut self.hint);
        let following = first.and_then(|first| self.rows.get(first..)).unwrap_or_default();
        // A row that is notReady may have no value in this column; such a row is skipped.
        let found = following.iter().find_map(|row| Some((row, column.value(&row.row, local)?)));
        match found {
            Some((row, value)) if name.extend(&row.index).is_ok() => Lookup::Value(value),
            Some(_) => Lookup::Failed,
            None => Lookup::Absent,
        }
    }
}

struct IndexedRow<C: Columns> {
    index: Box<[u32]>,
    row: Arc<Row<C>>,
}

fn index_of<'a, C: Columns>(rows: &'a [IndexedRow<C>]) -> impl Fn(usize) -> &'a [u32] {
    |position| rows.get(position).map_or(&[], |row| &row.index)
}
