//! A column: its value, the values that it accepts, and the row states in which it may be changed.

use portreeve_datastore::Refusal;
use portreeve_lcd::{ColumnSet, Columns, Row};
use portreeve_mib::Object;
use portreeve_smi::Value;

use super::{LocalEngineInfo, SetContext, value};

/// A column of a table. The object's definition specifies the type, length and range of its values.
pub(crate) struct Column<C: Columns> {
    pub(crate) object: &'static Object,
    pub(crate) get: Get<C>,
    pub(crate) change: ColumnChange<C>,
    /// The bit of the column in the set of missing columns; used only for columns without a
    /// default.
    pub(crate) missing: ColumnSet,
    /// True if the column cannot be changed while the row is active.
    pub(crate) locked: bool,
    /// A check of values in addition to the object's definition.
    pub(crate) check: Check,
}

impl<C: Columns> Column<C> {
    /// Creates a read-only column.
    pub(crate) const fn read_only(object: &'static Object, get: Get<C>) -> Self {
        Self::new(object, get, ColumnChange::Never)
    }

    /// Creates a writable column.
    pub(crate) const fn writable(object: &'static Object, get: Get<C>, set: Set<C>) -> Self {
        Self::new(object, get, ColumnChange::Columns(set))
    }

    /// Creates the StorageType column.
    pub(crate) const fn storage(object: &'static Object) -> Self {
        let get: Get<C> = |row, _| Value::Integer(row.storage as i32);
        Self::new(object, get, ColumnChange::Storage).checked(value::storage)
    }

    /// Creates the RowStatus column.
    pub(crate) const fn status(object: &'static Object) -> Self {
        let get: Get<C> = |row, _| Value::Integer(row.status as i32);
        Self::new(object, get, ColumnChange::Status).checked(value::row_action)
    }

    /// Makes the column required: a row is notReady until the column has been set.
    pub(crate) const fn required(self, missing: ColumnSet) -> Self {
        Self { missing, ..self }
    }

    /// Prevents changes of the column while the row is active.
    pub(crate) const fn locked(self) -> Self {
        Self { locked: true, ..self }
    }

    /// Adds a check of values. The limits in the object's definition are checked as well.
    pub(crate) const fn checked(self, check: Check) -> Self {
        Self { check, ..self }
    }

    /// Returns the column's value in this row, or `None` if it is missing.
    pub(crate) fn value<'a>(&self, row: &'a Row<C>, local: &'a LocalEngineInfo) -> Option<Value<'a>> {
        (!row.missing.overlaps(self.missing)).then(|| (self.get)(row, local))
    }

    const fn new(object: &'static Object, get: Get<C>, change: ColumnChange<C>) -> Self {
        Self { object, get, change, missing: ColumnSet::NONE, locked: false, check: value::accept_any }
    }
}

/// The effect of a SET on a column.
pub(crate) enum ColumnChange<C: Columns> {
    Never,
    Status,
    Storage,
    Columns(Set<C>),
}

pub(crate) type Get<C> = for<'a> fn(&'a Row<C>, &'a LocalEngineInfo) -> Value<'a>;
pub(crate) type Set<C> = fn(&mut Row<C>, &Value<'_>, &SetContext<'_>) -> Result<(), Refusal>;
pub(crate) type Check = fn(&Value<'_>) -> Result<(), Refusal>;
