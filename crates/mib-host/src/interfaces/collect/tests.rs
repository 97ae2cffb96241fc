use portreeve_smi::Timestamp;

use super::*;
use crate::interfaces::{
    Link, LinkKind, OperStatus,
    scripted::{ScriptedLinks, ethernet},
};

/// Collects the links of `script`, one entry per second from second 0, and returns the last
/// snapshot.
fn collected(script: &[Vec<Link>]) -> IfSnapshot {
    let source = ScriptedLinks::new(Vec::new());
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
fn rows_are_sorted_by_if_index_without_duplicates() {
    let snapshot = collected(&[vec![ethernet(9), ethernet(2), ethernet(9), ethernet(5)]]);
    let indexes: Vec<u32> = snapshot.interfaces.iter().map(|row| row.link.index).collect();
    assert_eq!(indexes, [2, 5, 9]);
}

#[test]
fn interfaces_present_at_start_have_timestamps_of_zero() {
    let snapshot = collected(&[vec![ethernet(1)], vec![ethernet(1)]]);
    let row = &snapshot.interfaces[0];
    assert_eq!((row.last_change, row.discontinuity), (0, 0));
    assert_eq!((snapshot.table_last_change, snapshot.stack_last_change), (0, 0));
}

#[test]
fn new_interface_updates_its_own_and_table_timestamps() {
    let snapshot =
        collected(&[vec![ethernet(1)], vec![ethernet(1), ethernet(4)], vec![ethernet(1), ethernet(4)]]);
    let row = snapshot.interface(4).unwrap();
    assert_eq!((row.last_change, row.discontinuity), (100, 100));
    assert_eq!((snapshot.table_last_change, snapshot.stack_last_change), (100, 100));
    assert_eq!(snapshot.interface(1).unwrap().last_change, 0);
}

#[test]
fn removed_interface_updates_table_timestamps() {
    let snapshot = collected(&[vec![ethernet(1), ethernet(4)], vec![ethernet(1)]]);
    assert_eq!((snapshot.table_last_change, snapshot.stack_last_change), (100, 100));
}

#[test]
fn interface_state_change_is_detected_even_if_already_reverted() {
    let down = Link { status: OperStatus::Down, ..ethernet(1) };
    assert_eq!(collected(&[vec![ethernet(1)], vec![down]]).interfaces[0].last_change, 100);
    let flapped = Link { carrier_changes: 2, ..ethernet(1) };
    assert_eq!(collected(&[vec![ethernet(1)], vec![flapped]]).interfaces[0].last_change, 100);
}

#[test]
fn decreasing_counter_updates_counter_discontinuity_time() {
    let mut fallen = ethernet(1);
    fallen.counters.in_octets = 1;
    let row = &collected(&[vec![ethernet(1)], vec![fallen]]).interfaces[0];
    assert_eq!((row.last_change, row.discontinuity), (0, 100));
}

#[test]
fn interface_without_stacking_has_0_as_higher_and_lower_layer() {
    assert_eq!(stack(vec![ethernet(3)]), [[0, 3], [3, 0]]);
}

#[test]
fn if_stack_has_bridge_above_its_ports_and_vlan_above_its_link() {
    let bridge = Link { kind: LinkKind::Bridge, ..ethernet(1) };
    let port = |index| Link { master: Some(1), ..ethernet(index) };
    let vlan = Link { kind: LinkKind::Vlan, lower: Some(1), ..ethernet(4) };
    assert_eq!(stack(vec![bridge, port(2), port(3), vlan]), [[0, 4], [1, 2], [1, 3], [2, 0], [3, 0], [4, 1]]);
}

#[test]
fn ends_of_veth_pair_are_not_stacked_on_each_other() {
    let end = |index, peer| Link { kind: LinkKind::Pair, lower: Some(peer), ..ethernet(index) };
    assert_eq!(stack(vec![end(1, 2), end(2, 1)]), [[0, 1], [0, 2], [1, 0], [2, 0]]);
}

#[test]
fn stack_ignores_relation_to_interface_that_is_not_listed() {
    let port = Link { master: Some(99), lower: Some(98), ..ethernet(2) };
    assert_eq!(stack(vec![port]), [[0, 2], [2, 0]]);
}

#[test]
fn snapshot_in_reused_memory_does_not_contain_old_rows() {
    let source = ScriptedLinks::new(vec![ethernet(1), ethernet(2), ethernet(3)]);
    let mut collect = IfCollect::new(source.clone(), Timestamp::ZERO);
    let (mut reused, empty) = (IfSnapshot::default(), IfSnapshot::default());
    collect.collect(Timestamp::ZERO, &empty, &mut reused).unwrap();
    source.set(Some(vec![Link { index: 7, ..Link::default() }]));
    collect.collect(Timestamp::ZERO, &empty, &mut reused).unwrap();
    assert_eq!(reused.interfaces.len(), 1);
    assert_eq!(reused.interfaces[0].link, Link { index: 7, ..Link::default() });
    assert_eq!(reused.stack.len(), 2);
}
