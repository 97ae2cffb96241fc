//! A small schema for tests, and a notation for edits and trees.
//!
//! `server!create { name=a tls { certificate=x } tag=1 } dns@first=b`: a node, `!` and its
//! operation, `@` and its place, `=` and its value, its content in braces.

use std::{collections::BTreeMap, sync::Arc};

use portreeve_yang::{
    Choice, IntegerKind, Module, ModuleId, Node, NodeId, NodeKind, Schema, SchemaBuilder, Type, TypeId,
    TypeKind,
};

use crate::{
    DataChild, EditError, EditReason, Editor, Instance, Operation, Placement, RowKey, Tree, value_key,
    value_of,
};

mod random;

pub(crate) use random::{random_edit, random_edit_of, random_edits};

/// Adds nodes of one module.
pub(crate) struct Nodes {
    pub(crate) builder: SchemaBuilder,
    pub(crate) module: ModuleId,
    pub(crate) string: TypeId,
    pub(crate) number: TypeId,
}

impl Nodes {
    pub(crate) fn new() -> Self {
        let mut builder = SchemaBuilder::new();
        let module = builder.add_module(Module::new("example", "urn:example", "ex"));
        let string = builder.add_type(Type::new(TypeKind::string()));
        let number = builder.add_type(Type::new(TypeKind::integer(IntegerKind::Uint32)));
        Self { builder, module, string, number }
    }

    pub(crate) fn add(&mut self, parent: NodeId, name: &str, kind: NodeKind) -> NodeId {
        self.builder.add_node(parent, Node::new(self.module, name, kind))
    }

    pub(crate) fn leaf(&mut self, parent: NodeId, name: &str) -> NodeId {
        self.add(parent, name, NodeKind::leaf(self.string))
    }

    /// Adds a list with a key leaf.
    pub(crate) fn list(&mut self, parent: NodeId, name: &str, key: &str) -> NodeId {
        let list = self.add(parent, name, NodeKind::list());
        let key = self.leaf(list, key);
        self.builder.set_keys(list, &[key]);
        list
    }

    pub(crate) fn order_by_user(&mut self, node: NodeId) {
        match &mut self.builder.node_mut(node).unwrap().kind {
            NodeKind::List(list) => list.user_ordered = true,
            NodeKind::LeafList(list) => list.user_ordered = true,
            _ => panic!("not a list"),
        }
    }
}

/// Returns a schema with each kind of node.
pub(crate) fn schema() -> Arc<Schema> {
    let mut nodes = Nodes::new();
    let root = NodeId::ROOT;
    nodes.leaf(root, "contact");
    let system = nodes.add(root, "system", NodeKind::container());
    nodes.leaf(system, "location");
    let clock = nodes.add(system, "clock", NodeKind::container());
    nodes.leaf(clock, "zone");
    let server = nodes.list(root, "server", "name");
    let port = nodes.add(server, "port", NodeKind::leaf(nodes.number));
    if let NodeKind::Leaf(leaf) = &mut nodes.builder.node_mut(port).unwrap().kind {
        leaf.default = Some("80".into());
    }
    let tls = nodes.add(server, "tls", NodeKind::presence_container());
    nodes.leaf(tls, "certificate");
    nodes.list(tls, "peer", "id");
    let mode = nodes.add(server, "mode", NodeKind::choice());
    let one = nodes.add(mode, "one", NodeKind::Case);
    nodes.leaf(one, "a");
    let inner = nodes.add(one, "inner", NodeKind::container());
    nodes.leaf(inner, "b");
    let two = nodes.add(mode, "two", NodeKind::Case);
    nodes.leaf(two, "c");
    nodes.list(two, "d", "k");
    nodes.add(two, "e", NodeKind::leaf_list(nodes.string));
    let nested = nodes.add(two, "nested", NodeKind::Choice(Choice::default()));
    for (case, leaf) in [("three", "f"), ("four", "g")] {
        let case = nodes.add(nested, case, NodeKind::Case);
        nodes.leaf(case, leaf);
    }
    nodes.add(server, "tag", NodeKind::leaf_list(nodes.string));
    let alias = nodes.list(server, "alias", "name");
    nodes.leaf(alias, "note");
    let rule = nodes.list(root, "rule", "id");
    nodes.leaf(rule, "action");
    nodes.order_by_user(rule);
    let dns = nodes.add(root, "dns", NodeKind::leaf_list(nodes.string));
    nodes.order_by_user(dns);
    let pair = nodes.add(root, "pair", NodeKind::list());
    let (x, y) = (nodes.leaf(pair, "x"), nodes.leaf(pair, "y"));
    nodes.builder.set_keys(pair, &[y, x]);
    nodes.leaf(pair, "z");
    let state = nodes.add(root, "state", NodeKind::container());
    let uptime = nodes.leaf(state, "uptime");
    let event = nodes.add(state, "event", NodeKind::list());
    let note = nodes.leaf(event, "note");
    for node in [state, uptime, event, note] {
        nodes.builder.node_mut(node).unwrap().config = false;
    }
    Arc::new(nodes.builder.build().unwrap())
}

/// Performs the edits of a text with `merge` as the default operation.
pub(crate) fn edit(schema: &Arc<Schema>, tree: &Tree, text: &str) -> Result<Tree, EditError> {
    edit_with(schema, tree, Operation::Merge, text)
}

