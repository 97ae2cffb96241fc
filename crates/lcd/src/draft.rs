//! Collects changes to a snapshot, lists the records that must be written, and takes changes back.
//!
//! A draft records each change of a row. So the cost of listing or taking back changes depends on
//! their number, and not on the size of the tables.

use std::{collections::BTreeMap, fmt, sync::Arc};

use portreeve_secret::{Redacted, Secret};
use portreeve_smi::Timestamp;

use crate::{
    Columns, LastChanged, Lcd, Row, Scalars, Tables,
    durable::{record_key, row_value, scalar_records},
    last_changed::is_same_row,
};

/// Changes on top of a snapshot.
pub struct LcdDraft {
    base: Arc<Lcd>,
    tables: Tables,
    changes: Vec<Box<dyn RowChange>>,
}

/// A point to which a draft can return.
#[derive(Clone)]
pub struct LcdSavepoint {
    changes: usize,
    scalars: Scalars,
    last_changed: LastChanged,
}

impl LcdDraft {
    /// Creates a draft without changes.
    pub fn new(base: Arc<Lcd>) -> Self {
        Self { tables: base.tables().clone(), base, changes: Vec::new() }
    }

    /// Returns the snapshot that the draft is based on.
    pub fn base(&self) -> &Arc<Lcd> {
        &self.base
    }

    /// Returns the tables with the changes applied.
    pub fn tables(&self) -> &Tables {
        &self.tables
    }

    /// Returns the scalars for modification.
    pub fn scalars_mut(&mut self) -> &mut Scalars {
        &mut self.tables.scalars
    }

    /// Inserts a row; replaces a row with the same key.
    pub fn insert<C: Columns>(&mut self, row: Row<C>) {
        let row = Arc::new(row);
        let table = C::table_mut(&mut self.tables);
        let before = table.get(&row.key).map(Arc::clone);
        self.changes.push(Box::new(ChangedRow { key: row.key.clone(), before }));
        table.insert(row);
    }

    /// Removes the row with this key, if there is one.
    pub fn remove<C: Columns>(&mut self, key: &C::Key) {
        let table = C::table_mut(&mut self.tables);
        let Some(before) = table.get(key).map(Arc::clone) else { return };
        self.changes.push(Box::new(ChangedRow { key: key.clone(), before: Some(before) }));
        table.remove(key);
    }

    /// Returns the point to which [`LcdDraft::roll_back_to`] returns.
    pub fn savepoint(&self) -> LcdSavepoint {
        LcdSavepoint {
            changes: self.changes.len(),
            scalars: self.tables.scalars.clone(),
            last_changed: self.tables.last_changed,
        }
    }

    /// Takes back all changes since `savepoint`, which must be of this draft.
    pub fn roll_back_to(&mut self, savepoint: &LcdSavepoint) {
        while self.changes.len() > savepoint.changes {
            if let Some(change) = self.changes.pop() {
                change.undo(&mut self.tables);
            }
        }
        self.tables.scalars = savepoint.scalars.clone();
        self.tables.last_changed = savepoint.last_changed;
    }

    /// Returns the records to write to the state directory for the changes since `savepoint`,
    /// sorted by key. A row that is not durable is included only if it was durable before; its
    /// record must then be removed.
    pub fn records_since(&self, savepoint: &LcdSavepoint) -> Vec<StateRecord> {
        let mut records: BTreeMap<Vec<u8>, Option<Secret>> = BTreeMap::new();
        for (key, change) in self.changed_rows(savepoint) {
            if let Some(value) = change.new_value(&self.tables) {
                records.insert(key, value);
            }
        }
        let (old, new) = (&savepoint.scalars, &self.tables.scalars);
        if old != new {
            for ((key, new), (_, old)) in scalar_records(new).into_iter().zip(scalar_records(old)) {
                if new != old {
                    records.insert(key.into(), new);
                }
            }
        }
        records.into_iter().map(|(key, value)| StateRecord { key, value }).collect()
    }

    /// Sets the time of last change of each table that differs from its content at `savepoint`.
    pub fn stamp_changes_since(&mut self, savepoint: &LcdSavepoint, now: Timestamp) {
        let mut times = self.tables.last_changed;
        for change in self.changed_rows(savepoint).into_values() {
            change.stamp(&self.tables, &mut times, now);
        }
        self.tables.last_changed = times;
    }

