//! A schema with each kind of constraint.

use std::sync::Arc;

use portreeve_yang::{
    LeafList, LeafrefPath, LeafrefPredicate, LeafrefStart, LeafrefStep, NodeId, NodeKind, Schema, Type,
    TypeId, TypeKind,
};

use crate::samples::Nodes;

/// Returns a schema with each kind of constraint.
pub(super) fn schema() -> Arc<Schema> {
    let mut nodes = Nodes::new();
    let root = NodeId::ROOT;
    let group = nodes.list(root, "group", "name");
    let name = nodes.builder.node(group).clone();
    let NodeKind::List(list) = name.kind else { panic!() };
    let name = list.keys[0];
    let alias = nodes.leaf(group, "alias");
    limit(&mut nodes, group, 0, Some(3));
    nodes.add(group, "tag", NodeKind::leaf_list(nodes.string));
    nodes.add(group, "flag", NodeKind::presence_container());
    let pair = nodes.add(root, "pair", NodeKind::list());
    let (a, b, c) = (nodes.leaf(pair, "a"), nodes.leaf(pair, "b"), nodes.leaf(pair, "c"));
    let mode = nodes.add(root, "mode", NodeKind::leaf_list(nodes.string));
    set_defaults(&mut nodes, mode, &["auto", "fixed"]);
    nodes.builder.set_keys(pair, &[a, b]);

    let item = nodes.list(root, "item", "id");
    let owner = nodes.leaf(item, "owner");
    set_mandatory(&mut nodes, owner);
    let host = nodes.leaf(item, "host");
    let net = nodes.add(item, "net", NodeKind::container());
    let port = nodes.leaf(net, "port");
    set_default(&mut nodes, port, "80");
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
    let deep = nodes.add(two, "deep", NodeKind::choice());
    let three = nodes.add(deep, "three", NodeKind::Case);
    nodes.leaf(three, "v");
    let w = nodes.leaf(three, "w");
    set_mandatory(&mut nodes, w);
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
    let matching = |key, leaf| {
        let predicate = LeafrefPredicate { key, up: 1, steps: vec![leaf] };
        LeafrefStep { node: pair, predicates: vec![predicate] }
    };
    let to_b = leafref(&mut nodes, b, LeafrefStart::Root, vec![matching(a, first), step(b)]);
    let second = nodes.add(item, "second", NodeKind::leaf(to_b));
    let to_c = leafref(&mut nodes, c, LeafrefStart::Root, vec![matching(a, first), step(c)]);
    nodes.add(item, "c-of-first", NodeKind::leaf(to_c));
    let to_c = leafref(&mut nodes, c, LeafrefStart::Root, vec![matching(b, second), step(c)]);
    nodes.add(item, "c-of-second", NodeKind::leaf(to_c));
    let number = nodes.add(item, "number", NodeKind::leaf(nodes.string));
    set_default(&mut nodes, number, "1");
    let to_c = leafref(&mut nodes, c, LeafrefStart::Root, vec![matching(a, number), step(c)]);
    nodes.add(item, "c-of-number", NodeKind::leaf(to_c));
    let to_any_b = leafref(&mut nodes, b, LeafrefStart::Root, vec![step(pair), step(b)]);
    nodes.add(item, "any-b", NodeKind::leaf(to_any_b));
    let context = nodes.add(item, "context", NodeKind::presence_container());
    let which = nodes.leaf(context, "which");
    set_default(&mut nodes, which, "1");
    let predicate = LeafrefPredicate { key: a, up: 1, steps: vec![context, which] };
    let in_context = LeafrefStep { node: pair, predicates: vec![predicate] };
    let to_c = leafref(&mut nodes, c, LeafrefStart::Root, vec![in_context, step(c)]);
    nodes.add(item, "c-of-context", NodeKind::leaf(to_c));
    let to_mode = leafref(&mut nodes, mode, LeafrefStart::Root, vec![step(mode)]);
    nodes.add(item, "mode-of", NodeKind::leaf(to_mode));
    let modes = nodes.add(options, "modes-of", NodeKind::leaf_list(to_mode));
    set_defaults(&mut nodes, modes, &["auto"]);
    let to_host = leafref(&mut nodes, host, LeafrefStart::Up(1), vec![step(host)]);
    nodes.add(item, "own-host", NodeKind::leaf(to_host));
    let style = nodes.add(item, "style", NodeKind::choice());
    let plain = nodes.add(style, "plain", NodeKind::Case);
    let shape = nodes.leaf(plain, "shape");
    set_default(&mut nodes, shape, "round");
    let fancy = nodes.add(style, "fancy", NodeKind::Case);
    nodes.leaf(fancy, "color");
    set_default_case(&mut nodes, style, plain);
    let to_shape = leafref(&mut nodes, shape, LeafrefStart::Root, vec![step(item), step(shape)]);
    nodes.add(root, "some-shape", NodeKind::leaf(to_shape));
    let extra = nodes.add(item, "extra", NodeKind::presence_container());
    let way = nodes.add(extra, "way", NodeKind::choice());
    let usual = nodes.add(way, "usual", NodeKind::Case);
    let fallback = nodes.add(usual, "fallback", NodeKind::leaf(by_value));
    set_default(&mut nodes, fallback, "g");
    let other = nodes.add(way, "unusual", NodeKind::Case);
    nodes.leaf(other, "other");
    set_default_case(&mut nodes, way, usual);
    let union = TypeKind::Union { members: vec![by_key, nodes.number] };
    let union = nodes.builder.add_type(Type::new(union));
    nodes.add(item, "group-or-number", NodeKind::leaf(union));
    let path = nodes.builder.add_type(Type::new(TypeKind::InstanceIdentifier { require_instance: true }));
    nodes.add(item, "instance", NodeKind::leaf(path));
    Arc::new(nodes.builder.build().unwrap())
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

fn set_default(nodes: &mut Nodes, leaf: NodeId, value: &str) {
    if let NodeKind::Leaf(leaf) = &mut nodes.builder.node_mut(leaf).unwrap().kind {
        leaf.default = Some(value.into());
    }
}

fn set_default_case(nodes: &mut Nodes, choice: NodeId, case: NodeId) {
    if let NodeKind::Choice(choice) = &mut nodes.builder.node_mut(choice).unwrap().kind {
        choice.default = Some(case);
    }
}

fn set_defaults(nodes: &mut Nodes, node: NodeId, defaults: &[&str]) {
    if let NodeKind::LeafList(list) = &mut nodes.builder.node_mut(node).unwrap().kind {
        list.defaults = defaults.iter().map(|value| (*value).into()).collect();
    }
}

fn limit(nodes: &mut Nodes, node: NodeId, min_entries: u32, max_entries: Option<u32>) {
    match &mut nodes.builder.node_mut(node).unwrap().kind {
        NodeKind::List(list) => (list.min, list.max) = (min_entries, max_entries),
        NodeKind::LeafList(LeafList { min, max, .. }) => (*min, *max) = (min_entries, max_entries),
        _ => panic!("not a list"),
    }
}