/// Performs the edits of a text.
pub(crate) fn edit_with(
    schema: &Arc<Schema>,
    tree: &Tree,
    operation: Operation,
    text: &str,
) -> Result<Tree, EditError> {
    perform(schema, Editor::new(schema.clone(), tree, operation), text)
}

/// Performs the edits of a text with an editor.
pub(crate) fn perform(schema: &Arc<Schema>, mut editor: Editor, text: &str) -> Result<Tree, EditError> {
    let mut open = vec![NodeId::ROOT];
    let mut words = text.split_whitespace();
    while let Some(word) = words.next() {
        if word == "}" {
            open.pop();
            editor.close()?;
            continue;
        }
        let (word, value) = word.split_once('=').map_or((word, None), |(word, value)| (word, Some(value)));
        let (word, place) = word.split_once('@').map_or((word, None), |(word, place)| (word, Some(place)));
        let (name, operation) = word
            .split_once('!')
            .map_or((word, None), |(name, operation)| (name, Some(operation_of(operation))));
        let parent = *open.last().unwrap();
        let module = schema.module_by_name("example").unwrap();
        let node = schema.data_child(parent, module, name).unwrap_or_else(|| panic!("no node {name}"));
        let is_list = matches!(schema.node(node).kind, NodeKind::List(_));
        let key = |key| match is_list {
            true => RowKey::from(&schema.encode_key(node, [key]).unwrap()[..]),
            false => value_key(key),
        };
        let placement = place.map(|place| match place.split_once(':') {
            None if place == "first" => Placement::First,
            None => Placement::Last,
            Some(("before", anchor)) => Placement::Before(key(anchor)),
            Some((_, anchor)) => Placement::After(key(anchor)),
        });
        match &schema.node(node).kind {
            NodeKind::LeafList(_) => {
                editor.leaf_list_entry(node, operation, placement, value.unwrap_or_default())?
            }
            NodeKind::Leaf(_) => editor.leaf(node, operation, value)?,
            _ => {
                editor.open(node, operation, placement)?;
                assert_eq!(words.next(), Some("{"), "after {name}");
                open.push(node);
            }
        }
    }
    editor.finish()
}

fn operation_of(name: &str) -> Operation {
    match name {
        "merge" => Operation::Merge,
        "replace" => Operation::Replace,
        "create" => Operation::Create,
        "delete" => Operation::Delete,
        "remove" => Operation::Remove,
        "none" => Operation::Enter,
        _ => panic!("no operation {name}"),
    }
}

/// Returns a tree with this content.
pub(crate) fn tree(schema: &Arc<Schema>, text: &str) -> Tree {
    edit(schema, &Tree::new(), text).unwrap()
}

/// Returns the content of a tree.
pub(crate) fn text(schema: &Arc<Schema>, tree: &Tree) -> String {
    let mut words = Vec::new();
    write(schema, Instance::root(tree), &mut words);
    words.join(" ")
}

fn write(schema: &Arc<Schema>, instance: Instance<'_>, words: &mut Vec<String>) {
    let name = |node| schema.node(node).name.to_string();
    for child in instance.children(schema) {
        match child {
            DataChild::Leaf(node, value) => words.push(format!("{}={value}", name(node))),
            DataChild::Container(container) => {
                words.extend([name(container.node()), "{".into()]);
                write(schema, container, words);
                words.push("}".into());
            }
            DataChild::List(node, list) => {
                for (_, row) in list.iter() {
                    words.extend([name(node), "{".into()]);
                    write(schema, Instance::new(node, row), words);
                    words.push("}".into());
                }
            }
            DataChild::LeafList(node, values) => {
                words.extend(values.iter().map(|(key, ())| format!("{}={}", name(node), value_of(key))));
            }
        }
    }
}

/// Returns the reason and the path of an error.
pub(crate) fn failure(schema: &Arc<Schema>, result: Result<Tree, EditError>) -> (EditReason, String) {
    let error = result.expect_err("the edit is accepted");
    (error.reason, error.path.display(schema).to_string())
}

/// Returns all leafs, leaf-list entries and rows of a tree by their paths.
pub(crate) fn flattened(schema: &Arc<Schema>, tree: &Tree) -> BTreeMap<String, String> {
    let mut all = BTreeMap::new();
    flatten(schema, Instance::root(tree), "", &mut all);
    all
}

fn flatten(schema: &Arc<Schema>, instance: Instance<'_>, path: &str, all: &mut BTreeMap<String, String>) {
    let path_of = |node| format!("{path}/{}", schema.node(node).name);
    for child in instance.children(schema) {
        match child {
            DataChild::Leaf(node, value) => drop(all.insert(path_of(node), value.to_owned())),
            DataChild::Container(container) => {
                let path = path_of(container.node());
                if schema.node(container.node()).is_row() {
                    all.insert(path.clone(), String::new());
                }
                flatten(schema, container, &path, all);
            }
            DataChild::List(node, list) => {
                for (key, row) in list.iter() {
                    let path = format!("{}[{}]", path_of(node), key.as_octets().escape_ascii());
                    all.insert(path.clone(), String::new());
                    flatten(schema, Instance::new(node, row), &path, all);
                }
            }
            DataChild::LeafList(node, values) => {
                values.iter().for_each(|(key, ())| {
                    drop(all.insert(format!("{}={}", path_of(node), value_of(key)), String::new()))
                });
            }
        }
    }
}
