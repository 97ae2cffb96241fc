use portreeve_smi::{ErrorStatus::*, OwnedValue, Value};
use portreeve_yang::{IntegerKind, Node, NodeId, NodeKind, TypeKind};

use crate::{
    test_agent::{TestAgent, Variable, octets},
    test_schema::{TestSchema, range, stair, text},
};

const ACTIVE: Value<'_> = Value::Integer(1);
const CREATE_AND_GO: Value<'_> = Value::Integer(4);
const DESTROY: Value<'_> = Value::Integer(6);

/// Returns the arcs of a column of the example in a row.
fn cell(column: u32, row: u32) -> [u32; 5] {
    [3, 1, 1, column, row]
}

fn agent() -> TestAgent {
    let mut agent = TestAgent::new(stair("stair", false));
    agent.set(&[(&cell(12, 5), CREATE_AND_GO), (&cell(2, 5), octets("five"))]).unwrap();
    agent
}

#[test]
fn rows_are_created_changed_and_deleted() {
    let mut agent = agent();
    assert_eq!(agent.text(&cell(2, 5)).as_deref(), Some("five"));
    assert_eq!(agent.get(&cell(1, 5)), Some(OwnedValue::Integer(5)));
    assert_eq!(agent.get(&cell(12, 5)), Some(OwnedValue::Integer(1)));
    assert_eq!(agent.get(&cell(3, 5)), None);
    assert_eq!(agent.get(&cell(2, 6)), None);
    agent.set(&[(&cell(2, 5), octets("")), (&cell(3, 5), octets("more"))]).unwrap();
    assert_eq!(agent.text(&cell(2, 5)).as_deref(), Some(""));
    assert_eq!(agent.walk().len(), 4);
    agent.set(&[(&cell(12, 5), ACTIVE)]).unwrap();
    agent.set(&[(&cell(12, 5), DESTROY)]).unwrap();
    assert_eq!(agent.walk(), []);
    agent.set(&[(&cell(12, 5), DESTROY)]).unwrap();
    assert!(agent.tree().root().is_empty(), "the status is not in the tree");
}

#[test]
fn variables_of_rows_can_be_in_any_order() {
    for order in 0..120 {
        let mut cells: Vec<[u32; 5]> = Vec::new();
        for row in 1..=3 {
            cells.extend((1..=12).map(|column| cell(column, row)));
        }
        // Each order is another permutation.
        let length = cells.len();
        for place in 0..length {
            cells.swap(place, (place * 7 + order * 5) % length);
        }
        let texts: Vec<String> = cells.iter().map(|cell| format!("{}/{}", cell[3], cell[4])).collect();
        let variables: Vec<Variable<'_>> = cells
            .iter()
            .zip(&texts)
            .map(|(cell, text)| {
                let value = match cell[3] {
                    1 => Value::Integer(cell[4] as i32),
                    12 => CREATE_AND_GO,
                    _ => octets(text),
                };
                (&cell[..], value)
            })
            .collect();
        let mut agent = TestAgent::new(stair("stair", false));
        agent.set(&variables).unwrap();
        let all = agent.walk();
        assert_eq!(all.len(), 36);
        for (name, value) in all {
            let expected = match name[3] {
                1 => OwnedValue::Integer(name[4] as i32),
                12 => OwnedValue::Integer(1),
                column => OwnedValue::OctetString(format!("{column}/{}", name[4]).into_bytes()),
            };
            assert_eq!(value, expected, "{name:?}");
        }
    }
}

#[test]
fn each_fault_has_its_error_status() {
    let mut agent = agent();
    let long = "a".repeat(256);
    for (column, row, value, status) in [
        (2, 5, Value::Integer(1), WrongType),
        (1, 5, Value::Gauge32(5), WrongType),
        (12, 5, Value::Gauge32(6), WrongType),
        (2, 5, octets(&long), WrongLength),
        (2, 5, octets("\u{1}"), WrongValue),
        (2, 5, Value::OctetString(&[0xC3]), WrongValue),
        (1, 5, Value::Integer(6), WrongValue),
        (1, 5, Value::Integer(0), WrongValue),
        (12, 5, Value::Integer(2), WrongValue),
        (12, 6, Value::Integer(5), WrongValue),
        (12, 5, Value::Integer(3), WrongValue),
        (12, 5, Value::Integer(9), WrongValue),
        // The range of the key begins at 1, and ends at 2³¹−1.
        (2, 0, octets("a"), NoCreation),
        (2, 1 << 31, octets("a"), NoCreation),
        (12, 0, CREATE_AND_GO, NoCreation),
        (2, 6, octets("a"), InconsistentName),
        (1, 6, Value::Integer(6), InconsistentName),
        (12, 6, ACTIVE, InconsistentValue),
        (12, 5, CREATE_AND_GO, InconsistentValue),
    ] {
        let refused = agent.refused(&[(&cell(3, 5), octets("good")), (&cell(column, row), value)]);
        assert_eq!(refused, (status, 2), "{column}.{row} {value:?}");
    }
    for index in [&[][..], &[5, 0], &[5, 5]] {
        let name = [&[3, 1, 1, 2][..], index].concat();
        assert_eq!(agent.refused(&[(&name, octets("a"))]), (NoCreation, 1), "{index:?}");
    }
}

