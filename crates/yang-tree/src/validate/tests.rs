use std::collections::BTreeSet;

use portreeve_yang::{
    LeafList, LeafrefPath, LeafrefPredicate, LeafrefStart, LeafrefStep, NodeId, NodeKind, Schema, Type,
    TypeId, TypeKind,
};
use proptest::{prelude::*, test_runner::Config};

use super::{Fault, FaultReason, MAX_FAULTS, Validator};
use crate::{
    Tree,
    samples::{Nodes, edit, tree},
};

/// Returns a schema with each kind of constraint.
fn schema() -> Schema {
    let mut nodes = Nodes::new();
    let root = NodeId::ROOT;
    let group = nodes.list(root, "group", "name");
    let name = nodes.builder.node(group).clone();
    let NodeKind::List(list) = name.kind else { panic!() };
    let name = list.keys[0];
    let alias = nodes.leaf(group, "alias");
    limit(&mut nodes, group, 0, Some(3));
    let pair = nodes.add(root, "pair", NodeKind::list());
    let (a, b) = (nodes.leaf(pair, "a"), nodes.leaf(pair, "b"));
    nodes.builder.set_keys(pair, &[a, b]);

    let item = nodes.list(root, "item", "id");
    let owner = nodes.leaf(item, "owner");
    set_mandatory(&mut nodes, owner);
    let host = nodes.leaf(item, "host");
    let net = nodes.add(item, "net", NodeKind::container());
    let port = nodes.leaf(net, "port");
    if let NodeKind::Leaf(leaf) = &mut nodes.builder.node_mut(port).unwrap().kind {
        leaf.default = Some("80".into());
    }
    nodes.builder.add_unique(item, &[host, port]);
    let kind = nodes.add(item, "kind", NodeKind::choice());
    if let NodeKind::Choice(choice) = &mut nodes.builder.node_mut(kind).unwrap().kind {
        choice.mandatory = true;
    }
    let one = nodes.add(kind, "one", NodeKind::Case);
    nodes.leaf(one, "x");
    let two = nodes.add(kind, "two", NodeKind::Case);
    nodes.leaf(two, "y");
    let inner = nodes.add(two, "inner", NodeKind::container());
    let z = nodes.leaf(inner, "z");
    set_mandatory(&mut nodes, z);
    let options = nodes.add(item, "options", NodeKind::presence_container());
    let label = nodes.add(options, "label", NodeKind::leaf_list(nodes.string));
    limit(&mut nodes, label, 1, Some(2));

    let step = |node| LeafrefStep { node, predicates: Vec::new() };
    let by_key = leafref(&mut nodes, name, LeafrefStart::Up(2), vec![step(group), step(name)]);
    nodes.add(item, "group-of", NodeKind::leaf(by_key));
    nodes.add(item, "groups-of", NodeKind::leaf_list(by_key));
    let by_value = leafref(&mut nodes, alias, LeafrefStart::Root, vec![step(group), step(alias)]);
    nodes.add(item, "alias-of", NodeKind::leaf(by_value));
    let to_port = leafref(&mut nodes, port, LeafrefStart::Root, vec![step(item), step(net), step(port)]);
    nodes.add(root, "some-port", NodeKind::leaf(to_port));
    let to_a = leafref(&mut nodes, a, LeafrefStart::Root, vec![step(pair), step(a)]);
    let first = nodes.add(item, "first", NodeKind::leaf(to_a));
    let predicate = LeafrefPredicate { key: a, up: 1, steps: vec![first] };
    let matching = LeafrefStep { node: pair, predicates: vec![predicate] };
    let to_b = leafref(&mut nodes, b, LeafrefStart::Root, vec![matching, step(b)]);
    nodes.add(item, "second", NodeKind::leaf(to_b));
    let union = TypeKind::Union { members: vec![by_key, nodes.number] };
    let union = nodes.builder.add_type(Type::new(union));
    nodes.add(item, "group-or-number", NodeKind::leaf(union));
    let path = nodes.builder.add_type(Type::new(TypeKind::InstanceIdentifier { require_instance: true }));
    nodes.add(item, "instance", NodeKind::leaf(path));
    nodes.builder.build().unwrap()
}

