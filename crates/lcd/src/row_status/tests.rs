use super::*;
use RowAction::*;
use RowStatus::{NotInService as OutOfService, NotReady};
use RowStatusError::{NoSuchRow, NotAllowed};

const IN_USE: RowStatus = RowStatus::Active;

/// The table of RFC 2579. Each row contains the state before the action, the action, the
/// completeness, and the state after the action or the error.
#[test]
#[rustfmt::skip]
fn row_status_transitions_match_rfc2579_for_every_state_and_action() {
    type Outcome = Result<Option<RowStatus>, RowStatusError>;
    let table: [(Option<RowStatus>, Option<RowAction>, bool, Outcome); 48] = [
        (None, Some(CreateAndGo),   true,  Ok(Some(IN_USE))),
        (None, Some(CreateAndGo),   false, Err(NotAllowed)),
        (None, Some(CreateAndWait), true,  Ok(Some(OutOfService))),
        (None, Some(CreateAndWait), false, Ok(Some(NotReady))),
        (None, Some(Active),        true,  Err(NotAllowed)),
        (None, Some(Active),        false, Err(NotAllowed)),
        (None, Some(NotInService),  true,  Err(NotAllowed)),
        (None, Some(NotInService),  false, Err(NotAllowed)),
        (None, Some(Destroy),       true,  Ok(None)),
        (None, Some(Destroy),       false, Ok(None)),
        (None, None,                true,  Err(NoSuchRow)),
        (None, None,                false, Err(NoSuchRow)),

        (Some(NotReady), Some(CreateAndGo),   true,  Err(NotAllowed)),
        (Some(NotReady), Some(CreateAndGo),   false, Err(NotAllowed)),
        (Some(NotReady), Some(CreateAndWait), true,  Err(NotAllowed)),
        (Some(NotReady), Some(CreateAndWait), false, Err(NotAllowed)),
        (Some(NotReady), Some(Active),        true,  Ok(Some(IN_USE))),
        (Some(NotReady), Some(Active),        false, Err(NotAllowed)),
        (Some(NotReady), Some(NotInService),  true,  Ok(Some(OutOfService))),
        (Some(NotReady), Some(NotInService),  false, Err(NotAllowed)),
        (Some(NotReady), Some(Destroy),       true,  Ok(None)),
        (Some(NotReady), Some(Destroy),       false, Ok(None)),
        (Some(NotReady), None,                true,  Ok(Some(OutOfService))),
        (Some(NotReady), None,                false, Ok(Some(NotReady))),

        (Some(OutOfService), Some(CreateAndGo),   true,  Err(NotAllowed)),
        (Some(OutOfService), Some(CreateAndGo),   false, Err(NotAllowed)),
        (Some(OutOfService), Some(CreateAndWait), true,  Err(NotAllowed)),
        (Some(OutOfService), Some(CreateAndWait), false, Err(NotAllowed)),
        (Some(OutOfService), Some(Active),        true,  Ok(Some(IN_USE))),
        (Some(OutOfService), Some(Active),        false, Err(NotAllowed)),
        (Some(OutOfService), Some(NotInService),  true,  Ok(Some(OutOfService))),
        (Some(OutOfService), Some(NotInService),  false, Err(NotAllowed)),
        (Some(OutOfService), Some(Destroy),       true,  Ok(None)),
        (Some(OutOfService), Some(Destroy),       false, Ok(None)),
        (Some(OutOfService), None,                true,  Ok(Some(OutOfService))),
        (Some(OutOfService), None,                false, Ok(Some(NotReady))),

        (Some(IN_USE), Some(CreateAndGo),   true,  Err(NotAllowed)),
        (Some(IN_USE), Some(CreateAndGo),   false, Err(NotAllowed)),
        (Some(IN_USE), Some(CreateAndWait), true,  Err(NotAllowed)),
        (Some(IN_USE), Some(CreateAndWait), false, Err(NotAllowed)),
        (Some(IN_USE), Some(Active),        true,  Ok(Some(IN_USE))),
        (Some(IN_USE), Some(Active),        false, Err(NotAllowed)),
        (Some(IN_USE), Some(NotInService),  true,  Ok(Some(OutOfService))),
        (Some(IN_USE), Some(NotInService),  false, Err(NotAllowed)),
        (Some(IN_USE), Some(Destroy),       true,  Ok(None)),
        (Some(IN_USE), Some(Destroy),       false, Ok(None)),
        (Some(IN_USE), None,                true,  Ok(Some(IN_USE))),
        (Some(IN_USE), None,                false, Err(NotAllowed)),
    ];
    for (now, action, complete, outcome) in table {
        let found = row_status_after(now, action, complete);
        assert_eq!(found, outcome, "{now:?} {action:?} complete: {complete}");
    }
}

#[test]
fn row_action_parser_rejects_not_ready_and_unknown_numbers() {
    assert_eq!(RowAction::from_number(3), None);
    assert_eq!(RowAction::from_number(0), None);
    assert_eq!(RowAction::from_number(7), None);
}
