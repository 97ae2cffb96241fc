//! The life of a row that managers create and destroy (RowStatus, RFC 2579 §2).
//!
//! ```text
//!                  createAndGo, complete
//!          ┌──────────────────────────────────────────┐
//!  (none) ─┤ createAndWait, incomplete → notReady     ├→ active
//!          └ createAndWait, complete → notInService ──┘  ↕ notInService
//!                      destroy: from anywhere back to (none)
//! ```
//! Decided for all tables at once, after every variable of the request is known.

use portreeve_smi::ErrorStatus;

/// The state of a row that exists. The discriminants are the numbers of the MIB.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum RowStatus {
    /// In use.
    Active = 1,
    /// Complete, but not in use.
    NotInService = 2,
    /// Columns are missing.
    NotReady = 3,
}

impl RowStatus {
    /// The state with this number in a MIB.
    pub fn from_number(number: i32) -> Option<Self> {
        match number {
            1 => Some(Self::Active),
            2 => Some(Self::NotInService),
            3 => Some(Self::NotReady),
            _ => None,
        }
    }
}

/// What a manager may write into a status column.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "the names and their meaning are the RFC's")]
pub enum RowAction {
    Active,
    NotInService,
    CreateAndGo,
    CreateAndWait,
    Destroy,
}

impl RowAction {
    /// The action with this number in a MIB. notReady, which is only ever read, is none.
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

/// The state of a row after a request, `None` where it does not exist; or why the request is refused.
///
/// `now` is its state before. `action` is what the request writes into the status column; `None` when it only writes
/// other columns. `complete` says whether every column will have an acceptable value, those of the same request
/// counted in.
pub fn row_status_after(
    now: Option<RowStatus>,
    action: Option<RowAction>,
    complete: bool,
) -> Result<Option<RowStatus>, ErrorStatus> {
    let waiting = if complete { RowStatus::NotInService } else { RowStatus::NotReady };
    let state = match (action, now) {
        (Some(RowAction::Destroy), _) => return Ok(None),
        (Some(RowAction::CreateAndGo), None) if complete => RowStatus::Active,
        (Some(RowAction::CreateAndWait), None) => waiting,
        (Some(RowAction::Active), Some(_)) if complete => RowStatus::Active,
        (Some(RowAction::NotInService), Some(_)) if complete => RowStatus::NotInService,
        (Some(_), _) => return Err(ErrorStatus::InconsistentValue),
        // A row comes into being through its status column only.
        (None, None) => return Err(ErrorStatus::InconsistentName),
        (None, Some(RowStatus::Active)) if complete => RowStatus::Active,
        (None, Some(RowStatus::Active)) => return Err(ErrorStatus::InconsistentValue),
        (None, Some(_)) => waiting,
    };
    Ok(Some(state))
}

#[cfg(test)]
mod tests;
