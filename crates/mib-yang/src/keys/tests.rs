use portreeve_smi::OidBuf;
use portreeve_yang::{IntegerKind, NodeId, TypeKind};

use super::{Keys, Start, push_arcs};
use crate::{
    leafs::Leafs,
    table::Table,
    test_schema::{TestSchema, text},
};

/// Returns a schema with a list in a list, and its tables.
fn nested() -> (portreeve_yang::Schema, Vec<Table>) {
    let mut schema = TestSchema::new("m");
    let number = TypeKind::integer(IntegerKind::Int16);
    let outer = schema.list(NodeId::ROOT, "outer", &[("n", number)], "1");
    schema.list(outer, "inner", &[("t", text(0, 9)), ("b", TypeKind::Boolean)], "2");
    let schema = schema.build();
    let tables = Leafs::new(&schema).tables;
    (schema, tables)
}

#[test]
fn arcs_of_all_lists_become_one_key() {
    let (schema, tables) = nested();
    let lists = &tables[1].lists;
    let mut keys = Keys::default();
    assert!(keys.set(&schema, lists, &[5, 2, 97, 98, 1]));
    assert_eq!((&keys.octets[..], &keys.ends[..]), (&b"\x80\x05\x02ab\x01"[..], &[2, 6][..]));
    assert_eq!(keys.iter().collect::<Vec<_>>(), [&b"\x80\x05"[..], b"\x02ab\x01"]);
    assert_eq!((&keys.above().octets[..], &keys.above().ends[..]), (&b"\x80\x05"[..], &[2][..]));
    let mut name = OidBuf::from_arcs(&[9]).unwrap();
    push_arcs(&schema, lists, keys.iter(), &mut name).unwrap();
    assert_eq!(*name, [9, 5, 2, 97, 98, 1]);
    for arcs in [&[][..], &[5], &[5, 2, 97, 98], &[5, 2, 97, 98, 1, 0], &[40_000, 0, 1], &[5, 1, 256, 1]] {
        assert!(!keys.set(&schema, lists, arcs), "{arcs:?}");
    }
}

#[test]
fn entries_that_follow_arcs_begin_at_a_position() {
    let (schema, tables) = nested();
    let lists = &tables[1].lists;
    let seek = |arcs: &[u32]| {
        let mut keys = Keys::default();
        let start = keys.seek(&schema, lists, arcs)?;
        Some((start, keys.octets, keys.ends))
    };
    let at = |octets: &[u8], ends: &[usize]| Some((Start::At, octets.to_vec(), ends.to_vec()));
    // Negative numbers have no arcs.
    assert_eq!(seek(&[]), at(b"\x80\x00", &[]));
    assert_eq!(seek(&[5]), at(b"\x80\x05", &[2]));
    assert_eq!(seek(&[5, 1]), at(b"\x80\x05\x01", &[2]));
    assert_eq!(seek(&[5, 1, 97]), at(b"\x80\x05\x01a", &[2]));
    // No entry within 5 follows: the next one of the outer list.
    assert_eq!(seek(&[5, u32::MAX, 300]), at(b"\x80\x06", &[]));
    assert_eq!(seek(&[255, u32::MAX, 300]), at(b"\x81", &[]));
    assert_eq!(seek(&[32767, u32::MAX, 300]), None);
    assert_eq!(seek(&[40_000]), None);
    let complete = Some((Start::After, b"\x80\x05\x01a\x02".to_vec(), vec![2, 5]));
    assert_eq!(seek(&[5, 1, 97, 2]), complete);
    assert_eq!(seek(&[5, 1, 97, 2, 0, 7]), complete);
}

#[test]
fn entry_has_no_name_if_it_is_too_long_or_negative() {
    let (schema, tables) = nested();
    let lists = &tables[1].lists;
    let mut keys = Keys::default();
    keys.push(b"\x7F\xFF");
    keys.push(b"\x01a\x01");
    let mut name = OidBuf::new();
    assert_eq!(push_arcs(&schema, lists, keys.iter(), &mut name), None);
    let long = [&[124][..], &[97; 124], &[1]].concat();
    keys.clear();
    keys.push(b"\x80\x01");
    keys.push(&long);
    assert_eq!(push_arcs(&schema, lists, keys.iter(), &mut name), Some(()));
    assert_eq!(name.len(), 127);
    let mut name = OidBuf::from_arcs(&[1, 3]).unwrap();
    assert_eq!(push_arcs(&schema, lists, keys.iter(), &mut name), None);
    assert_eq!(*name, [1, 3], "the name is unchanged");
}
