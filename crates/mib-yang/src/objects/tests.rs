use std::{collections::BTreeMap, sync::Arc};

use portreeve_smi::{OwnedValue, Value};
use portreeve_yang::{Bit, IntegerKind, NodeId, NodeKind, Schema, TypeKind};
use portreeve_yang_tree::{Editor, Operation, Tree};
use proptest::prelude::*;

use super::VISITED_ROWS;
use crate::{
    test_agent::{TestAgent, octets},
    test_schema::{TestSchema, length, stair, text},
};

/// Returns a tree with entries of a top-level list: the texts of its leafs in schema order.
fn tree(schema: &Schema, entries: &[&[Option<&str>]]) -> Tree {
    let schema = Arc::new(schema.clone());
    let list = schema.children(NodeId::ROOT)[0];
    let mut editor = Editor::new(Arc::clone(&schema), &Tree::new(), Operation::Merge);
    for entry in entries {
        editor.open(list, None, None).unwrap();
        for (leaf, value) in schema.children(list).iter().zip(*entry) {
            if let Some(value) = value {
                editor.leaf(*leaf, None, Some(value)).unwrap();
            }
        }
        editor.close().unwrap();
    }
    editor.finish().unwrap()
}

/// Returns a schema with a list of these keys and a text.
fn list_of(keys: &[(&str, TypeKind)]) -> Schema {
    let mut schema = TestSchema::new("m");
    let list = schema.list(NodeId::ROOT, "list", keys, "1");
    schema.leaf(list, "value", text(0, 100), "1.9");
    schema.build()
}

#[test]
fn partial_foreign_and_long_names_have_the_right_successors() {
    let schema = list_of(&[("number", TypeKind::integer(IntegerKind::Int32)), ("name", text(0, 255))]);
    let entries: [&[Option<&str>]; 6] = [
        &[Some("-3"), Some("a"), Some("negative")],
        &[Some("0"), Some("b"), Some("1")],
        &[Some("0"), Some("aa"), Some("2")],
        &[Some("0"), Some(&"c".repeat(200)), Some("too long")],
        &[Some("5"), Some(""), Some("3")],
        &[Some("5"), Some("ä"), Some("4")],
    ];
    let tree = tree(&schema, &entries);
    let mut agent = TestAgent::with_tree(schema, tree);
    let names: [&[u32]; 4] = [&[0, 1, 98], &[0, 2, 97, 97], &[5, 0], &[5, 2, 0xC3, 0xA4]];
    let after = |agent: &mut TestAgent, index: &[u32]| {
        let next = agent.next(&[&[1, 9][..], index].concat());
        next.map(|(name, _)| name[2..].to_vec())
    };
    for (index, expected) in [
        (&[][..], Some(0)),
        (&[0], Some(0)),
        (&[0, 0], Some(0)),
        (&[0, 1], Some(0)),
        (&[0, 1, 97], Some(0)),
        (&[0, 1, 97, 7], Some(0)),
        (&[0, 1, 98], Some(1)),
        (&[0, 1, 98, 0], Some(1)),
        (&[0, 1, 300], Some(1)),
        (&[0, 2], Some(1)),
        (&[0, 2, 97], Some(1)),
        (&[0, 2, 97, 97], Some(2)),
        (&[0, 200, 99], Some(2)),
        (&[0, u32::MAX], Some(2)),
        (&[0, u32::MAX, u32::MAX], Some(2)),
        (&[1], Some(2)),
        (&[5, 0], Some(3)),
        (&[5, 2, 0xC3], Some(3)),
        (&[5, 2, 0xC3, 0xA4, 1, 2, 3], None),
        (&[6], None),
        (&[1 << 31], None),
        (&[u32::MAX; 100], None),
    ] {
        let expected = expected.map(|number: usize| names[number].to_vec());
        assert_eq!(after(&mut agent, index), expected, "{index:?}");
    }
    for (number, name) in names.iter().enumerate() {
        let found = agent.text(&[&[1, 9][..], name].concat());
        assert_eq!(found, Some((number + 1).to_string()));
    }
    for foreign in [&[0][..], &[0, 1], &[0, 1, 98, 0], &[0, 1, 354], &[0, 1, 99], &[1 << 31, 1, 97]] {
        assert_eq!(agent.get(&[&[1, 9][..], foreign].concat()), None, "{foreign:?}");
    }
    assert_eq!(agent.walk().len(), 12);
}

