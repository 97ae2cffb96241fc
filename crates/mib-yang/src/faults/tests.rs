use portreeve_smi::{ErrorStatus::InconsistentValue, Value};
use portreeve_yang::{IntegerKind, LeafrefPath, LeafrefStart, LeafrefStep, NodeId, NodeKind, TypeKind};

use crate::{
    test_agent::{TestAgent, octets},
    test_schema::{TestSchema, text},
};

/// Returns an agent with a list that has a mandatory leaf, a reference and a unique leaf.
fn agent() -> TestAgent {
    let mut schema = TestSchema::new("m");
    let target = schema.leaf(NodeId::ROOT, "target", text(0, 9), "9");
    let list = schema.list(NodeId::ROOT, "list", &[("id", TypeKind::integer(IntegerKind::Uint32))], "1");
    let needed = schema.leaf(list, "needed", text(0, 9), "1.2");
    if let NodeKind::Leaf(leaf) = &mut schema.builder.node_mut(needed).unwrap().kind {
        leaf.mandatory = true;
    }
    let steps = vec![LeafrefStep { node: target, predicates: Vec::new() }];
    let reference = TypeKind::Leafref {
        target,
        path: "/m:target".into(),
        steps: LeafrefPath { start: LeafrefStart::Root, steps },
        require_instance: true,
    };
    schema.leaf(list, "reference", reference, "1.3");
    let number = schema.leaf(list, "number", TypeKind::integer(IntegerKind::Uint32), "1.4");
    schema.builder.add_unique(list, &[number]);
    schema.row_status(list, "status", "1.5");
    TestAgent::new(schema.build())
}

const CREATE_AND_GO: Value<'_> = Value::Integer(4);

#[test]
fn missing_node_is_the_fault_of_the_status() {
    let mut agent = agent();
    let good = (&[1, 2, 1][..], octets("a"));
    let variables =
        [good, (&[1, 5, 1], CREATE_AND_GO), (&[1, 4, 2], Value::Gauge32(1)), (&[1, 5, 2], CREATE_AND_GO)];
    assert_eq!(agent.refused(&variables), (InconsistentValue, 4));
    agent.set(&variables[..2]).unwrap();
}

#[test]
fn value_that_refers_to_nothing_is_at_fault() {
    let mut agent = agent();
    let row = [(&[1, 2, 1][..], octets("a")), (&[1, 3, 1], octets("x")), (&[1, 5, 1], CREATE_AND_GO)];
    assert_eq!(agent.refused(&row), (InconsistentValue, 2));
    agent.set(&[(&[9, 0], octets("x")), row[0], row[1], row[2]]).unwrap();
    // The reference is in a row that the request does not mention.
    assert_eq!(agent.refused(&[(&[9, 0], octets("y"))]), (InconsistentValue, 1));
}

#[test]
fn value_that_is_not_unique_is_the_fault_of_one_of_its_rows() {
    let mut agent = agent();
    for row in [1, 2] {
        agent.set(&[(&[1, 2, row], octets("a")), (&[1, 5, row], CREATE_AND_GO)]).unwrap();
    }
    agent.set(&[(&[1, 4, 1], Value::Gauge32(7))]).unwrap();
    assert_eq!(agent.refused(&[(&[1, 4, 2], Value::Gauge32(7))]), (InconsistentValue, 1));
}
