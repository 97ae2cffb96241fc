//! One module's part of a SET (RFC 3416 §4.2.5), in the phases test, commit and undo.
//!
//! A SET opens a [`Draft`] in every module that it affects, and `snmp-apps` drives them together:
//! `test` every variable → `apply` every draft → `check` every draft → `commit` every draft → make
//! the records durable → publish. Changes of the shared state are made in the [`ProposedState`],
//! where all drafts see them, and are published with it. After a failure, `undo` is called on every
//! draft that has committed.

use portreeve_datastore::{ProposedState, Refusal};
use portreeve_smi::Value;

/// One module's part of a SET.
pub trait Draft: Send {
    /// Adds one variable to the draft. Called in the order of the variables. Several variables may
    /// name the same instance; setting the same value twice is not an error.
    ///
    /// # Errors
    /// Returns the reason if the variable cannot be set.
    fn test(&mut self, proposed: &mut ProposedState, variable: &SetVariable<'_>) -> Result<(), Refusal>;

    /// Makes the changes in `proposed`, after the last variable.
    ///
    /// # Errors
    /// Returns the reason, with the variable at fault, if the variables conflict with each other or
    /// with the state.
    fn apply(&mut self, proposed: &mut ProposedState) -> Result<(), Refusal>;

    /// Checks constraints between modules. `proposed` contains the changes of all drafts.
    ///
    /// # Errors
    /// Returns the reason if the proposed state is invalid.
    fn check(&mut self, proposed: &ProposedState) -> Result<(), Refusal> {
        let _ = proposed;
        Ok(())
    }

    /// Makes external changes that can be undone. Most modules have none.
    ///
    /// # Errors
    /// Returns the reason if the changes cannot be made.
    fn commit(&mut self) -> Result<(), Refusal> {
        Ok(())
    }

    /// Undoes the changes of [`Draft::commit`].
    ///
    /// # Errors
    /// Returns the reason if the changes cannot be undone.
    fn undo(&mut self) -> Result<(), Refusal> {
        Ok(())
    }

    /// Makes external changes visible. Cannot fail: all steps that can fail have been done before.
    fn publish(&mut self) {}
}

/// One variable of a SET. Does not implement `Debug`, because the value can be a community or a
/// change of a key.
#[derive(Clone, Copy)]
pub struct SetVariable<'a> {
    /// The number of the variable in the request, counted from 1.
    pub number: usize,
    /// The leaf, by its position in its module.
    pub leaf: usize,
    /// The index arcs of the instance.
    pub index: &'a [u32],
    /// The new value.
    pub value: Value<'a>,
}
