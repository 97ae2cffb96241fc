use portreeve_mib::Access;
use portreeve_yang::{IntegerKind, LeafrefPath, LeafrefStart, LeafrefStep, Node, NodeId, NodeKind, TypeKind};

use super::{Leafs, unserved};
use crate::{
    form::Form,
    test_schema::{TestSchema, stair, text},
};

fn names(schema: &portreeve_yang::Schema, leafs: &Leafs) -> Vec<String> {
    leafs.served.iter().map(|leaf| schema.node(leaf.node).name.to_string()).collect()
}

#[test]
fn leafs_of_the_example_are_columns_of_one_table() {
    let schema = stair("stair", false);
    let leafs = Leafs::new(&schema);
    assert!(leafs.unserved.is_empty() && leafs.problems.is_empty());
    assert_eq!((leafs.served.len(), leafs.tables.len()), (12, 1));
    assert_eq!(leafs.served[0].oid.to_string(), "1.3.6.1.4.1.32473.3.1.1.1");
    assert_eq!(leafs.served[0].key, Some(0));
    assert_eq!(leafs.served[11].value_type.form, Form::RowStatus);
    assert_eq!(leafs.tables[0].row_status, Some(leafs.served[11].node));
    assert!(leafs.served.iter().all(|leaf| leaf.access == Access::ReadCreate));
}

#[test]
fn list_in_a_list_is_a_table_of_its_own() {
    let schema = stair("acme", true);
    let leafs = Leafs::new(&schema);
    let keys: Vec<_> = leafs.tables.iter().map(|table| table.lists.len()).collect();
    assert_eq!(keys, [1, 2]);
    assert_eq!(leafs.served.len(), 16);
    assert!(leafs.served.iter().all(|leaf| leaf.key.is_some() == (leaf.slot == 0)));
}

#[test]
fn access_is_the_least_of_what_all_statements_permit() {
    let mut schema = TestSchema::new("m");
    let number = || TypeKind::integer(IntegerKind::Uint32);
    let top = schema.add(NodeId::ROOT, "top", NodeKind::container(), "");
    schema.leaf(top, "config", number(), "1");
    let state = schema.leaf(top, "state", number(), "2");
    schema.set_state(state);
    schema.named(top, "counter", ("ietf-yang-types", "counter32"), number(), "3");
    let read_only = schema.leaf(top, "read-only", number(), "4");
    schema.extend(read_only, "ietf-yang-smiv2", "max-access", "read-only");
    let denied = schema.add(top, "denied", NodeKind::container(), "");
    schema.extend(denied, "ietf-netconf-acm", "default-deny-write", "");
    schema.leaf(denied, "protected", number(), "5");
    let schema = schema.build();
    let leafs = Leafs::new(&schema);
    let access: Vec<_> = leafs.served.iter().map(|leaf| leaf.access).collect();
    use Access::*;
    assert_eq!(access, [ReadWrite, ReadOnly, ReadOnly, ReadOnly, ReadOnly], "{:?}", names(&schema, &leafs));
}

