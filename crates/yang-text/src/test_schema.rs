//! A schema with each kind of node, for tests.

use std::sync::Arc;

use portreeve_yang::{
    ErrorStatements, Identity, IntegerKind, Interval, LengthRestriction, List, Module, Node, NodeId,
    NodeKind, Schema, SchemaBuilder, Status, Type, TypeKind,
};
use portreeve_yang_tree::{Editor, Operation, Tree};

use crate::Progress;
use crate::read::{DataReader, ReadError};
use crate::write::TreeWriter;
use crate::xml::{Tokenizer, Writer};

/// Returns the schema. Two modules, `m` and `n`, have the namespaces `urn:m` and `urn:n`.
pub(crate) fn schema() -> Arc<Schema> {
    let mut builder = SchemaBuilder::new();
    let m = builder.add_module(Module::new("m", "urn:m", "m"));
    let n = builder.add_module(Module::new("n", "urn:n", "n"));
    let identity =
        |module, name: &str, bases| Identity { name: name.into(), module, bases, status: Status::Current };
    let base = builder.add_identity(identity(m, "base", Vec::new()));
    builder.add_identity(identity(n, "derived", vec![base]));
    let string = builder.add_type(Type::new(TypeKind::string()));
    let length = LengthRestriction {
        intervals: vec![Interval { min: 0, max: 10 }],
        error: ErrorStatements {
            message: Some("at most 10 characters".into()),
            app_tag: Some("name-too-long".into()),
        },
    };
    let short = TypeKind::String { length: Some(length), patterns: Vec::new() };
    let short = builder.add_type(Type::new(short));
    let number = builder.add_type(Type::new(TypeKind::integer(IntegerKind::Uint8)));
    let identity = builder.add_type(Type::new(TypeKind::Identityref { bases: vec![base] }));
    let path = builder.add_type(Type::new(TypeKind::InstanceIdentifier { require_instance: false }));

    let mut add = |parent, module, name: &str, kind| builder.add_node(parent, Node::new(module, name, kind));
    let settings = add(NodeId::ROOT, m, "settings", NodeKind::container());
    add(settings, m, "name", NodeKind::leaf(short));
    add(settings, m, "size", NodeKind::leaf(number));
    add(settings, m, "kind", NodeKind::leaf(identity));
    add(settings, n, "extra", NodeKind::leaf(string));
    add(settings, m, "path", NodeKind::leaf(path));
    add(settings, m, "any", NodeKind::AnyData { mandatory: false });
    let present = add(NodeId::ROOT, m, "present", NodeKind::presence_container());
    add(present, m, "x", NodeKind::leaf(string));
    let user = add(NodeId::ROOT, m, "user", NodeKind::list());
    add(user, m, "uid", NodeKind::leaf(number));
    let user_keys =
        [add(user, m, "name", NodeKind::leaf(string)), add(user, m, "zone", NodeKind::leaf(number))];
    let address = add(user, m, "address", NodeKind::list());
    let address_keys = [add(address, m, "ip", NodeKind::leaf(string))];
    add(address, m, "note", NodeKind::leaf(string));
    let ordered = NodeKind::List(List { user_ordered: true, ..List::default() });
    let step = add(NodeId::ROOT, m, "step", ordered);
    let step_keys = [add(step, m, "id", NodeKind::leaf(number))];
    add(NodeId::ROOT, m, "tag", NodeKind::leaf_list(string));
    let place = add(NodeId::ROOT, m, "place", NodeKind::leaf_list(number));
    add(NodeId::ROOT, n, "top", NodeKind::leaf(string));
    let counter = add(NodeId::ROOT, m, "counter", NodeKind::leaf(number));

    for (list, keys) in [(user, &user_keys[..]), (address, &address_keys), (step, &step_keys)] {
        builder.set_keys(list, keys);
    }
    if let Some(Node { kind: NodeKind::LeafList(list), .. }) = builder.node_mut(place) {
        list.user_ordered = true;
    }
    builder.node_mut(counter).unwrap().config = false;
    Arc::new(builder.build().unwrap())
}

/// Edits a tree with the content of a `config` element, in which `m` and `n` are the prefixes of
/// the modules, `nc` and `y` those of NETCONF and YANG, and `m` is the default namespace.
pub(crate) fn edit(
    schema: &Arc<Schema>,
    tree: &Tree,
    xml: &str,
    operation: Operation,
) -> Result<Tree, ReadError> {
    let head = "<config xmlns='urn:m' xmlns:m='urn:m' xmlns:n='urn:n' \
                xmlns:nc='urn:ietf:params:xml:ns:netconf:base:1.0' xmlns:y='urn:ietf:params:xml:ns:yang:1'>";
    let (mut tokenizer, mut reader) = (Tokenizer::new(), DataReader::new());
    let mut editor = Editor::new(schema.clone(), tree, operation);
    tokenizer.next_event(&mut head.as_bytes()).unwrap();
    for mut octets in xml.as_bytes().chunks(5) {
        while let Some(event) = tokenizer.next_event(&mut octets).unwrap() {
            reader.read(event, schema, &mut editor)?;
        }
    }
    assert!(reader.is_at_top_level());
    Ok(editor.finish().unwrap())
}

/// Returns the whole tree as XML.
pub(crate) fn whole_xml(schema: &Arc<Schema>, tree: &Tree) -> String {
    let (mut tree_writer, mut writer) = (TreeWriter::new(Arc::clone(schema)), Writer::new());
    tree_writer.whole(&mut writer, NodeId::ROOT, Arc::clone(tree.root())).unwrap();
    let mut xml = Vec::new();
    while tree_writer.advance(&mut writer).unwrap() != Progress::Done {
        xml.append(&mut writer.take_output(Vec::new()));
    }
    xml.append(&mut writer.take_output(Vec::new()));
    String::from_utf8(xml).unwrap()
}