#[test]
fn keys_of_each_type_are_in_names() {
    let keys = [
        ("flag", TypeKind::Boolean),
        ("mac", TypeKind::Binary { length: length(3, 3) }),
        ("data", TypeKind::Binary { length: length(0, 3) }),
        ("kind", crate::test_schema::enumeration(&[("b", 2), ("a", 7)])),
    ];
    let schema = list_of(&keys);
    let rows: [&[Option<&str>]; 3] = [
        &[Some("false"), Some("AQID"), Some(""), Some("a"), Some("1")],
        &[Some("true"), Some("AQID"), Some("AQ=="), Some("a"), Some("2")],
        &[Some("true"), Some("AQID"), Some("AQ=="), Some("b"), Some("3")],
    ];
    let tree = tree(&schema, &rows);
    let mut agent = TestAgent::with_tree(schema, tree);
    let values: Vec<_> = agent.walk().into_iter().filter(|(name, _)| name[1] == 9).collect();
    let octets = |text: &str| OwnedValue::OctetString(text.as_bytes().to_vec());
    assert_eq!(
        values,
        [
            (vec![1, 9, 1, 1, 2, 3, 1, 1, 2], octets("3")),
            (vec![1, 9, 1, 1, 2, 3, 1, 1, 7], octets("2")),
            (vec![1, 9, 2, 1, 2, 3, 0, 7], octets("1")),
        ]
    );
}

#[test]
fn rows_without_a_value_are_skipped() {
    let mut schema = TestSchema::new("m");
    let list = schema.list(NodeId::ROOT, "list", &[("id", TypeKind::integer(IntegerKind::Uint32))], "1");
    schema.leaf(list, "rare", text(0, 100), "1.2");
    let schema = schema.build();
    let ids: Vec<String> = (1..=3000).map(|id| id.to_string()).collect();
    let rare = |id: usize| if id == 700 || id == 2000 { Some("rare") } else { None };
    let rows: Vec<[Option<&str>; 2]> =
        ids.iter().enumerate().map(|(position, id)| [Some(&**id), rare(position + 1)]).collect();
    let rows: Vec<&[Option<&str>]> = rows.iter().map(|row| &row[..]).collect();
    let tree = tree(&schema, &rows);
    let mut agent = TestAgent::with_tree(schema, tree);
    // In both directions, so that each gap is found in parts and as a whole.
    for id in (0..=3001).chain((0..=3001).rev()) {
        let expected = if id < 700 {
            Some(700)
        } else if id < 2000 {
            Some(2000)
        } else {
            None
        };
        let next = agent.next(&[1, 2, id]).map(|(name, _)| name[2]);
        assert_eq!(next, expected, "after {id}");
    }
    // A new value is found although it is in a gap.
    agent.set(&[(&[1, 2, 1500], octets("new"))]).unwrap();
    assert_eq!(agent.next(&[1, 2, 701]).unwrap().0, [1, 2, 1500]);
    assert_eq!(agent.next(&[1, 2, 1500]).unwrap().0, [1, 2, 2000]);
}

#[test]
fn entries_without_entries_in_them_are_skipped() {
    let mut schema = TestSchema::new("m");
    let number = || TypeKind::integer(IntegerKind::Uint32);
    let outer = schema.list(NodeId::ROOT, "outer", &[("id", number())], "1");
    let holder = schema.add(outer, "holder", NodeKind::presence_container(), "");
    let inner = schema.list(holder, "inner", &[("id", number())], "2");
    schema.leaf(inner, "value", text(0, 9), "2.2");
    let mut agent = TestAgent::new(schema.build());
    for id in 1..=500 {
        agent.set(&[(&[1, 1, id], Value::Gauge32(id))]).unwrap();
    }
    agent.set(&[(&[2, 2, 100, 7], octets("a")), (&[2, 2, 400, 1], octets("b"))]).unwrap();
    VISITED_ROWS.set(0);
    for id in (0..=501).rev().chain(0..=501) {
        for (index, limits) in [(vec![2, 2, id], [100, 400]), (vec![2, 2, id, 7], [99, 400 - 1])] {
            let expected = limits.iter().position(|limit| id <= *limit);
            let expected =
                expected.and_then(|number| [vec![2, 2, 100, 7], vec![2, 2, 400, 1]].get(number).cloned());
            assert_eq!(agent.next(&index).map(|(name, _)| name), expected, "after {index:?}");
        }
    }
    let visited = VISITED_ROWS.get();
    assert!(visited < 8 * 502 + 1000, "{visited}");
    assert_eq!(agent.get(&[2, 2, 100]), None);
    assert_eq!(agent.get(&[2, 2, 101, 7]), None);
}

#[test]
fn values_that_are_not_texts_are_converted() {
    let mut schema = TestSchema::new("m");
    let top = schema.add(NodeId::ROOT, "top", NodeKind::container(), "");
    let bits = vec![Bit { name: "a".into(), position: 0 }, Bit { name: "b".into(), position: 1 }];
    for (name, kind, default, arcs) in [
        ("bits", TypeKind::Bits { bits }, "a b", "1"),
        ("binary", TypeKind::Binary { length: None }, "AP8=", "2"),
        ("flag", TypeKind::Boolean, "true", "3"),
    ] {
        let leaf = schema.leaf(top, name, kind, arcs);
        schema.set_default(leaf, default);
    }
    let mut agent = TestAgent::new(schema.build());
    let octets = |octets: &[u8]| OwnedValue::OctetString(octets.to_vec());
    let all = [
        (vec![1, 0], octets(&[0xC0])),
        (vec![2, 0], octets(&[0, 255])),
        (vec![3, 0], OwnedValue::Integer(1)),
    ];
    assert_eq!(agent.walk(), all);
}

