//! The life cycle of a row, from creation to destruction (RowStatus, RFC 2579 §2).

use portreeve_lcd::StorageType;
use portreeve_mib::modules::usm_mib::USM_USER_CLONE_FROM;
use portreeve_smi::{ErrorStatus, Value};

use super::super::agent::*;
use super::cases::{agent, cases};

#[test]
fn create_and_go_succeeds_with_variables_in_any_order() {
    for case in cases() {
        for reversed in [false, true] {
            let mut agent = agent();
            let mut variables = case.with_required(CREATE_AND_GO);
            if reversed {
                variables.reverse();
            }
            assert_eq!(agent.set(&variables), Ok(()), "{}", case.status.name);
            assert_eq!(agent.integer(case.status, &case.index), Some(1));
            assert_eq!(agent.integer(case.storage, &case.index), Some(StorageType::NonVolatile as i32));
            for (object, value) in case.required.iter().filter(|(object, _)| *object != &USM_USER_CLONE_FROM)
            {
                assert_eq!(agent.get(object, &case.index).as_ref(), Some(value), "{}", object.name);
            }
        }
    }
}

#[test]
fn create_and_go_fails_without_required_columns() {
    for case in cases().into_iter().filter(|case| !case.required.is_empty()) {
        for left_out in 0..case.required.len() {
            let mut agent = agent();
            let mut variables = case.with_required(CREATE_AND_GO);
            variables.remove(left_out);
            let failing = variables.len() - 1;
            assert_eq!(
                agent.set(&variables),
                Err((failing, ErrorStatus::InconsistentValue)),
                "{}",
                case.status.name
            );
            assert_eq!(agent.get(case.status, &case.index), None);
        }
    }
}

#[test]
fn create_and_wait_row_can_be_activated_after_required_columns_are_set() {
    for case in cases() {
        let mut agent = agent();
        agent.set(&[case.status(CREATE_AND_WAIT)]).unwrap();
        for (object, value) in &case.required {
            assert_eq!(agent.integer(case.status, &case.index), Some(3), "{}", case.status.name);
            if *object != &USM_USER_CLONE_FROM {
                assert_eq!(agent.get(object, &case.index), None, "{} has no value yet", object.name);
            }
            assert_eq!(agent.set(&[case.status(ACTIVE)]), Err((0, ErrorStatus::InconsistentValue)));
            assert_eq!(agent.set(&[case.status(NOT_IN_SERVICE)]), Err((0, ErrorStatus::InconsistentValue)));
            agent.set(&[(object, &case.index, value.as_value())]).unwrap();
        }
        assert_eq!(agent.integer(case.status, &case.index), Some(2), "{}", case.status.name);
        agent.set(&[case.status(ACTIVE)]).unwrap();
        assert_eq!(agent.integer(case.status, &case.index), Some(1));
    }
}

#[test]
fn active_row_can_be_taken_out_of_service_and_activated_again() {
    for case in cases() {
        let mut agent = agent();
        agent.set(&case.with_required(CREATE_AND_GO)).unwrap();
        agent.set(&[case.status(NOT_IN_SERVICE)]).unwrap();
        assert_eq!(agent.integer(case.status, &case.index), Some(2));
        agent.set(&[case.status(ACTIVE)]).unwrap();
        assert_eq!(agent.integer(case.status, &case.index), Some(1));
    }
}

#[test]
fn creating_existing_row_fails() {
    for case in cases() {
        let mut agent = agent();
        agent.set(&case.with_required(CREATE_AND_GO)).unwrap();
        for action in [CREATE_AND_GO, CREATE_AND_WAIT] {
            assert_eq!(agent.set(&[case.status(action)]), Err((0, ErrorStatus::InconsistentValue)));
        }
        assert_eq!(agent.integer(case.status, &case.index), Some(1));
    }
}