#[test]
fn two_values_of_a_status_conflict_and_of_a_leaf_the_last_counts() {
    let mut agent = agent();
    assert_eq!(
        agent.refused(&[(&cell(12, 6), CREATE_AND_GO), (&cell(12, 6), DESTROY)]),
        (InconsistentValue, 2)
    );
    agent.set(&[(&cell(12, 6), CREATE_AND_GO), (&cell(12, 6), CREATE_AND_GO)]).unwrap();
    agent.set(&[(&cell(2, 6), octets("one")), (&cell(2, 6), octets("two"))]).unwrap();
    assert_eq!(agent.text(&cell(2, 6)).as_deref(), Some("two"));
    agent.set(&[(&cell(2, 6), octets("lost")), (&cell(12, 6), DESTROY)]).unwrap();
    assert_eq!(agent.get(&cell(2, 6)), None);
}

#[test]
fn later_set_of_a_group_sees_the_earlier_ones() {
    let mut agent = TestAgent::new(stair("stair", false));
    let results = agent.set_group(&[
        &[(&cell(2, 1), octets("too early"))],
        &[(&cell(12, 1), CREATE_AND_GO), (&cell(2, 1), octets("one"))],
        &[(&cell(12, 1), CREATE_AND_GO)],
        &[(&cell(3, 1), octets("two"))],
    ]);
    let statuses: Vec<_> =
        results.iter().map(|result| result.as_ref().err().map(|it| it.kind.error_status())).collect();
    assert_eq!(statuses, [Some(InconsistentName), None, Some(InconsistentValue), None]);
    assert_eq!(agent.walk().len(), 4);
}

/// Returns the name of an instance in the list within the renamed example.
fn step(column: u32, row: u32, name: &str) -> Vec<u32> {
    let octets = name.bytes().map(u32::from);
    [3, 1, 1, 14, column, row, name.len() as u32].into_iter().chain(octets).collect()
}

#[test]
fn renamed_example_with_more_nodes_works_alike() {
    let mut agent = TestAgent::new(stair("acme", true));
    let (height, status) = (step(2, 7, "abc"), step(3, 7, "abc"));
    let inner = [(&height[..], Value::Gauge32(17)), (&status[..], CREATE_AND_GO)];
    assert_eq!(agent.refused(&inner), (InconsistentName, 1), "the outer row does not exist");
    // The outer row follows the inner one.
    agent.set(&[inner[0], inner[1], (&cell(12, 7), CREATE_AND_GO)]).unwrap();
    assert_eq!(agent.get(&height), Some(OwnedValue::Gauge32(17)));
    assert_eq!(agent.get(&cell(13, 7)), Some(OwnedValue::Gauge32(80)), "the default is in effect");
    agent.set(&[(&cell(13, 7), Value::Gauge32(90))]).unwrap();
    assert_eq!(agent.get(&cell(13, 7)), Some(OwnedValue::Gauge32(90)));
    assert_eq!(agent.refused(&[(&cell(13, 7), Value::Gauge32(91))]), (WrongValue, 1));
    let (ab, ba) = (step(3, 7, "ba"), step(3, 7, "ab"));
    agent.set(&[(&ab, CREATE_AND_GO), (&ba, CREATE_AND_GO)]).unwrap();
    let names: Vec<Vec<u32>> = agent.walk().into_iter().map(|(name, _)| name).collect();
    let expected = [step(1, 7, "ab"), step(1, 7, "ba"), step(1, 7, "abc")];
    assert_eq!(names[3..6], expected, "short names first");
    // Names that cannot exist.
    let (empty, foreign) = (step(3, 7, ""), step(3, 0, "a"));
    assert_eq!(agent.refused(&[(&empty, CREATE_AND_GO)]), (NoCreation, 1));
    assert_eq!(agent.refused(&[(&foreign, CREATE_AND_GO)]), (NoCreation, 1));
    // The outer row takes the inner ones with it, and no new one can be created in it.
    assert_eq!(agent.refused(&[(&ab, ACTIVE), (&cell(12, 7), DESTROY)]), (InconsistentName, 1));
    agent.set(&[(&cell(12, 7), DESTROY)]).unwrap();
    assert_eq!(agent.walk(), []);
}

