//! The state transitions of rows that managers create and destroy (RowStatus, RFC 2579 §2).
//!
//! ```text
//!                  createAndGo, complete
//!          ┌──────────────────────────────────────────┐
//!  (none) ─┤ createAndWait, incomplete → notReady     ├→ active
//!          └ createAndWait, complete → notInService ──┘  ↕ notInService
//!                      destroy: from anywhere back to (none)
//! ```
//! The new state is determined in the same way for all tables, after all variables of the request
//! are known.

use std::fmt;

/// The state of an existing row. The discriminants are the numbers of the MIB.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum RowStatus {
    /// The row is in use.
    Active = 1,
    /// The row is complete but not in use.
    NotInService = 2,
    /// Some required columns are missing.
    NotReady = 3,
}

impl RowStatus {
    /// Returns the state with this number in a MIB.
    pub fn from_number(number: i32) -> Option<Self> {
        match number {
            1 => Some(Self::Active),
            2 => Some(Self::NotInService),
            3 => Some(Self::NotReady),
            _ => None,
        }
    }
}

/// A value that a manager may write into a status column.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "the names are defined by the RFC")]
pub enum RowAction {
    Active,
    NotInService,
    CreateAndGo,
    CreateAndWait,
    Destroy,
}

impl RowAction {
    /// Returns the action with this number in a MIB. Returns `None` for notReady, which is
    /// read-only.
    pub fn from_number(number: i32) -> Option<Self> {
        match number {
            1 => Some(Self::Active),
            2 => Some(Self::NotInService),
            4 => Some(Self::CreateAndGo),
            5 => Some(Self::CreateAndWait),
            6 => Some(Self::Destroy),
            _ => None,
        }
    }
}

/// Returns the state of a row after a request, or `None` if the row does not exist afterwards.
///
/// `now` is the state before the request. `action` is the value that the request writes into the
/// status column, or `None` if it only writes other columns. `complete` is true if every column
/// will have an acceptable value after the request.
///
/// # Errors
/// Returns the reason why the request must be rejected.
pub fn row_status_after(
    now: Option<RowStatus>,
    action: Option<RowAction>,
    complete: bool,
) -> Result<Option<RowStatus>, RowStatusError> {
    let waiting = if complete { RowStatus::NotInService } else { RowStatus::NotReady };
    let state = match (action, now) {
        (Some(RowAction::Destroy), _) => return Ok(None),
        (Some(RowAction::CreateAndGo), None) if complete => RowStatus::Active,
        (Some(RowAction::CreateAndWait), None) => waiting,
        (Some(RowAction::Active), Some(_)) if complete => RowStatus::Active,
        (Some(RowAction::NotInService), Some(_)) if complete => RowStatus::NotInService,
        (Some(_), _) => return Err(RowStatusError::NotAllowed),
        // Only a write to the status column creates a row.
        (None, None) => return Err(RowStatusError::NoSuchRow),
        (None, Some(RowStatus::Active)) if complete => RowStatus::Active,
        (None, Some(RowStatus::Active)) => return Err(RowStatusError::NotAllowed),
        (None, Some(_)) => waiting,
    };
    Ok(Some(state))
}

/// A request that cannot change the state of a row as it asks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RowStatusError {
    /// The row does not exist, and the request does not create it.
    NoSuchRow,
    /// The row is incomplete, or its state does not allow this action.
    NotAllowed,
}

impl RowStatusError {
    /// Returns a description.
    pub fn text(self) -> &'static str {
        match self {
            Self::NoSuchRow => "the row does not exist and is not created by this request",
            Self::NotAllowed => "the row is incomplete, or its status does not allow this change",
        }
    }
}

impl fmt::Display for RowStatusError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.text())
    }
}

impl std::error::Error for RowStatusError {}

#[cfg(test)]
mod tests;
