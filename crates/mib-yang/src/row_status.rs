//! The status of rows, which SNMP sees in place of the existence of an entry (RFC 2579 §2).
//!
//! Each entry that exists is active. Actions that lead to another state are refused.

use portreeve_datastore::{Refusal, RefusalKind};
use portreeve_smi::Value;

/// A change of a row by its status.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RowAction {
    /// The row has to exist.
    Active,
    /// Creates the row, which must not exist.
    CreateAndGo,
    /// Deletes the row if it exists.
    Destroy,
}

/// Returns the action of a value.
///
/// # Errors
/// The value has the wrong type, or is an action that the agent does not support.
pub(crate) fn action_of(value: &Value<'_>) -> Result<RowAction, Refusal> {
    let unsupported = |text: &'static str| Err(Refusal::new(RefusalKind::WrongValue, text));
    match value {
        Value::Integer(1) => Ok(RowAction::Active),
        Value::Integer(4) => Ok(RowAction::CreateAndGo),
        Value::Integer(6) => Ok(RowAction::Destroy),
        Value::Integer(2 | 5) => unsupported("rows cannot be out of service: use createAndGo"),
        Value::Integer(_) => unsupported("the value is not an action on a row"),
        _ => Err(RefusalKind::WrongType.into()),
    }
}

impl RowAction {
    /// Returns true if the row exists after the action.
    ///
    /// # Errors
    /// The action is not possible now.
    pub(crate) fn exists_after(self, exists: bool) -> Result<bool, Refusal> {
        let inconsistent = |text: &'static str| Err(Refusal::new(RefusalKind::InconsistentValue, text));
        match (self, exists) {
            (Self::Active, false) => inconsistent("the row does not exist"),
            (Self::CreateAndGo, true) => inconsistent("the row exists already"),
            (Self::Active | Self::CreateAndGo, _) => Ok(true),
            (Self::Destroy, _) => Ok(false),
        }
    }
}

#[cfg(test)]
mod tests;