#[test]
fn destroy_removes_row_completely() {
    for case in cases() {
        let mut agent = agent();
        let records = agent.records().clone();
        agent.set(&case.with_required(CREATE_AND_GO)).unwrap();
        assert_eq!(agent.records().len(), records.len() + 1, "{}", case.status.name);
        agent.set(&[case.status(DESTROY)]).unwrap();
        for column in case.columns() {
            assert_eq!(agent.get(column, &case.index), None, "{}", column.name);
        }
        assert!(*agent.records() == records);
        // Destroying a missing row is not an error.
        assert_eq!(agent.set(&[case.status(DESTROY)]), Ok(()));
    }
}

#[test]
fn missing_row_cannot_be_activated_or_changed() {
    for case in cases() {
        let mut agent = agent();
        for action in [ACTIVE, NOT_IN_SERVICE] {
            assert_eq!(agent.set(&[case.status(action)]), Err((0, ErrorStatus::InconsistentValue)));
        }
        let volatile = (case.storage, &case.index[..], Value::Integer(2));
        assert_eq!(agent.set(&[volatile]), Err((0, ErrorStatus::InconsistentName)), "{}", case.storage.name);
    }
}

#[test]
fn set_with_conflicting_row_status_actions_is_rejected() {
    for case in cases() {
        let mut variables = case.with_required(CREATE_AND_GO);
        variables.push(case.status(DESTROY));
        let failing = variables.len() - 1;
        assert_eq!(agent().set(&variables), Err((failing, ErrorStatus::InconsistentValue)));
        variables.pop();
        variables.push(case.status(CREATE_AND_GO));
        assert_eq!(agent().set(&variables), Ok(()), "the same action twice is allowed");
    }
}

#[test]
fn nonvolatile_row_survives_restart_and_volatile_row_does_not() {
    for case in cases() {
        let mut agent = agent();
        agent.set(&case.with_required(CREATE_AND_GO)).unwrap();
        let mut again = agent.restarted();
        for column in case.columns() {
            assert_eq!(again.get(column, &case.index), agent.get(column, &case.index), "{}", column.name);
        }
        agent.set(&[(case.storage, &case.index, Value::Integer(2))]).unwrap();
        assert_eq!(agent.restarted().get(case.status, &case.index), None);
        agent.set(&[(case.storage, &case.index, Value::Integer(3))]).unwrap();
        assert_eq!(agent.restarted().integer(case.status, &case.index), Some(1));
    }
}

#[test]
fn incomplete_row_survives_restart() {
    for case in cases() {
        let mut agent = agent();
        agent.set(&[case.status(CREATE_AND_WAIT)]).unwrap();
        let expected = agent.integer(case.status, &case.index);
        assert_eq!(agent.restarted().integer(case.status, &case.index), expected);
    }
}

#[test]
fn rows_remain_consistent_after_random_actions() {
    let cases = cases();
    let mut agent = agent();
    let mut seed = 11_u32;
    let mut draw = |below: usize| {
        seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (seed >> 16) as usize % below
    };
    for _ in 0..3000 {
        let case = &cases[draw(cases.len())];
        let mut variables = Vec::new();
        for (object, value) in &case.required {
            if draw(2) == 0 {
                variables.push((*object, &case.index[..], value.as_value()));
            }
        }
        if draw(4) != 0 {
            let action = [ACTIVE, NOT_IN_SERVICE, CREATE_AND_GO, CREATE_AND_WAIT, DESTROY][draw(5)];
            variables.insert(draw(variables.len() + 1), case.status(action));
        }
        let before = agent.integer(case.status, &case.index);
        let outcome = agent.set(&variables);
        let after = agent.integer(case.status, &case.index);
        if outcome.is_err() {
            assert_eq!(before, after);
        }
        if matches!(after, Some(1 | 2)) {
            for (object, _) in &case.required {
                assert!(agent.get(object, &case.index).is_some(), "{} is missing", object.name);
            }
        }
        let stored = agent.records().len();
        let rows: usize = cases.iter().map(|case| agent.walk(case.status).len()).sum();
        assert_eq!(stored, rows - 1, "every row except the template is stored");
    }
}
