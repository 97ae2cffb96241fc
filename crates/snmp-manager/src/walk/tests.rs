use portreeve_smi::ber::{ForwardWriter, Reader, ReverseWriter};
use portreeve_snmp_message::{Pdu, PduType, prepend_pdu};

use super::{fast::tests::FakeAgent, *};

pub(super) const ROOT: &[u32] = &[1, 3, 6, 1, 2];

pub(super) fn response(error_status: i32, binds: &[(&[u32], Value<'_>)]) -> Response {
    let mut list = vec![0; 60_000];
    let mut forward = ForwardWriter::new(&mut list);
    for (name, value) in binds {
        forward.var_bind(name, value).unwrap();
    }
    let mut buffer = vec![0; 60_000];
    let mut writer = ReverseWriter::new(&mut buffer);
    writer.raw(forward.written()).unwrap();
    prepend_pdu(&mut writer, PduType::Response, 1, error_status, 0).unwrap();
    Response::from_pdu(&Pdu::parse(&mut Reader::new(writer.written())).unwrap(), Vec::new())
}

fn below(arcs: &[u32]) -> Vec<u32> {
    [ROOT, arcs].concat()
}

/// Walks the names that `successor` returns, sequentially and fast, and asserts that both visit the
/// same number of names and end alike.
fn walk(options: WalkOptions, successor: impl Fn(&[u32]) -> Vec<u32>) -> (u64, Result<WalkEnd, WalkError>) {
    let one_by_one = walk_one_by_one(options.clone(), &successor);
    let mut agent = FakeAgent::from_successor(|name| Some(successor(name)));
    assert_eq!(agent.walk(FastWalk::new(ROOT, options)), one_by_one);
    one_by_one
}

fn walk_one_by_one(
    options: WalkOptions,
    successor: &impl Fn(&[u32]) -> Vec<u32>,
) -> (u64, Result<WalkEnd, WalkError>) {
    let mut walk = Walk::new(ROOT, options);
    let mut visited = 0;
    loop {
        let next = successor(walk.order_checker.last());
        match walk.accept(&response(0, &[(&next, Value::Integer(1))]), |_| visited += 1) {
            Ok(WalkProgress::More) => {}
            Ok(WalkProgress::Done(end)) => return (visited, Ok(end)),
            Err(error) => return (visited, Err(error)),
        }
    }
}

/// Returns the successor of a name in an endless column of increasing numbers.
fn numbered(name: &[u32]) -> Vec<u32> {
    match name.strip_prefix(ROOT) {
        Some([n]) => below(&[n + 1]),
        _ => below(&[0]),
    }
}

fn unchecked() -> WalkOptions {
    WalkOptions { check_increasing: false, ..WalkOptions::default() }
}

#[test]
fn walk_ends_at_end_of_subtree() {
    let successor = |name: &[u32]| match name.len() {
        length if length < 8 => [name, &[1]].concat(),
        _ => vec![1, 3, 6, 1, 3],
    };
    assert_eq!(walk(WalkOptions::default(), successor), (3, Ok(WalkEnd::LeftSubtree)));
}

#[test]
fn walk_ends_before_given_end_name() {
    let end = Some(OidBuf::from_arcs(&[1, 3, 6, 1, 4, 3]).unwrap());
    let successor = |name: &[u32]| match name {
        [1, 3, 6, 1, 4, n] => vec![1, 3, 6, 1, 4, n + 1],
        _ => vec![1, 3, 6, 1, 4, 0],
    };
    assert_eq!(walk(WalkOptions { end, ..WalkOptions::default() }, successor), (3, Ok(WalkEnd::LeftSubtree)));
}

#[test]
fn end_of_mib_view_and_no_such_name_end_the_walk() {
    let mut walk = Walk::new(ROOT, WalkOptions::default());
    let mut seen = 0;
    let at_end = response(0, &[(ROOT, Value::EndOfMibView)]);
    assert_eq!(walk.accept(&at_end, |_| seen += 1), Ok(WalkProgress::Done(WalkEnd::EndOfMibView)));
    assert_eq!(seen, 1);
    let no_such_name = response(2, &[(ROOT, Value::Null)]);
    assert_eq!(walk.accept(&no_such_name, |_| seen += 1), Ok(WalkProgress::Done(WalkEnd::NoSuchName)));
    assert_eq!((seen, walk.found()), (1, 0));
}

#[test]
fn error_status_other_than_no_such_name_or_too_big_fails_the_walk() {
    let mut walk = Walk::new(ROOT, WalkOptions::default());
    for status in [5, 16, 19, i32::MAX, -1] {
        let error = walk.accept(&response(status, &[]), |_| ()).unwrap_err();
        assert_eq!(error, WalkError::ErrorStatus(status));
    }
}

#[test]
fn too_big_response_halves_max_repetitions_and_fails_walk_at_one() {
    let mut walk = Walk::new(ROOT, WalkOptions { max_repetitions: Some(10), ..WalkOptions::default() });
    let mut request = Request::new(Operation::Get);
    for expected in [10, 5, 2, 1] {
        walk.next_request(&mut request);
        let bulk = Operation::GetBulk { non_repeaters: 0, max_repetitions: expected };
        assert_eq!(request.operation(), bulk);
        let outcome = walk.accept(&response(1, &[]), |_| ());
        assert_eq!(outcome.is_err(), expected == 1);
    }
}

#[test]
fn empty_response_halves_max_repetitions_and_ends_walk_at_one() {
    let mut walk = Walk::new(ROOT, WalkOptions { max_repetitions: Some(4), ..WalkOptions::default() });
    let empty = response(0, &[]);
    for _ in 0..2 {
        assert_eq!(walk.accept(&empty, |_| ()), Ok(WalkProgress::More));
    }
    assert_eq!(walk.accept(&empty, |_| ()), Ok(WalkProgress::Done(WalkEnd::LeftSubtree)));
}

#[test]
fn m6_endless_walk_fails_at_given_variable_limit() {
    let options = WalkOptions { max_variables: Some(1000), ..WalkOptions::default() };
    assert_eq!(walk(options, numbered), (1000, Err(WalkError::TooManyVariables)));
}

#[test]
fn walk_without_limit_visits_every_variable_of_large_subtree() {
    const VARIABLES: u32 = 501_000;
    let successor = |name: &[u32]| match name.strip_prefix(ROOT) {
        Some([last]) if *last == VARIABLES - 1 => vec![1, 3, 6, 1, 3],
        _ => numbered(name),
    };
    let mut agent = FakeAgent::from_successor(|name| Some(successor(name)));
    let outcome = agent.walk(FastWalk::new(ROOT, WalkOptions::default()));
    assert_eq!(outcome, (u64::from(VARIABLES), Ok(WalkEnd::LeftSubtree)));
    let mut walk = Walk::new(ROOT, WalkOptions::default());
    for first in (0..VARIABLES).step_by(1000) {
        let names: Vec<_> = (first..first + 1000).map(|number| below(&[number])).collect();
        let binds: Vec<_> = names.iter().map(|name| (name.as_slice(), Value::Integer(1))).collect();
        assert_eq!(walk.accept(&response(0, &binds), |_| ()), Ok(WalkProgress::More));
    }
    assert_eq!(walk.found(), u64::from(VARIABLES));
}

#[test]
fn m7_walk_with_repeated_name_fails() {
    let same = |_: &[u32]| below(&[1]);
    let (visited, result) = walk(WalkOptions::default(), same);
    assert_eq!(visited, 2);
    assert!(matches!(result, Err(WalkError::NotIncreasing { .. })));
    let (visited, result) = walk(unchecked(), same);
    assert!(visited < 100, "{visited}");
    assert!(matches!(result, Err(WalkError::Loop { .. })));
}

#[test]
fn m8_walk_with_decreasing_names_fails() {
    let down = |name: &[u32]| match name.strip_prefix(ROOT) {
        Some([n]) => below(&[n - 1]),
        _ => below(&[500]),
    };
    let (visited, result) = walk(WalkOptions::default(), down);
    assert_eq!(visited, 2);
    let expected = WalkError::NotIncreasing {
        previous: Oid::new(&below(&[500])).unwrap(),
        found: Oid::new(&below(&[499])).unwrap(),
    };
    assert_eq!(result, Err(expected));
}

#[test]
fn m9_looping_walk_fails_even_if_order_is_not_checked() {
    let round = |name: &[u32]| match name.strip_prefix(ROOT) {
        Some([n]) => below(&[(n + 1) % 1000]),
        _ => below(&[7]),
    };
    let (visited, result) = walk(unchecked(), round);
    assert!((1000..5000).contains(&visited), "{visited}");
    assert!(matches!(result, Err(WalkError::Loop { .. })));
}

#[test]
fn m10_walk_with_ever_longer_names_fails() {
    // No name may have more than 128 arcs, so the agent then repeats the longest name.
    let deeper = |name: &[u32]| if name.len() < 128 { [name, &[0]].concat() } else { name.to_vec() };
    let (visited, result) = walk(WalkOptions::default(), deeper);
    assert_eq!(visited, 124);
    assert!(matches!(result, Err(WalkError::NotIncreasing { .. })));
}

#[test]
fn unordered_names_in_one_getbulk_response_fail_the_walk() {
    let mut walk = Walk::new(ROOT, WalkOptions { max_repetitions: Some(3), ..WalkOptions::default() });
    let one = Value::Integer(1);
    let response = response(0, &[(&below(&[1]), one), (&below(&[3]), one), (&below(&[2]), one)]);
    let mut seen = 0;
    assert!(matches!(walk.accept(&response, |_| seen += 1), Err(WalkError::NotIncreasing { .. })));
    assert_eq!(seen, 3);
}
