use std::{hint::black_box, time::Duration};

use portreeve_mib::{LookupResult, LookupToken, ServedObjects};
use portreeve_smi::{Oid, OwnedValue};

use super::*;
use crate::{
    Collector, RefreshPolicy,
    interfaces::{
        IfCollect, Link, LinkKind,
        scripted::{ScriptedLinks, ethernet},
    },
};

const REFRESH: RefreshPolicy = RefreshPolicy { max_age: Duration::from_secs(1), token: LookupToken(1) };

fn collector(links: Vec<Link>) -> Collector<IfSnapshot> {
    let collect = IfCollect::new(ScriptedLinks::new(links), Timestamp::ZERO);
    Collector::start(collect, REFRESH, || Timestamp::ZERO, |_, _| {}).unwrap()
}

fn served(links: Vec<Link>) -> ServedObjects {
    ServedObjects::new(vec![Box::new(IfMib::new(collector(links).view()))]).unwrap()
}

fn value(served: &mut ServedObjects, object: &Object, index: &[u32]) -> Option<OwnedValue> {
    let mut name = object.oid();
    name.extend(index).unwrap();
    match served.get(&name) {
        LookupResult::Value(value) => Some(value.into()),
        LookupResult::NoSuchInstance => None,
        other => panic!("{other:?}"),
    }
}

/// Returns every instance by walking from start to end.
fn walk(served: &mut ServedObjects) -> Vec<(Oid, OwnedValue)> {
    let (mut found, mut name) = (Vec::new(), OidBuf::new());
    for leaf in 0..served.leaf_count() {
        let mut after = Vec::new();
        while let LookupResult::Value(value) = served.next_in_leaf(leaf, &after, &mut name) {
            let value = value.into();
            found.push((Oid::new(&name).unwrap(), value));
            after = name.to_vec();
        }
    }
    found
}

fn octets(text: &str) -> OwnedValue {
    OwnedValue::OctetString(text.as_bytes().to_vec())
}

#[test]
fn interface_values_match_kernel_link() {
    let link = Link { alias: b"to the roof".to_vec(), promiscuous: true, device: true, ..ethernet(7) };
    let mut served = served(vec![ethernet(2), link]);
    let expected: &[(&Object, OwnedValue)] = &[
        (&IF_INDEX, OwnedValue::Integer(7)),
        (&IF_DESCR, octets("eth7")),
        (&IF_TYPE, OwnedValue::Integer(6)),
        (&IF_MTU, OwnedValue::Integer(1500)),
        (&IF_SPEED, OwnedValue::Gauge32(u32::MAX)),
        (&IF_PHYS_ADDRESS, OwnedValue::OctetString(vec![2, 0, 0, 0, 0, 1])),
        (&IF_ADMIN_STATUS, OwnedValue::Integer(1)),
        (&IF_OPER_STATUS, OwnedValue::Integer(1)),
        (&IF_LAST_CHANGE, OwnedValue::TimeTicks(0)),
        (&IF_IN_OCTETS, OwnedValue::Counter32(7)),
        (&IF_IN_UCAST_PKTS, OwnedValue::Counter32(7)),
        (&IF_NAME, octets("eth7")),
        (&IF_IN_MULTICAST_PKTS, OwnedValue::Counter32(3)),
        (&IF_HC_IN_OCTETS, OwnedValue::Counter64((1 << 32) + 7)),
        (&IF_HC_IN_UCAST_PKTS, OwnedValue::Counter64(7)),
        (&IF_HIGH_SPEED, OwnedValue::Gauge32(10_000)),
        (&IF_PROMISCUOUS_MODE, OwnedValue::Integer(1)),
        (&IF_CONNECTOR_PRESENT, OwnedValue::Integer(1)),
        (&IF_ALIAS, octets("to the roof")),
    ];
    for (object, expected) in expected {
        assert_eq!(value(&mut served, object, &[7]).as_ref(), Some(expected), "{object:?}");
    }
}

#[test]
fn lookups_require_exact_index() {
    let mut served = served(vec![ethernet(2), ethernet(7)]);
    assert_eq!(value(&mut served, &IF_NUMBER, &[0]), Some(OwnedValue::Integer(2)));
    for (object, index) in [
        (&IF_NUMBER, &[][..]),
        (&IF_NUMBER, &[1]),
        (&IF_NUMBER, &[0, 0]),
        (&IF_DESCR, &[]),
        (&IF_DESCR, &[0]),
        (&IF_DESCR, &[3]),
        (&IF_DESCR, &[7, 0]),
        (&IF_DESCR, &[u32::MAX]),
        (&IF_STACK_STATUS, &[2]),
        (&IF_STACK_STATUS, &[7, 2]),
    ] {
        assert_eq!(value(&mut served, object, index), None, "{object:?} {index:?}");
    }
}