fn leafref(nodes: &mut Nodes, target: NodeId, start: LeafrefStart, steps: Vec<LeafrefStep>) -> TypeId {
    let steps = LeafrefPath { start, steps };
    let kind = TypeKind::Leafref { target, path: "/path".into(), steps, require_instance: true };
    nodes.builder.add_type(Type::new(kind))
}

fn set_mandatory(nodes: &mut Nodes, leaf: NodeId) {
    if let NodeKind::Leaf(leaf) = &mut nodes.builder.node_mut(leaf).unwrap().kind {
        leaf.mandatory = true;
    }
}

fn limit(nodes: &mut Nodes, node: NodeId, min_entries: u32, max_entries: Option<u32>) {
    match &mut nodes.builder.node_mut(node).unwrap().kind {
        NodeKind::List(list) => (list.min, list.max) = (min_entries, max_entries),
        NodeKind::LeafList(LeafList { min, max, .. }) => (*min, *max) = (min_entries, max_entries),
        _ => panic!("not a list"),
    }
}

/// Returns the faults as text, sorted.
fn sorted(schema: &Schema, faults: Vec<Fault>) -> Vec<String> {
    let reason = |reason| match reason {
        FaultReason::MandatoryMissing => "mandatory",
        FaultReason::ChoiceMissing(_) => "choice",
        FaultReason::SeveralCases(_) => "cases",
        FaultReason::TooFewElements => "few",
        FaultReason::TooManyElements => "many",
        FaultReason::NotUnique(_) => "unique",
        FaultReason::InstanceRequired => "instance",
    };
    let mut lines: Vec<_> = faults
        .iter()
        .map(|fault| format!("{} {}", reason(fault.reason), fault.path.display(schema)))
        .collect();
    lines.sort();
    lines
}

/// A tree, and its faults.
const TREES: &[(&str, &[&str])] = &[
    ("", &[]),
    ("item { id=1 owner=o x=1 }", &[]),
    ("item { id=1 x=1 }", &["mandatory /example:item[id='1']/owner"]),
    ("item { id=1 owner=o }", &["choice /example:item[id='1']"]),
    // A mandatory node in a case has to exist only with another node of the case.
    ("item { id=1 owner=o y=1 inner { z=1 } }", &[]),
    ("item { id=1 owner=o y=1 }", &["mandatory /example:item[id='1']/inner/z"]),
    ("item { id=1 owner=o inner { z=1 } }", &[]),
    ("item { id=1 owner=o x=1 options { } }", &["few /example:item[id='1']/options/label"]),
    ("item { id=1 owner=o x=1 options { label=a label=b } }", &[]),
    (
        "item { id=1 owner=o x=1 options { label=a label=b label=c } }",
        &["many /example:item[id='1']/options/label"],
    ),
    ("group { name=a } group { name=b } group { name=c }", &[]),
    ("group { name=a } group { name=b } group { name=c } group { name=d }", &["many /example:group"]),
    // The default of a leaf takes part in unique; an entry without one of the leafs does not.
    (
        "item { id=1 owner=o x=1 host=h } item { id=2 owner=o x=1 host=h net { port=80 } }",
        &["unique /example:item[id='2']"],
    ),
    ("item { id=1 owner=o x=1 host=h } item { id=2 owner=o x=1 host=h net { port=81 } }", &[]),
    ("item { id=1 owner=o x=1 } item { id=2 owner=o x=1 }", &[]),
    ("item { id=1 owner=o x=1 group-of=g }", &["instance /example:item[id='1']/group-of"]),
    ("item { id=1 owner=o x=1 group-of=g } group { name=g }", &[]),
    (
        "item { id=1 owner=o x=1 groups-of=g groups-of=h } group { name=g }",
        &["instance /example:item[id='1']/groups-of[.='h']"],
    ),
    ("item { id=1 owner=o x=1 alias-of=g } group { name=g }", &["instance /example:item[id='1']/alias-of"]),
    ("item { id=1 owner=o x=1 alias-of=g } group { name=h alias=g }", &[]),
    ("item { id=1 owner=o x=1 first=1 second=2 } pair { a=1 b=2 }", &[]),
    (
        "item { id=1 owner=o x=1 first=1 second=2 } pair { a=1 b=1 } pair { a=2 b=2 }",
        &["instance /example:item[id='1']/second"],
    ),
    ("item { id=1 owner=o x=1 second=2 } pair { a=1 b=2 }", &["instance /example:item[id='1']/second"]),
    ("item { id=1 owner=o x=1 group-or-number=5 }", &[]),
    ("item { id=1 owner=o x=1 group-or-number=g } group { name=g }", &[]),
    ("item { id=1 owner=o x=1 group-or-number=g }", &["instance /example:item[id='1']/group-or-number"]),
    ("item { id=1 owner=o x=1 instance=/example:group[name='g'] } group { name=g }", &[]),
    (
        "item { id=1 owner=o x=1 instance=/example:group[name='h'] } group { name=g }",
        &["instance /example:item[id='1']/instance"],
    ),
    ("item { id=1 owner=o x=1 instance=/example:item[id='1']/net/port }", &[]),
    ("some-port=81 item { id=1 owner=o x=1 net { port=81 } }", &[]),
    ("some-port=80 item { id=1 owner=o x=1 }", &[]),
    ("some-port=80 item { id=1 owner=o x=1 net { port=81 } }", &["instance /example:some-port"]),
];