#[test]
fn leafs_that_snmp_cannot_show_have_a_reason() {
    let mut schema = TestSchema::new("m");
    let root = NodeId::ROOT;
    schema.leaf(root, "decimal", TypeKind::Decimal64 { fraction_digits: 1, range: None }, "1");
    let values = schema.type_of(TypeKind::string());
    schema.add(root, "values", NodeKind::leaf_list(values), "2");
    schema.add(root, "any", NodeKind::AnyData { mandatory: false }, "3");
    let secret = schema.add(root, "secret", NodeKind::container(), "");
    schema.extend(secret, "ietf-netconf-acm", "default-deny-all", "");
    let inner = schema.add(secret, "inner", NodeKind::container(), "");
    schema.leaf(inner, "password", TypeKind::string(), "4");
    let wide = schema.list(root, "wide", &[("number", TypeKind::integer(IntegerKind::Int64))], "5");
    schema.leaf(wide, "value", TypeKind::string(), "5.2");
    let implied = schema.list(root, "implied", &[("name", TypeKind::string())], "6");
    schema.extend(implied, "ietf-yang-smiv2", "implied", "name");
    let hidden = schema.leaf(root, "hidden", TypeKind::string(), "7");
    schema.extend(hidden, "ietf-yang-smiv2", "max-access", "not-accessible");
    let twice = schema.list(root, "twice", &[("name", TypeKind::string())], "8");
    schema.row_status(twice, "one", "8.2");
    schema.row_status(twice, "two", "8.3");
    // Without an identifier, a leaf is not an object.
    schema.leaf(root, "plain", TypeKind::Empty, "");
    let schema = schema.build();
    let found: Vec<(String, String)> =
        unserved(&schema).into_iter().map(|node| (node.path, node.reason)).collect();
    let expected = [
        ("/m:decimal", "the type decimal64 has no SMI type"),
        ("/m:values", "SNMP has no objects of the kind leaf-list"),
        ("/m:any", "SNMP has no objects of the kind anydata"),
        ("/m:secret/inner/password", "nacm:default-deny-all hides it"),
        ("/m:wide/number", "numbers of 64 bits with a sign have no SMI type"),
        ("/m:wide/value", "the keys of the list wide cannot be an index"),
        ("/m:implied/name", "the order of an IMPLIED index is not that of the list implied"),
        ("/m:hidden", "smiv2:max-access does not permit to read it"),
        ("/m:twice/two", "the list has another leaf of the type RowStatus"),
    ];
    let found: Vec<(&str, &str)> = found.iter().map(|(path, reason)| (&**path, &**reason)).collect();
    assert_eq!(found, expected);
    assert_eq!(names(&schema, &Leafs::new(&schema)), ["name", "one"]);
}

#[test]
fn parts_of_operations_are_not_objects() {
    let mut schema = TestSchema::new("m");
    let rpc = schema.add(NodeId::ROOT, "restart", NodeKind::Rpc, "");
    let input = schema.builder.add_node(rpc, Node::new(schema.module, "input", NodeKind::Input));
    schema.leaf(input, "delay", TypeKind::Boolean, "1");
    let event = schema.add(NodeId::ROOT, "event", NodeKind::Notification, "");
    schema.leaf(event, "cause", TypeKind::Boolean, "1");
    let leafs = Leafs::new(&schema.build());
    assert!(leafs.served.is_empty() && leafs.unserved.is_empty() && leafs.problems.is_empty());
}

#[test]
fn identifiers_that_cannot_be_sent_are_problems() {
    for oid in ["1.3.x", "3.1.1", "1.40.1", "0.40.1", "1.3", "2.4294967295.1", &["1"; 128].join(".")] {
        let mut schema = TestSchema::new("m");
        let leaf = schema.leaf(NodeId::ROOT, "leaf", TypeKind::Boolean, "");
        schema.extend(leaf, "ietf-yang-smiv2", "oid", oid);
        let leafs = Leafs::new(&schema.build());
        assert_eq!((leafs.problems.len(), leafs.served.len()), (1, 0), "{oid}");
        assert!(leafs.problems[0].to_string().starts_with("test.yang:10: /m:leaf: "), "{:?}", leafs.problems);
    }
}

#[test]
fn leafref_has_the_type_of_its_target() {
    let mut schema = TestSchema::new("m");
    let target = schema.leaf(NodeId::ROOT, "target", text(0, 5), "1");
    let kind = TypeKind::Leafref {
        target,
        path: "/m:target".into(),
        steps: LeafrefPath {
            start: LeafrefStart::Root,
            steps: vec![LeafrefStep { node: target, predicates: Vec::new() }],
        },
        require_instance: false,
    };
    schema.leaf(NodeId::ROOT, "reference", kind, "2");
    let leafs = Leafs::new(&schema.build());
    assert_eq!(leafs.served.iter().map(|leaf| leaf.value_type.form).collect::<Vec<_>>(), [Form::Text; 2]);
}
