//! Applies a SET to the rows of a table.
//!
//! ```text
//! each variable:  access ─ type, length, value ─ valid index? ─ read-only row? ─► kept
//! each row:       columns in order ─ complete? consistent? ─ RowStatus transition ─► draft
//! ```
//! The variables of a request take effect together, in any order, so rows are validated only after
//! all variables are known.

use std::sync::Arc;

use portreeve_datastore::{Refusal, RefusalKind};
use portreeve_lcd::{
    Columns, LcdDraft, Row, RowAction, RowStatus, RowStatusError, StorageType, Tables, row_status_after,
};
use portreeve_secret::wipe;
use portreeve_smi::{OwnedValue, SecurityModel, Value};

use super::{Column, LocalEngineInfo, Readable, Table, column::ColumnChange, index::key_of, value};

/// A table whose rows SET can change. The trait does not depend on the type of the rows.
pub(crate) trait Editable: Readable {
    /// Checks a value against the column's definition and the current rows.
    fn test(&self, tables: &Tables, column: usize, index: &[u32], value: &Value<'_>) -> Result<(), Refusal>;

    /// Applies all changes to one row.
    fn apply(
        &self,
        draft: &mut LcdDraft,
        index: &[u32],
        assignments: &[Assignment],
        request: &SetRequest<'_>,
    ) -> Result<(), Refusal>;
}

/// One variable of a SET.
pub(crate) struct Assignment {
    /// The number of the variable in the request, counted from 1.
    pub(crate) variable: usize,
    /// The number of the column in its table.
    pub(crate) column: usize,
    /// The value, which [`Editable::test`] has accepted.
    pub(crate) value: OwnedValue,
}

impl Drop for Assignment {
    /// Wipes the value, which can be a community or a change of a key.
    fn drop(&mut self) {
        if let OwnedValue::OctetString(octets) = &mut self.value {
            wipe(octets);
        }
    }
}

/// The requester of a SET, and data of the local engine.
pub(crate) struct SetRequest<'a> {
    pub(crate) local: &'a LocalEngineInfo,
    pub(crate) security_model: SecurityModel,
    pub(crate) security_name: &'a [u8],
}

/// The data available to a column while it is set.
pub(crate) struct SetContext<'a> {
    /// All rows. The changes that the request has made to other rows so far are included.
    pub(crate) tables: &'a Tables,
    /// The row's status before the request; `None` for a new row.
    pub(crate) status: Option<RowStatus>,
    /// The request that sets the column.
    pub(crate) request: &'a SetRequest<'a>,
}

impl<C: Columns> Editable for Table<C> {
    fn test(&self, tables: &Tables, column: usize, index: &[u32], value: &Value<'_>) -> Result<(), Refusal> {
        let column = self.columns.get(column).ok_or(RefusalKind::Internal)?;
        let syntax = column.object.syntax().ok_or(RefusalKind::Internal)?;
        if matches!(column.change, ColumnChange::Never) {
            return Err(Refusal::new(RefusalKind::NotWritable, "the column is read-only"));
        }
        syntax.check(value)?;
        (column.check)(value)?;
        let key: C::Key = key_of(self.row, index).ok_or_else(invalid_index)?;
        match C::table(tables).get(&key) {
            Some(row) if !row.is_writable() => {
                Err(Refusal::new(RefusalKind::NotWritable, "the row comes from the configuration file"))
            }
            _ => Ok(()),
        }
    }

