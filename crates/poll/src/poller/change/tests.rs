use std::time::Duration;

use portreeve_smi::{Timestamp, Value};

use super::{Change, Delta, History};

/// Returns the change between two responses that are received one minute apart.
fn change_between(
    first: (Option<u32>, Option<i32>, Value<'_>),
    second: (Option<u32>, Option<i32>, Value<'_>),
) -> Change {
    let mut history = History::default();
    history.update(Timestamp::from_secs(100), first.0, first.1, [first.2].into_iter());
    history.update(Timestamp::from_secs(160), second.0, second.1, [second.2].into_iter())
}

#[test]
fn time_between_counter_readings_is_measured_by_agent_uptime() {
    let change =
        change_between((Some(1000), None, Value::Counter32(5)), (Some(7100), None, Value::Counter32(12)));
    assert_eq!(change.elapsed, Some(Duration::from_secs(61)));
    assert_eq!(change.deltas, [Some(Delta { by: 7, wrapped: false })]);
}

#[test]
fn first_response_has_no_delta() {
    let change = History::default().update(Timestamp::ZERO, Some(1), None, [Value::Counter32(5)].into_iter());
    assert_eq!(change, Change { deltas: vec![None], ..Change::default() });
}

#[test]
fn delta_of_wrapped_counter_is_positive_and_marked_as_wrapped() {
    let change =
        change_between((Some(0), None, Value::Counter32(u32::MAX)), (Some(6000), None, Value::Counter32(4)));
    assert_eq!(change.deltas, [Some(Delta { by: 5, wrapped: true })]);
    let change =
        change_between((Some(0), None, Value::Counter64(u64::MAX)), (Some(6000), None, Value::Counter64(4)));
    assert_eq!(change.deltas, [Some(Delta { by: 5, wrapped: true })]);
}

#[test]
fn implausible_wrap_of_counter64_has_no_delta() {
    let change =
        change_between((Some(0), None, Value::Counter64(1 << 40)), (Some(6000), None, Value::Counter64(4)));
    assert_eq!(change.deltas, [None]);
}

#[test]
fn agent_restart_is_reported_without_delta() {
    for (first, second) in
        [((Some(90_000), None), (Some(500), None)), ((Some(0), Some(3)), (Some(9000), Some(4)))]
    {
        let change = change_between(
            (first.0, first.1, Value::Counter32(9)),
            (second.0, second.1, Value::Counter32(10)),
        );
        assert!(change.rebooted, "{first:?} {second:?}");
        assert_eq!((change.elapsed, change.deltas), (None, vec![None]));
    }
}

#[test]
fn wrap_of_agent_uptime_is_not_reported_as_restart() {
    let change = change_between(
        (Some(u32::MAX - 99), None, Value::Counter32(1)),
        (Some(5900), None, Value::Counter32(2)),
    );
    assert!(!change.rebooted);
    assert_eq!(change.elapsed, Some(Duration::from_secs(60)));
}

#[test]
fn gauge_value_has_no_delta() {
    let change = change_between((Some(0), None, Value::Gauge32(9)), (Some(6000), None, Value::Gauge32(4)));
    assert_eq!(change.deltas, [None]);
}
