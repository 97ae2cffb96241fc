use std::time::Duration;

use portreeve_smi::{Timestamp, Value};

use super::{Change, Delta, History};

/// Two answers, a minute apart.
fn after(
    first: (Option<u32>, Option<i32>, Value<'_>),
    second: (Option<u32>, Option<i32>, Value<'_>),
) -> Change {
    let mut history = History::default();
    history.absorb(Timestamp::from_secs(100), first.0, first.1, [first.2].into_iter());
    history.absorb(Timestamp::from_secs(160), second.0, second.1, [second.2].into_iter())
}

#[test]
fn a_counter_grows_by_the_difference_over_the_agents_own_time() {
    let change = after((Some(1000), None, Value::Counter32(5)), (Some(7100), None, Value::Counter32(12)));
    assert_eq!(change.elapsed, Some(Duration::from_secs(61)));
    assert_eq!(change.deltas, [Some(Delta { by: 7, wrapped: false })]);
}

#[test]
fn the_first_answer_has_nothing_to_differ_from() {
    let change = History::default().absorb(Timestamp::ZERO, Some(1), None, [Value::Counter32(5)].into_iter());
    assert_eq!(change, Change { deltas: vec![None], ..Change::default() });
}

#[test]
fn a_counter_that_passes_its_end_has_wrapped() {
    let change = after((Some(0), None, Value::Counter32(u32::MAX)), (Some(6000), None, Value::Counter32(4)));
    assert_eq!(change.deltas, [Some(Delta { by: 5, wrapped: true })]);
    let change = after((Some(0), None, Value::Counter64(u64::MAX)), (Some(6000), None, Value::Counter64(4)));
    assert_eq!(change.deltas, [Some(Delta { by: 5, wrapped: true })]);
}

#[test]
fn a_64_bit_counter_that_falls_from_the_middle_tells_nothing() {
    let change = after((Some(0), None, Value::Counter64(1 << 40)), (Some(6000), None, Value::Counter64(4)));
    assert_eq!(change.deltas, [None]);
}

#[test]
fn a_restart_is_marked_and_nothing_is_counted_across_it() {
    for (first, second) in
        [((Some(90_000), None), (Some(500), None)), ((Some(0), Some(3)), (Some(9000), Some(4)))]
    {
        let change =
            after((first.0, first.1, Value::Counter32(9)), (second.0, second.1, Value::Counter32(10)));
        assert!(change.rebooted, "{first:?} {second:?}");
        assert_eq!((change.elapsed, change.deltas), (None, vec![None]));
    }
}

#[test]
fn an_up_time_that_passes_its_end_is_no_restart() {
    let change =
        after((Some(u32::MAX - 99), None, Value::Counter32(1)), (Some(5900), None, Value::Counter32(2)));
    assert!(!change.rebooted);
    assert_eq!(change.elapsed, Some(Duration::from_secs(60)));
}

#[test]
fn a_gauge_has_no_growth() {
    let change = after((Some(0), None, Value::Gauge32(9)), (Some(6000), None, Value::Gauge32(4)));
    assert_eq!(change.deltas, [None]);
}
