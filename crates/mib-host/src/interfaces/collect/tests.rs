use portreeve_smi::Timestamp;

use super::*;
use crate::interfaces::{
    Link, LinkKind, OperStatus,
    scripted::{Scripted, ethernet},
};

/// Collects what `script` shows at each second, from second 0, and yields the last snapshot.
fn collected(script: &[Vec<Link>]) -> IfSnapshot {
    let source = Scripted::new(Vec::new());
    let mut collect = IfCollect::new(source.clone(), Timestamp::ZERO);
    let mut last = IfSnapshot::default();
    for (second, links) in (0..).zip(script) {
        source.set(Some(links.clone()));
        let mut next = IfSnapshot::default();
        collect.collect(Timestamp::from_secs(second), &last, &mut next).unwrap();
        last = next;
    }
    last
}

fn stack(links: Vec<Link>) -> Vec<[u32; 2]> {
    collected(&[links]).stack.iter().map(|entry| entry.index).collect()
}

#[test]
fn rows_come_in_order_of_if_index_and_once_each() {
    let snapshot = collected(&[vec![ethernet(9), ethernet(2), ethernet(9), ethernet(5)]]);
    let indexes: Vec<u32> = snapshot.interfaces.iter().map(|row| row.link.index).collect();
    assert_eq!(indexes, [2, 5, 9]);
}

#[test]
fn what_was_there_at_the_start_is_dated_zero() {
    let snapshot = collected(&[vec![ethernet(1)], vec![ethernet(1)]]);
    let row = &snapshot.interfaces[0];
    assert_eq!((row.last_change, row.discontinuity), (0, 0));
    assert_eq!((snapshot.table_last_change, snapshot.stack_last_change), (0, 0));
}

#[test]
fn an_interface_that_appears_is_dated_with_its_tables() {
    let snapshot =
        collected(&[vec![ethernet(1)], vec![ethernet(1), ethernet(4)], vec![ethernet(1), ethernet(4)]]);
    let row = snapshot.interface(4).unwrap();
    assert_eq!((row.last_change, row.discontinuity), (100, 100));
    assert_eq!((snapshot.table_last_change, snapshot.stack_last_change), (100, 100));
    assert_eq!(snapshot.interface(1).unwrap().last_change, 0);
}

#[test]
fn an_interface_that_goes_away_changes_its_tables() {
    let snapshot = collected(&[vec![ethernet(1), ethernet(4)], vec![ethernet(1)]]);
    assert_eq!((snapshot.table_last_change, snapshot.stack_last_change), (100, 100));
}

#[test]
fn a_change_of_state_is_dated_even_if_it_was_over_before_anybody_looked() {
    let down = Link { status: OperStatus::Down, ..ethernet(1) };
    assert_eq!(collected(&[vec![ethernet(1)], vec![down]]).interfaces[0].last_change, 100);
    let flapped = Link { carrier_changes: 2, ..ethernet(1) };
    assert_eq!(collected(&[vec![ethernet(1)], vec![flapped]]).interfaces[0].last_change, 100);
}

#[test]
fn counters_that_fall_are_a_discontinuity() {
    let mut fallen = ethernet(1);
    fallen.counters.in_octets = 1;
    let row = &collected(&[vec![ethernet(1)], vec![fallen]]).interfaces[0];
    assert_eq!((row.last_change, row.discontinuity), (0, 100));
}

#[test]
fn a_lone_interface_lies_between_nothing_and_nothing() {
    assert_eq!(stack(vec![ethernet(3)]), [[0, 3], [3, 0]]);
}

#[test]
fn a_bridge_lies_above_its_ports_and_a_vlan_above_its_link() {
    let bridge = Link { kind: LinkKind::Bridge, ..ethernet(1) };
    let port = |index| Link { master: Some(1), ..ethernet(index) };
    let vlan = Link { kind: LinkKind::Vlan, lower: Some(1), ..ethernet(4) };
    assert_eq!(stack(vec![bridge, port(2), port(3), vlan]), [[0, 4], [1, 2], [1, 3], [2, 0], [3, 0], [4, 1]]);
}

#[test]
fn the_ends_of_a_pair_lie_beside_each_other() {
    let end = |index, peer| Link { kind: LinkKind::Pair, lower: Some(peer), ..ethernet(index) };
    assert_eq!(stack(vec![end(1, 2), end(2, 1)]), [[0, 1], [0, 2], [1, 0], [2, 0]]);
}

#[test]
fn a_relation_to_an_interface_out_of_sight_is_none() {
    let port = Link { master: Some(99), lower: Some(98), ..ethernet(2) };
    assert_eq!(stack(vec![port]), [[0, 2], [2, 0]]);
}

#[test]
fn left_over_rows_do_not_shine_through() {
    let source = Scripted::new(vec![ethernet(1), ethernet(2), ethernet(3)]);
    let mut collect = IfCollect::new(source.clone(), Timestamp::ZERO);
    let (mut reused, empty) = (IfSnapshot::default(), IfSnapshot::default());
    collect.collect(Timestamp::ZERO, &empty, &mut reused).unwrap();
    source.set(Some(vec![Link { index: 7, ..Link::default() }]));
    collect.collect(Timestamp::ZERO, &empty, &mut reused).unwrap();
    assert_eq!(reused.interfaces.len(), 1);
    assert_eq!(reused.interfaces[0].link, Link { index: 7, ..Link::default() });
    assert_eq!(reused.stack.len(), 2);
}
