//! A column: what it shows, what it takes, and when.

use portreeve_lcd::{ColumnSet, Columns, Row};
use portreeve_mib::Object;
use portreeve_smi::{ErrorStatus, Value};

use super::{LocalEngineInfo, SetContext, value};

/// One column. Type, length and range of its values come from the object's definition.
pub(crate) struct Column<C: Columns> {
    pub(crate) object: &'static Object,
    pub(crate) get: Get<C>,
    pub(crate) change: ColumnChange<C>,
    /// The column's bit in a row's missing columns, for those without a default.
    pub(crate) missing: ColumnSet,
    /// Whether it keeps its value while the row is active.
    pub(crate) locked: bool,
    /// What its values must be beside what the definition says.
    pub(crate) check: Check,
}

impl<C: Columns> Column<C> {
    /// A column that is only shown.
    pub(crate) const fn read_only(object: &'static Object, get: Get<C>) -> Self {
        Self::new(object, get, ColumnChange::Never)
    }

    /// A column that is shown and set.
    pub(crate) const fn writable(object: &'static Object, get: Get<C>, set: Set<C>) -> Self {
        Self::new(object, get, ColumnChange::Columns(set))
    }

    /// The StorageType column.
    pub(crate) const fn storage(object: &'static Object) -> Self {
        let get: Get<C> = |row, _| Value::Integer(row.storage as i32);
        Self::new(object, get, ColumnChange::Storage).checked(value::storage)
    }

    /// The RowStatus column.
    pub(crate) const fn status(object: &'static Object) -> Self {
        let get: Get<C> = |row, _| Value::Integer(row.status as i32);
        Self::new(object, get, ColumnChange::Status).checked(value::row_action)
    }

    /// The same without a default: a row is not ready before it has been set.
    pub(crate) const fn required(self, missing: ColumnSet) -> Self {
        Self { missing, ..self }
    }

    /// The same, but not to be changed while the row is active.
    pub(crate) const fn locked(self) -> Self {
        Self { locked: true, ..self }
    }

    /// The same with a further check of values.
    pub(crate) const fn checked(self, check: Check) -> Self {
        Self { check, ..self }
    }

    /// The column's value in this row; `None` while it is missing.
    pub(crate) fn value<'a>(&self, row: &'a Row<C>, local: &'a LocalEngineInfo) -> Option<Value<'a>> {
        (!row.missing.overlaps(self.missing)).then(|| (self.get)(row, local))
    }

    const fn new(object: &'static Object, get: Get<C>, change: ColumnChange<C>) -> Self {
        Self { object, get, change, missing: ColumnSet::NONE, locked: false, check: value::accept_any }
    }
}

/// What a SET does to a column.
pub(crate) enum ColumnChange<C: Columns> {
    Never,
    Status,
    Storage,
    Columns(Set<C>),
}

pub(crate) type Get<C> = for<'a> fn(&'a Row<C>, &'a LocalEngineInfo) -> Value<'a>;
pub(crate) type Set<C> = fn(&mut Row<C>, &Value<'_>, &SetContext<'_>) -> Result<(), ErrorStatus>;
pub(crate) type Check = fn(&Value<'_>) -> Result<(), ErrorStatus>;