    fn apply(
        &self,
        draft: &mut LcdDraft,
        index: &[u32],
        assignments: &[Assignment],
        request: &SetRequest<'_>,
    ) -> Result<(), Refusal> {
        let first = assignments.first().map_or(0, |assignment| assignment.variable);
        let key: C::Key = key_of(self.row, index).ok_or_else(|| invalid_index().at_variable(first))?;
        let before = C::table(draft.tables()).get(&key).map(Arc::clone);
        let status_before = before.as_ref().map(|row| row.status);

        let (action, action_variable) = self.action(assignments)?;
        let is_created = matches!(action, Some(RowAction::CreateAndGo | RowAction::CreateAndWait));
        let is_permanent = before.as_ref().is_some_and(|row| row.storage == StorageType::Permanent);
        if action == Some(RowAction::Destroy) {
            if is_permanent {
                return Err(inconsistent("a permanent row cannot be destroyed").at_variable(action_variable));
            }
            draft.remove::<C>(&key);
            return Ok(());
        }
        let mut row = match before {
            Some(row) => Row::clone(&row),
            None if is_created => Row::new(key),
            None => {
                let error = row_status_after(None, action, false).err().unwrap_or(RowStatusError::NoSuchRow);
                return Err(status_refusal(error).at_variable(action.map_or(first, |_| action_variable)));
            }
        };

        let stays_active =
            status_before == Some(RowStatus::Active) && action != Some(RowAction::NotInService);
        let context = SetContext { tables: draft.tables(), status: status_before, request };
        for (number, column) in self.columns.iter().enumerate() {
            for assignment in assignments.iter().filter(|assignment| assignment.column == number) {
                let variable = assignment.variable;
                if column.locked && stays_active {
                    let refusal = inconsistent("the column cannot be changed while the row is active");
                    return Err(refusal.at_variable(variable));
                }
                set(column, &mut row, &assignment.value.as_value(), &context)
                    .map_err(|refusal| refusal.at_variable(variable))?;
                row.missing = row.missing.without(column.missing);
            }
        }

        let failing_variable = if action.is_some() { action_variable } else { first };
        if !(self.is_consistent)(&row) {
            return Err(inconsistent("the columns of the row conflict").at_variable(failing_variable));
        }
        let status = row_status_after(status_before, action, row.missing.is_empty())
            .map_err(|error| status_refusal(error).at_variable(failing_variable))?;
        // A complete row that may not become active is rejected with inconsistentValue (RFC 2579
        // §2). Only activation is checked: a row that an earlier configuration file allowed can
        // still be taken out of service or destroyed.
        if status == Some(RowStatus::Active) && !(self.is_allowed)(&row, draft.tables()) {
            let refusal = inconsistent("the configuration does not allow this weakness");
            return Err(refusal.at_variable(failing_variable));
        }
        if let Some(status) = status {
            row.status = status;
            draft.insert(row);
        }
        Ok(())
    }
}

impl<C: Columns> Table<C> {
    /// Returns the action that the request writes to the status column of the row, and the position
    /// in the request of the variable with this action. Two different actions on one row are an
    /// error.
    fn action(&self, assignments: &[Assignment]) -> Result<(Option<RowAction>, usize), Refusal> {
        let mut found: (Option<RowAction>, usize) = (None, 0);
        for assignment in assignments {
            let column = self.columns.get(assignment.column);
            if !column.is_some_and(|column| matches!(column.change, ColumnChange::Status)) {
                continue;
            }
            let action = value::integer(&assignment.value.as_value()).ok().and_then(RowAction::from_number);
            if found.0.is_some() && found.0 != action {
                let refusal = inconsistent("two different actions on one row");
                return Err(refusal.at_variable(assignment.variable));
            }
            found = (action, assignment.variable);
        }
        Ok(found)
    }
}

fn set<C: Columns>(
    column: &Column<C>,
    row: &mut Row<C>,
    value: &Value<'_>,
    context: &SetContext<'_>,
) -> Result<(), Refusal> {
    match column.change {
        ColumnChange::Columns(set) => set(row, value, context),
        ColumnChange::Storage => set_storage(row, value),
        // The status column is applied last, after all other columns are known.
        ColumnChange::Status => Ok(()),
        ColumnChange::Never => Err(RefusalKind::NotWritable.into()),
    }
}

/// Sets the storage type. A row may change between volatile and nonVolatile. Permanent rows remain
/// permanent, and managers cannot create rows that they could not delete (RFC 2579 §2,
/// StorageType).
fn set_storage<C: Columns>(row: &mut Row<C>, value: &Value<'_>) -> Result<(), Refusal> {
    let storage = value::choice(value, StorageType::from_number)?;
    let movable = |storage| matches!(storage, StorageType::Volatile | StorageType::NonVolatile);
    if storage != row.storage && !(movable(storage) && movable(row.storage)) {
        return Err(inconsistent("the row cannot change to this storage type"));
    }
    row.storage = storage;
    Ok(())
}

fn inconsistent(text: &'static str) -> Refusal {
    Refusal::new(RefusalKind::InconsistentValue, text)
}

fn invalid_index() -> Refusal {
    Refusal::new(RefusalKind::NoCreation, "the index of the row is invalid")
}

fn status_refusal(error: RowStatusError) -> Refusal {
    let kind = match error {
        RowStatusError::NoSuchRow => RefusalKind::InconsistentName,
        RowStatusError::NotAllowed => RefusalKind::InconsistentValue,
    };
    Refusal::new(kind, error.text())
}
