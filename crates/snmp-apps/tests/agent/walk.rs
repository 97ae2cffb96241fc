//! What a walk of a long table costs: counted in rows looked at, not in time.

use std::sync::atomic::Ordering;

use portreeve_mib::modules::if_mib;
use portreeve_smi::{Oid, OwnedValue, TransportDomain};

use crate::support::{
    agent::{Agent, Heard, Parts, over},
    answer::Answer,
    ask::{Ask, get, get_bulk, get_next},
    names::instance,
    shelf::Shelf,
};

const ROWS: u32 = 10_000;

/// Walks ifInOctets of a table with this many rows, and returns how many rows the module looked at.
fn cost_of_a_walk(rows: u32, step: impl Fn(&Oid) -> Ask) -> usize {
    let shelf = Shelf::default()
        .column(&if_mib::IF_IN_OCTETS, (1..=rows).map(|row| (vec![row], OwnedValue::Counter32(row))));
    let visits = shelf.visits();
    let mut agent = Parts::new().module(shelf).agent();
    let mut at = Oid::new(if_mib::IF_IN_OCTETS.arcs()).unwrap();
    let mut seen = 0;
    loop {
        let answer = ask(&mut agent, &step(&at));
        for (name, value) in answer.var_binds {
            if value == OwnedValue::EndOfMibView {
                assert_eq!(seen, rows);
                return visits.load(Ordering::Relaxed);
            }
            seen += 1;
            assert_eq!(
                (name.clone(), value),
                (instance(&if_mib::IF_IN_OCTETS, &[seen]), OwnedValue::Counter32(seen))
            );
            at = name;
        }
    }
}

fn ask(agent: &mut Agent, ask: &Ask) -> Answer {
    match agent.hear_over(&over(TransportDomain::Tcp), 65_535, &ask.v2c("public")) {
        Heard::Reply(reply) => Answer::of(&reply),
        other => panic!("no answer but {other:?}"),
    }
}

#[test]
fn a_walk_by_get_next_looks_at_each_row_a_bounded_number_of_times() {
    let step = |at: &Oid| get_next(std::slice::from_ref(at));
    let (short, long) = (cost_of_a_walk(ROWS / 10, step), cost_of_a_walk(ROWS, step));
    assert!(long <= 10 * short + 100, "{short} for a tenth, {long} for all");
    assert!(long <= 8 * ROWS as usize, "{long}");
}

#[test]
fn a_walk_by_get_bulk_looks_at_each_row_a_bounded_number_of_times() {
    for repetitions in [1, 50, 5000] {
        let cost = cost_of_a_walk(ROWS, |at| get_bulk(0, repetitions, std::slice::from_ref(at)));
        assert!(cost <= 8 * ROWS as usize, "{repetitions}: {cost}");
    }
}

#[test]
fn a_get_of_any_row_looks_at_few() {
    let shelf = Shelf::default()
        .column(&if_mib::IF_IN_OCTETS, (1..=ROWS).map(|row| (vec![row], OwnedValue::Counter32(row))));
    let visits = shelf.visits();
    let mut agent = Parts::new().module(shelf).agent();
    for row in [1, ROWS, ROWS / 2, 17, 9_999] {
        let before = visits.load(Ordering::Relaxed);
        assert_eq!(
            agent.v2c(&get(&[instance(&if_mib::IF_IN_OCTETS, &[row])])).value(),
            OwnedValue::Counter32(row)
        );
        assert!(visits.load(Ordering::Relaxed) - before < 40);
    }
}