    /// Replaces the times that [`LcdDraft::stamp_changes_since`] has set.
    pub fn set_time_of_changes(&mut self, now: Timestamp) {
        self.tables.last_changed.replace_changed(&self.base.tables().last_changed, now);
    }

    /// Returns whether the draft contains changes.
    pub fn is_changed(&self) -> bool {
        !self.changes.is_empty() || self.tables.scalars != self.base.tables().scalars
    }

    /// Returns whether the draft contains changes since `savepoint`.
    pub fn is_changed_since(&self, savepoint: &LcdSavepoint) -> bool {
        self.changes.len() > savepoint.changes || self.tables.scalars != savepoint.scalars
    }

    /// Builds the snapshot that results from applying this draft to its base.
    pub fn to_lcd(&self) -> Lcd {
        self.base.recompile(self.tables.clone())
    }

    /// Builds the snapshot that results from applying this draft to its base.
    pub fn into_lcd(self) -> Lcd {
        self.base.recompile(self.tables)
    }

    /// Returns the rows that have changed since `savepoint`, each by the key of its record and with
    /// its first change, which contains the row as it was at the savepoint.
    fn changed_rows(&self, savepoint: &LcdSavepoint) -> BTreeMap<Vec<u8>, &dyn RowChange> {
        let mut rows: BTreeMap<Vec<u8>, &dyn RowChange> = BTreeMap::new();
        for change in self.changes.get(savepoint.changes..).unwrap_or_default() {
            rows.entry(change.record_key()).or_insert(&**change);
        }
        rows
    }
}

/// A change of one durable record.
#[derive(PartialEq, Eq)]
pub struct StateRecord {
    /// The key of the record in the state directory, for example `usm/user/80000000…/6f7073`.
    pub key: Vec<u8>,
    /// The new value; `None` removes the record.
    pub value: Option<Secret>,
}

/// Omits the value, which may contain keys.
impl fmt::Debug for StateRecord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("StateRecord")
            .field("key", &String::from_utf8_lossy(&self.key))
            .field("value", &self.value.as_ref().map(|_| Redacted))
            .finish()
    }
}

/// A change of a row of any table.
trait RowChange: Send {
    /// Restores the row as it was before this change.
    fn undo(self: Box<Self>, tables: &mut Tables);

    /// Returns the key of the row's record.
    fn record_key(&self) -> Vec<u8>;

    /// Returns the value of the row's record in `tables`, or `None` if it is the same as before
    /// this change. The value is `None` if there is no record any more.
    fn new_value(&self, tables: &Tables) -> Option<Option<Secret>>;

    /// Sets the time of last change of the table to `now` if the row in `tables` differs from the
    /// row before this change.
    fn stamp(&self, tables: &Tables, times: &mut LastChanged, now: Timestamp);
}

struct ChangedRow<C: Columns> {
    key: C::Key,
    before: Option<Arc<Row<C>>>,
}

impl<C: Columns> RowChange for ChangedRow<C> {
    fn undo(self: Box<Self>, tables: &mut Tables) {
        let table = C::table_mut(tables);
        match self.before {
            Some(row) => table.insert(row),
            None => table.remove(&self.key),
        }
    }

    fn record_key(&self) -> Vec<u8> {
        record_key::<C>(&self.key)
    }

    fn new_value(&self, tables: &Tables) -> Option<Option<Secret>> {
        let before = self.before.as_ref().and_then(|row| row_value(row));
        let after = C::table(tables).get(&self.key).and_then(|row| row_value(row));
        (before != after).then_some(after)
    }

    fn stamp(&self, tables: &Tables, times: &mut LastChanged, now: Timestamp) {
        let Some(time) = C::last_changed(times) else { return };
        let after = C::table(tables).get(&self.key);
        let is_same = match (&self.before, after) {
            (Some(before), Some(after)) => is_same_row(before, after),
            (None, None) => true,
            _ => false,
        };
        if !is_same {
            *time = now;
        }
    }
}

#[cfg(test)]
mod tests;
