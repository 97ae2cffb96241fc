//! The cost of walking a long table, measured in visited rows and not in time.

use std::sync::atomic::Ordering;

use portreeve_mib::modules::if_mib;
use portreeve_smi::{Oid, OwnedValue, TransportDomain};

use crate::support::{
    agent::{AgentBuilder, Outcome, TestAgent, over},
    names::instance,
    response::TestResponse,
    static_module::StaticModule,
    test_pdu::{TestPdu, get, get_bulk, get_next},
};

const ROWS: u32 = 10_000;

/// Walks ifInOctets of a table with this many rows, and returns the number of visited rows.
fn walk_cost(rows: u32, step: impl Fn(&Oid) -> TestPdu) -> usize {
    let static_module = StaticModule::default()
        .column(&if_mib::IF_IN_OCTETS, (1..=rows).map(|row| (vec![row], OwnedValue::Counter32(row))));
    let visits = static_module.visits();
    let mut agent = AgentBuilder::new().module(static_module).build();
    let mut at = Oid::new(if_mib::IF_IN_OCTETS.arcs()).unwrap();
    let mut seen = 0;
    loop {
        let response = request_over_tcp(&mut agent, &step(&at));
        for (name, value) in response.var_binds {
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

fn request_over_tcp(agent: &mut TestAgent, pdu: &TestPdu) -> TestResponse {
    match agent.handle_over(&over(TransportDomain::Tcp), 65_535, &pdu.v2c("public")) {
        Outcome::Reply(reply) => TestResponse::of(&reply),
        other => panic!("no response but {other:?}"),
    }
}

#[test]
fn get_next_walk_visits_each_row_a_bounded_number_of_times() {
    let step = |at: &Oid| get_next(std::slice::from_ref(at));
    let (short, long) = (walk_cost(ROWS / 10, step), walk_cost(ROWS, step));
    assert!(
        long <= 10 * short + 100,
        "{short} rows visited in a tenth of the table, {long} in the whole table"
    );
    assert!(long <= 8 * ROWS as usize, "{long}");
}

#[test]
fn get_bulk_walk_visits_each_row_a_bounded_number_of_times() {
    for repetitions in [1, 50, 5000] {
        let cost = walk_cost(ROWS, |at| get_bulk(0, repetitions, std::slice::from_ref(at)));
        assert!(cost <= 8 * ROWS as usize, "{repetitions}: {cost}");
    }
}

#[test]
fn get_of_any_row_visits_fewer_than_40_rows() {
    let static_module = StaticModule::default()
        .column(&if_mib::IF_IN_OCTETS, (1..=ROWS).map(|row| (vec![row], OwnedValue::Counter32(row))));
    let visits = static_module.visits();
    let mut agent = AgentBuilder::new().module(static_module).build();
    for row in [1, ROWS, ROWS / 2, 17, 9_999] {
        let before = visits.load(Ordering::Relaxed);
        assert_eq!(
            agent.request_v2c(&get(&[instance(&if_mib::IF_IN_OCTETS, &[row])])).value(),
            OwnedValue::Counter32(row)
        );
        assert!(visits.load(Ordering::Relaxed) - before < 40);
    }
}