#[test]
fn if_stack_table_lists_bridge_above_port_and_entries_with_layer_0() {
    let bridge = Link { kind: LinkKind::Bridge, ..ethernet(1) };
    let mut served = served(vec![bridge, Link { master: Some(1), ..ethernet(2) }]);
    for index in [[0, 1], [1, 2], [2, 0]] {
        assert_eq!(value(&mut served, &IF_STACK_STATUS, &index), Some(OwnedValue::Integer(1)), "{index:?}");
    }
    assert_eq!(
        walk(&mut served).iter().filter(|(name, _)| name.starts_with(&IF_STACK_STATUS.oid())).count(),
        3
    );
}

#[test]
fn link_notifications_are_enabled_by_default_without_lower_layer() {
    let port = Link { master: Some(3), ..ethernet(2) };
    let bridge = Link { kind: LinkKind::Bridge, ..ethernet(3) };
    let mut served = served(vec![port, bridge]);
    let mut enabled = |index| value(&mut served, &IF_LINK_UP_DOWN_TRAP_ENABLE, &[index]);
    assert_eq!(enabled(2), Some(OwnedValue::Integer(1)));
    assert_eq!(enabled(3), Some(OwnedValue::Integer(2)));
}

#[test]
fn walk_returns_every_instance_once_in_order() {
    let mut served = served(vec![ethernet(4), ethernet(1), ethernet(300)]);
    let found = walk(&mut served);
    let columns = LEAVES.iter().filter(|(_, source)| matches!(source, LeafSource::Interface(_))).count();
    assert_eq!(found.len(), 3 + 3 * columns + 6);
    assert!(found.is_sorted_by(|(a, _), (b, _)| a < b));
    for (name, value) in &found {
        assert_eq!(served.get(name), LookupResult::Value(value.as_value()), "{name}");
    }
}

#[test]
fn every_value_matches_its_syntax() {
    let mut served = served(vec![ethernet(1)]);
    let mut name = OidBuf::new();
    for leaf in 0..served.leaf_count() {
        let object = served.leaf_object(leaf).unwrap();
        let LookupResult::Value(value) = served.next_in_leaf(leaf, &[], &mut name) else {
            panic!("{object:?} has no instance")
        };
        let checked = object.syntax().map(|syntax| syntax.check(&value));
        assert_eq!(checked, Some(Ok(())), "{object:?}: {value:?}");
    }
}

#[test]
fn if_alias_above_64_octets_is_cut_at_character_boundary() {
    let alias = "ü".repeat(40).into_bytes();
    let link = Link { alias: [b"x".to_vec(), alias].concat(), ..ethernet(1) };
    let Some(OwnedValue::OctetString(alias)) = value(&mut served(vec![link]), &IF_ALIAS, &[1]) else {
        panic!("no alias")
    };
    assert_eq!(String::from_utf8(alias).unwrap(), format!("x{}", "ü".repeat(31)));
}

#[test]
fn stale_snapshot_defers_every_lookup() {
    let collector = collector(vec![ethernet(1)]);
    let mut if_mib = IfMib::new(collector.view());
    if_mib.begin(&Arc::default(), Timestamp::from_secs(5));
    assert_eq!(if_mib.get(0, &[0]), Lookup::Later(LookupToken(1)));
    assert_eq!(if_mib.next(1, &[], &mut OidBuf::new()), Lookup::Later(LookupToken(1)));
}

/// Measures the time per row of a walk: it is constant if each lookup starts where the last one
/// ended.
#[test]
fn walk_time_is_linear_in_row_count() {
    let time_per_row = |rows: u32| {
        let mut if_mib = IfMib::new(collector((1..=rows).map(ethernet).collect()).view());
        let mut name = OidBuf::new();
        let walk = |if_mib: &mut IfMib, name: &mut OidBuf| {
            let mut index = vec![0];
            let mut count = 0;
            loop {
                name.clear();
                match if_mib.next(2, &index, name) {
                    Lookup::Value(value) => black_box(value),
                    _ => break count,
                };
                count += 1;
                index.copy_from_slice(name);
            }
        };
        assert_eq!(walk(&mut if_mib, &mut name), rows);
        let quickest = (0..5).map(|_| {
            let started = std::time::Instant::now();
            walk(&mut if_mib, &mut name);
            started.elapsed() / rows
        });
        quickest.min().unwrap()
    };
    let (few, many) = (time_per_row(500), time_per_row(10_000));
    println!("{few:?} a row of 500, {many:?} a row of 10 000");
    assert!(many < few * 4 + Duration::from_nanos(200), "{few:?} a row of 500, {many:?} a row of 10 000");
}