#[test]
fn faults_are_reported_with_the_node_that_is_at_fault() {
    let schema = schema();
    let validator = Validator::new(&schema);
    for (content, expected) in TREES {
        assert_eq!(sorted(&schema, validator.validate(&tree(&schema, content))), *expected, "{content}");
    }
}

#[test]
fn number_of_reported_faults_is_limited() {
    let schema = schema();
    let entries: Vec<_> = (0..500).map(|number| format!("item {{ id={number} group-of=g }}")).collect();
    assert_eq!(Validator::new(&schema).validate(&tree(&schema, &entries.join(" "))).len(), MAX_FAULTS);
}

fn random_edit() -> impl Strategy<Value = String> {
    let operation = || prop::sample::select(&["", "", "", "!replace", "!remove"][..]);
    let value = || 0..3_u32;
    let part = (0..15_u32, operation(), value()).prop_map(|(kind, operation, value)| match kind {
        0 => format!("owner{operation}={value}"),
        1 => format!("host{operation}={value}"),
        2 => format!("net {{ port{operation}={value} }}"),
        3 => format!("x{operation}={value}"),
        4 => format!("y{operation}={value}"),
        5 => format!("inner {{ z{operation}={value} }}"),
        6 => format!("options{operation} {{ label={value} }}"),
        7 => format!("options {{ label!remove={value} }}"),
        8 => format!("group-of{operation}=g{value}"),
        9 => format!("groups-of{operation}=g{value}"),
        10 => format!("alias-of{operation}={value}"),
        11 => format!("first{operation}={value}"),
        12 => format!("group-or-number{operation}={}{value}", if value == 0 { "" } else { "g" }),
        13 => format!("instance{operation}=/example:group[name='g{value}']/alias"),
        _ => format!("second{operation}={value}"),
    });
    let top = prop_oneof![
        4 => (operation(), value(), prop::collection::vec(part, 0..4))
            .prop_map(|(operation, id, parts)| format!("item{operation} {{ id={id} {} }}", parts.join(" "))),
        // An entry without faults, so that valid trees are frequent.
        2 => value().prop_map(|id| format!("item {{ id={id} owner=o x=1 }}")),
        2 => (operation(), value(), value()).prop_map(|(operation, name, alias)| format!("group{operation} {{ name=g{name} alias={alias} }}")),
        1 => (operation(), value(), value()).prop_map(|(operation, a, b)| format!("pair{operation} {{ a={a} b={b} }}")),
        1 => (operation(), value()).prop_map(|(operation, value)| format!("some-port{operation}={value}")),
    ];
    prop::collection::vec(top, 1..4).prop_map(|parts| parts.join(" "))
}

proptest! {
    #![proptest_config(Config::with_cases(300))]
    #[test]
    fn verdict_on_a_change_is_the_verdict_on_the_whole_tree(requests in prop::collection::vec(random_edit(), 1..20)) {
        let schema = schema();
        let validator = Validator::new(&schema);
        let mut valid = Tree::new();
        for request in &requests {
            let Ok(after) = edit(&schema, &valid, request) else { continue };
            let whole: BTreeSet<_> = sorted(&schema, validator.validate(&after)).into_iter().collect();
            let change: BTreeSet<_> = sorted(&schema, validator.validate_change(&valid, &after)).into_iter().collect();
            prop_assert_eq!(&whole, &change, "{}", request);
            if whole.is_empty() {
                valid = after;
            }
        }
    }
}
