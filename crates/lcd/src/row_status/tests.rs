use super::*;
use ErrorStatus::{InconsistentName, InconsistentValue};
use RowAction::*;
use RowStatus::{NotInService as OutOfService, NotReady};

const IN_USE: RowStatus = RowStatus::Active;

/// The table of RFC 2579. Each row contains the state before the action, the action, the
/// completeness, and the state after the action or the error.
#[test]
#[rustfmt::skip]
fn row_status_transitions_match_rfc2579_for_every_state_and_action() {
    type Outcome = Result<Option<RowStatus>, ErrorStatus>;
    let table: [(Option<RowStatus>, Option<RowAction>, bool, Outcome); 48] = [
        (None, Some(CreateAndGo),   true,  Ok(Some(IN_USE))),
        (None, Some(CreateAndGo),   false, Err(InconsistentValue)),
        (None, Some(CreateAndWait), true,  Ok(Some(OutOfService))),
        (None, Some(CreateAndWait), false, Ok(Some(NotReady))),
        (None, Some(Active),        true,  Err(InconsistentValue)),
        (None, Some(Active),        false, Err(InconsistentValue)),
        (None, Some(NotInService),  true,  Err(InconsistentValue)),
        (None, Some(NotInService),  false, Err(InconsistentValue)),
        (None, Some(Destroy),       true,  Ok(None)),
        (None, Some(Destroy),       false, Ok(None)),
        (None, None,                true,  Err(InconsistentName)),
        (None, None,                false, Err(InconsistentName)),

        (Some(NotReady), Some(CreateAndGo),   true,  Err(InconsistentValue)),
        (Some(NotReady), Some(CreateAndGo),   false, Err(InconsistentValue)),
        (Some(NotReady), Some(CreateAndWait), true,  Err(InconsistentValue)),
        (Some(NotReady), Some(CreateAndWait), false, Err(InconsistentValue)),
        (Some(NotReady), Some(Active),        true,  Ok(Some(IN_USE))),
        (Some(NotReady), Some(Active),        false, Err(InconsistentValue)),
        (Some(NotReady), Some(NotInService),  true,  Ok(Some(OutOfService))),
        (Some(NotReady), Some(NotInService),  false, Err(InconsistentValue)),
        (Some(NotReady), Some(Destroy),       true,  Ok(None)),
        (Some(NotReady), Some(Destroy),       false, Ok(None)),
        (Some(NotReady), None,                true,  Ok(Some(OutOfService))),
        (Some(NotReady), None,                false, Ok(Some(NotReady))),

        (Some(OutOfService), Some(CreateAndGo),   true,  Err(InconsistentValue)),
        (Some(OutOfService), Some(CreateAndGo),   false, Err(InconsistentValue)),
        (Some(OutOfService), Some(CreateAndWait), true,  Err(InconsistentValue)),
        (Some(OutOfService), Some(CreateAndWait), false, Err(InconsistentValue)),
        (Some(OutOfService), Some(Active),        true,  Ok(Some(IN_USE))),
        (Some(OutOfService), Some(Active),        false, Err(InconsistentValue)),
        (Some(OutOfService), Some(NotInService),  true,  Ok(Some(OutOfService))),
        (Some(OutOfService), Some(NotInService),  false, Err(InconsistentValue)),
        (Some(OutOfService), Some(Destroy),       true,  Ok(None)),
        (Some(OutOfService), Some(Destroy),       false, Ok(None)),
        (Some(OutOfService), None,                true,  Ok(Some(OutOfService))),
        (Some(OutOfService), None,                false, Ok(Some(NotReady))),

        (Some(IN_USE), Some(CreateAndGo),   true,  Err(InconsistentValue)),
        (Some(IN_USE), Some(CreateAndGo),   false, Err(InconsistentValue)),
        (Some(IN_USE), Some(CreateAndWait), true,  Err(InconsistentValue)),
        (Some(IN_USE), Some(CreateAndWait), false, Err(InconsistentValue)),
        (Some(IN_USE), Some(Active),        true,  Ok(Some(IN_USE))),
        (Some(IN_USE), Some(Active),        false, Err(InconsistentValue)),
        (Some(IN_USE), Some(NotInService),  true,  Ok(Some(OutOfService))),
        (Some(IN_USE), Some(NotInService),  false, Err(InconsistentValue)),
        (Some(IN_USE), Some(Destroy),       true,  Ok(None)),
        (Some(IN_USE), Some(Destroy),       false, Ok(None)),
        (Some(IN_USE), None,                true,  Ok(Some(IN_USE))),
        (Some(IN_USE), None,                false, Err(InconsistentValue)),
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
