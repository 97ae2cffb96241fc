//! One module's part of a SET (RFC 3416 §4.2.5), in the phases test, commit and undo.
//!
//! A SET opens a [`Draft`] in every module that it affects. The coordinator in `snmp-apps` drives
//! them together: `test` every variable → `validate` every draft → `commit` every draft → make the
//! records durable → `publish` every draft. Changes are invisible before `publish`; after an
//! earlier failure, `undo` is called on every draft that has committed.

use portreeve_smi::{ErrorStatus, Value};

/// Changes that are collected, validated and then published at once.
pub trait Draft: Send {
    /// Adds one variable to the draft. Called in the order of the variables. Several variables may
    /// name the same instance; setting the same value twice is not an error.
    ///
    /// # Errors
    /// Returns the error-status of the variable if it cannot be set.
    fn test(&mut self, leaf: usize, index: &[u32], value: &Value<'_>) -> Result<(), ErrorStatus>;

    /// Validates the draft as a whole, after the last variable.
    ///
    /// # Errors
    /// Returns the variable at fault and its error-status.
    fn validate(&mut self) -> Result<(), SetTestError>;

    /// Makes external changes that can be undone. Most modules have none.
    ///
    /// # Errors
    /// Returns an error-status if the changes cannot be made.
    fn commit(&mut self) -> Result<(), ErrorStatus> {
        Ok(())
    }

    /// Undoes the changes of [`Draft::commit`].
    ///
    /// # Errors
    /// Returns an error-status if the changes cannot be undone.
    fn undo(&mut self) -> Result<(), ErrorStatus> {
        Ok(())
    }

    /// Returns the records that must be durable before the change is published.
    fn records(&self) -> Vec<StateRecord>;

    /// Publishes the change. Cannot fail: all steps that can fail have been done before.
    fn publish(self: Box<Self>);
}

/// The error of a draft that is invalid as a whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SetTestError {
    /// The variable at fault: the number of the [`Draft::test`] call in this draft, from 0.
    pub variable: usize,
    /// The error-status of the variable.
    pub status: ErrorStatus,
}

/// One change of durable state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StateRecord {
    /// The key of the record, for example `usm/user/80000000…/ops`.
    pub key: Vec<u8>,
    /// The new value; `None` removes the record.
    pub value: Option<Vec<u8>>,
}
