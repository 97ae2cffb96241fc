use portreeve_datastore::RefusalKind;
use portreeve_smi::Value;

use super::{RowAction, action_of};

#[test]
fn values_of_unsupported_actions_are_wrong() {
    let action = |number| action_of(&Value::Integer(number)).map_err(|refusal| refusal.kind);
    assert_eq!(action(1), Ok(RowAction::Active));
    assert_eq!(action(4), Ok(RowAction::CreateAndGo));
    assert_eq!(action(6), Ok(RowAction::Destroy));
    for number in [i32::MIN, 0, 2, 3, 5, 7] {
        assert_eq!(action(number), Err(RefusalKind::WrongValue), "{number}");
    }
    assert_eq!(action_of(&Value::Gauge32(4)).unwrap_err().kind, RefusalKind::WrongType);
}

#[test]
fn actions_need_the_row_or_its_absence() {
    use RowAction::*;
    for (action, exists, after) in [
        (Active, true, Some(true)),
        (Active, false, None),
        (CreateAndGo, true, None),
        (CreateAndGo, false, Some(true)),
        (Destroy, true, Some(false)),
        (Destroy, false, Some(false)),
    ] {
        assert_eq!(action.exists_after(exists).ok(), after, "{action:?} {exists}");
    }
}
