//! Finds rows by their index arcs, in the table itself: its rows are in the order of their index
//! arcs. Nothing is prepared for the lookups in a new state, so that the first one after a change
//! takes no longer than others.

use std::sync::Arc;

use portreeve_lcd::{Columns, Row, Tables};
use portreeve_mib::{Lookup, Object};
use portreeve_smi::OidBuf;

use super::{
    LocalEngineInfo, Table,
    index::{compare, write_arcs},
};

/// A table whose rows can be read. The trait does not depend on the type of the rows.
pub(crate) trait Readable: Sync {
    /// Returns the columns, in the order of their numbers.
    fn objects(&self) -> Vec<&'static Object>;

    /// Returns the value of a column in the row with this index.
    fn get<'a>(
        &self,
        tables: &'a Tables,
        column: usize,
        index: &[u32],
        local: &'a LocalEngineInfo,
    ) -> Lookup<'a>;

    /// Returns the value of a column in the first row after `after`; appends the row's index to
    /// `name`.
    fn next<'a>(
        &self,
        tables: &'a Tables,
        column: usize,
        after: &[u32],
        name: &mut OidBuf,
        local: &'a LocalEngineInfo,
    ) -> Lookup<'a>;
}

impl<C: Columns> Readable for Table<C> {
    fn objects(&self) -> Vec<&'static Object> {
        self.columns.iter().map(|column| column.object).collect()
    }

    fn get<'a>(
        &self,
        tables: &'a Tables,
        column: usize,
        index: &[u32],
        local: &'a LocalEngineInfo,
    ) -> Lookup<'a> {
        let order = |row: &C::Key| compare(self.row, row, index);
        let first = C::table(tables).starting_at(|row| order(row).is_lt()).next();
        let row = first.filter(|row| order(&row.key).is_eq());
        let value = row.and_then(|row| self.columns.get(column)?.value(row, local));
        value.map_or(Lookup::Absent, Lookup::Value)
    }

    fn next<'a>(
        &self,
        tables: &'a Tables,
        column: usize,
        after: &[u32],
        name: &mut OidBuf,
        local: &'a LocalEngineInfo,
    ) -> Lookup<'a> {
        let Some(column) = self.columns.get(column) else { return Lookup::Absent };
        let following = C::table(tables).starting_at(|row| compare(self.row, row, after).is_le());
        // A row that is notReady may have no value in this column; such a row is skipped.
        let has_value = |row: &'a Arc<Row<C>>| Some((row, column.value(row, local)?));
        match { following }.find_map(has_value) {
            Some((row, value)) => {
                let mut result = Ok(());
                write_arcs(self.row, &row.key, |arc| result = result.and_then(|()| name.push(arc)));
                result.map_or(Lookup::Failed, |()| Lookup::Value(value))
            }
            None => Lookup::Absent,
        }
    }
}
