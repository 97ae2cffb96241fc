//! One module's share of a SET (RFC 3416 §4.2.5, in the phases test, commit, undo).
//!
//! A SET opens a [`Draft`] in every module it touches. The coordinator in `apps` drives them together:
//! `test` every variable → `validate` every draft → `commit` every draft → records durable → `publish` every draft.
//! Until `publish` nobody sees a change; a failure before it calls `undo` on every draft that has committed.

use portreeve_smi::{ErrorStatus, Value};

/// Changes that are collected, judged and then made visible at once.
pub trait Draft: Send {
    /// Takes one variable into the draft, or says why not. Calls come in the order of the variables; several may
    /// name the same instance, and the same value twice is no error.
    fn test(&mut self, leaf: usize, index: &[u32], value: &Value<'_>) -> Result<(), ErrorStatus>;

    /// Judges the draft as a whole, after every variable is in.
    fn validate(&mut self) -> Result<(), TestFailure>;

    /// Makes changes outside the process that can be undone. Most modules have none.
    fn commit(&mut self) -> Result<(), ErrorStatus> {
        Ok(())
    }

    /// Takes back what [`Draft::commit`] did.
    fn undo(&mut self) -> Result<(), ErrorStatus> {
        Ok(())
    }

    /// What must be durable before anybody may see the change.
    fn records(&self) -> Vec<StateRecord>;

    /// Makes the change visible. Cannot fail: whatever could has been tried before.
    fn publish(self: Box<Self>);
}

/// Why a draft as a whole cannot be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TestFailure {
    /// Which variable is to blame: the number of the [`Draft::test`] call in this draft, counted from 0.
    pub variable: usize,
    /// What is wrong with it.
    pub status: ErrorStatus,
}

/// One change of durable state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StateRecord {
    /// Names what changed, such as `usm/user/80000000…/ops`.
    pub key: Vec<u8>,
    /// Its new state; `None` removes it.
    pub value: Option<Vec<u8>>,
}