#[test]
fn rows_without_status_are_created_by_any_column() {
    let mut schema = TestSchema::new("m");
    let list = schema.list(NodeId::ROOT, "list", &[("id", range(IntegerKind::Uint16, 1, 9))], "1");
    schema.leaf(list, "value", text(0, 5), "1.2");
    let below = schema.list(list, "below", &[("id", TypeKind::Boolean)], "2");
    schema.leaf(below, "value", text(0, 5), "2.2");
    let mut agent = TestAgent::new(schema.build());
    agent.set(&[(&[1, 2, 3], octets("a"))]).unwrap();
    agent.set(&[(&[1, 1, 4], Value::Gauge32(4))]).unwrap();
    assert_eq!(agent.refused(&[(&[1, 2, 10], octets("a"))]), (NoCreation, 1));
    assert_eq!(agent.refused(&[(&[2, 2, 5, 1], octets("a"))]), (InconsistentName, 1));
    agent.set(&[(&[2, 2, 5, 1], octets("x")), (&[1, 2, 5], octets("y"))]).unwrap();
    let names: Vec<Vec<u32>> = agent.walk().into_iter().map(|(name, _)| name).collect();
    let expected: [&[u32]; 7] =
        [&[1, 1, 3], &[1, 1, 4], &[1, 1, 5], &[1, 2, 3], &[1, 2, 5], &[2, 1, 5, 1], &[2, 2, 5, 1]];
    assert_eq!(names, expected);
}

#[test]
fn scalars_are_in_containers() {
    let mut schema = TestSchema::new("m");
    let top = schema.add(NodeId::ROOT, "top", NodeKind::container(), "");
    schema.leaf(top, "one", text(0, 5), "1");
    let inner = schema.add(top, "inner", NodeKind::presence_container(), "");
    let two = schema.leaf(inner, "two", text(0, 5), "2");
    schema.set_default(two, "two");
    let module = schema.module;
    let choice = schema.builder.add_node(inner, Node::new(module, "choice", NodeKind::choice()));
    for (name, arcs) in [("left", "3"), ("right", "4")] {
        let case = schema.builder.add_node(choice, Node::new(module, name, NodeKind::Case));
        schema.leaf(case, &format!("in-{name}"), TypeKind::Boolean, arcs);
    }
    let mut agent = TestAgent::new(schema.build());
    assert_eq!(agent.walk(), [], "the default is not in effect without its container");
    agent.set(&[(&[3, 0], Value::Integer(1)), (&[1, 0], octets("1"))]).unwrap();
    assert_eq!(agent.text(&[2, 0]).as_deref(), Some("two"));
    assert_eq!(agent.walk().len(), 3);
    // Another case replaces the first.
    agent.set(&[(&[4, 0], Value::Integer(2))]).unwrap();
    assert_eq!(agent.get(&[3, 0]), None);
    let both = [(&[3, 0][..], Value::Integer(1)), (&[4, 0][..], Value::Integer(1))];
    assert_eq!(agent.refused(&both), (InconsistentValue, 2));
    for arcs in [&[1][..], &[1, 1], &[1, 0, 0]] {
        assert_eq!(agent.refused(&[(arcs, octets("a"))]), (NoCreation, 1), "{arcs:?}");
        assert_eq!(agent.get(arcs), None);
    }
    assert_eq!(agent.next(&[1]).unwrap().0, [1, 0]);
    assert_eq!(agent.next(&[1, 0]).unwrap().0, [2, 0]);
    assert_eq!(agent.next(&[4, 0]), None);
}

#[test]
fn read_only_leafs_are_not_writable() {
    let mut schema = TestSchema::new("m");
    let leaf = schema.leaf(NodeId::ROOT, "leaf", TypeKind::integer(IntegerKind::Uint64), "1");
    schema.set_default(leaf, "5");
    let mut agent = TestAgent::new(schema.build());
    assert_eq!(agent.get(&[1, 0]), Some(OwnedValue::Counter64(5)));
    assert_eq!(agent.refused(&[(&[1, 0], Value::Counter64(6))]), (NotWritable, 1));
}