/// A change of a model of the renamed example: rows by number, and rows within them by name.
#[derive(Clone, Debug)]
enum Request {
    Create(u32),
    Destroy(u32),
    Write { row: u32, column: u32, text: String },
    CreateStep(u32, String),
    DestroyStep(u32, String),
    WriteStep(u32, String, u16),
}

fn requests() -> impl Strategy<Value = Vec<Request>> {
    let row = || prop_oneof![1..6_u32, Just(i32::MAX as u32)];
    let name = || "[ab]{1,3}";
    let request = prop_oneof![
        row().prop_map(Request::Create),
        row().prop_map(Request::Destroy),
        (row(), 2..5_u32, "[a-z]{0,3}").prop_map(|(row, column, text)| Request::Write { row, column, text }),
        (row(), name()).prop_map(|(row, name)| Request::CreateStep(row, name)),
        (row(), name()).prop_map(|(row, name)| Request::DestroyStep(row, name)),
        (row(), name(), any::<u16>()).prop_map(|(row, name, height)| Request::WriteStep(row, name, height)),
    ];
    prop::collection::vec(request, 1..40)
}

/// The instances that the agent should show.
type Instances = BTreeMap<Vec<u32>, OwnedValue>;

fn step(column: u32, row: u32, name: &str) -> Vec<u32> {
    let octets = name.bytes().map(u32::from);
    [3, 1, 1, 14, column, row, name.len() as u32].into_iter().chain(octets).collect()
}

/// Makes a request to the agent and to the model.
fn perform(agent: &mut TestAgent, model: &mut Instances, request: &Request) {
    let active = OwnedValue::Integer(1);
    let status = |row| vec![3, 1, 1, 12, row];
    let create = Value::Integer(4);
    let (name, value, is_possible) = match request {
        Request::Create(row) => (status(*row), create, !model.contains_key(&status(*row))),
        Request::Destroy(row) => (status(*row), Value::Integer(6), true),
        Request::Write { row, column, text } => {
            (vec![3, 1, 1, *column, *row], octets(text), model.contains_key(&status(*row)))
        }
        Request::CreateStep(row, name) => {
            let step = step(3, *row, name);
            let is_new = model.contains_key(&status(*row)) && !model.contains_key(&step);
            (step, create, is_new)
        }
        Request::DestroyStep(row, name) => (step(3, *row, name), Value::Integer(6), true),
        Request::WriteStep(row, name, height) => {
            let exists = model.contains_key(&step(3, *row, name));
            (step(2, *row, name), Value::Gauge32((*height).into()), exists)
        }
    };
    assert_eq!(agent.set(&[(&name, value)]).is_ok(), is_possible, "{request:?}");
    if !is_possible {
        return;
    }
    match request {
        Request::Create(row) => {
            model.insert(status(*row), active);
            model.insert(vec![3, 1, 1, 1, *row], OwnedValue::Integer(*row as i32));
            model.insert(vec![3, 1, 1, 13, *row], OwnedValue::Gauge32(80));
        }
        Request::Destroy(row) => {
            model.retain(|name, _| if name[3] == 14 { name[5] != *row } else { name[4] != *row });
        }
        Request::CreateStep(row, name) => {
            model.insert(step(3, *row, name), active);
            let octets = OwnedValue::OctetString(name.clone().into_bytes());
            model.insert(step(1, *row, name), octets);
        }
        Request::DestroyStep(row, name) => {
            (1..=3).for_each(|column| drop(model.remove(&step(column, *row, name))));
        }
        Request::Write { .. } | Request::WriteStep(..) => {
            model.insert(name, OwnedValue::from(value));
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn walk_shows_what_sets_have_made(requests in requests()) {
        let mut agent = TestAgent::new(stair("acme", true));
        let mut model = Instances::new();
        for request in &requests {
            perform(&mut agent, &mut model, request);
        }
        prop_assert_eq!(agent.walk(), model.clone().into_iter().collect::<Vec<_>>());
        // The first instance after any name is that of the model.
        for name in model.keys() {
            for length in 4..=name.len() {
                for change in [0, 1, 300] {
                    let mut after = name[..length].to_vec();
                    if let Some(last) = after.last_mut() {
                        *last = last.saturating_add(change);
                    }
                    let expected = model.range(after.clone()..).find(|(name, _)| **name != after);
                    let found = agent.next(&after);
                    prop_assert_eq!(found.as_ref().map(|(name, _)| name), expected.map(|(name, _)| name));
                }
            }
        }
    }
}
