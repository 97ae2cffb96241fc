use portreeve_yang_tree::{Operation, Tree};
use proptest::prelude::*;

use super::*;
use crate::test_schema::{edit, schema, whole_xml};

fn tree(schema: &Arc<Schema>, xml: &str) -> Tree {
    edit(schema, &Tree::new(), xml, Operation::Merge).unwrap()
}

#[test]
fn tree_is_written_in_schema_order_with_keys_first() {
    let schema = schema();
    let tree = tree(
        &schema,
        "<n:top>t</n:top><tag>b</tag><tag>a</tag><step><id>2</id></step><step><id>1</id></step>
        <user><name>&lt;</name><zone>1</zone><uid>7</uid>
          <address><ip>::1</ip><note> n </note></address></user>
        <user><name>b</name><zone>0</zone></user>
        <present/><settings><n:extra>e</n:extra><size>05</size></settings>",
    );
    let expected = "<settings xmlns=\"urn:m\"><size>5</size><extra xmlns=\"urn:n\">e</extra></settings>\
        <present xmlns=\"urn:m\"/>\
        <user xmlns=\"urn:m\"><name>&lt;</name><zone>1</zone><uid>7</uid>\
        <address><ip>::1</ip><note> n </note></address></user>\
        <user xmlns=\"urn:m\"><name>b</name><zone>0</zone></user>\
        <step xmlns=\"urn:m\"><id>2</id></step><step xmlns=\"urn:m\"><id>1</id></step>\
        <tag xmlns=\"urn:m\">a</tag><tag xmlns=\"urn:m\">b</tag>\
        <top xmlns=\"urn:n\">t</top>";
    assert_eq!(whole_xml(&schema, &tree), expected);
}

#[test]
fn empty_tree_is_written_as_nothing() {
    let schema = schema();
    assert_eq!(whole_xml(&schema, &Tree::new()), "");
}

#[test]
fn identity_is_written_with_the_prefix_of_its_module() {
    let schema = schema();
    let tree = tree(&schema, "<settings xmlns:q='urn:n'><kind>q:derived</kind></settings>");
    let expected = r#"<settings xmlns="urn:m"><kind xmlns:n="urn:n">n:derived</kind></settings>"#;
    assert_eq!(whole_xml(&schema, &tree), expected);
}

#[test]
fn pieces_are_limited_and_long_values_are_complete() {
    let schema = schema();
    let long = "é<\u{1f600}".repeat(100_000);
    let escaped = long.replace('<', "&lt;");
    let entries: String =
        (0..2000).map(|n| format!("<user><name>u{n}</name><zone>1</zone></user>")).collect();
    let tree = tree(&schema, &format!("<present><x>{escaped}</x></present><tag>{escaped}</tag>{entries}"));
    let (mut tree_writer, mut writer) = (TreeWriter::new(Arc::clone(&schema)), Writer::new());
    tree_writer.whole(&mut writer, NodeId::ROOT, Arc::clone(tree.root())).unwrap();
    let (mut xml, mut progress) = (Vec::new(), Progress::More);
    while progress != Progress::Done {
        progress = tree_writer.advance(&mut writer).unwrap();
        assert!(writer.output().len() <= MAX_PIECE + 6 * value::VALUE_PART);
        xml.append(&mut writer.take_output(Vec::new()));
    }
    let xml = String::from_utf8(xml).unwrap();
    assert_eq!(xml.matches(&escaped).count(), 2);
    assert_eq!(xml.matches("<user ").count(), 2000);
    assert_eq!(edit(&schema, &Tree::new(), &xml, Operation::Merge).unwrap(), tree);
}

#[test]
fn instances_that_the_caller_selects_are_written_in_sequence() {
    let schema = schema();
    let m = schema.module_by_name("m").unwrap();
    let node = |parent, name| schema.data_child(parent, m, name).unwrap();
    let user = node(NodeId::ROOT, "user");
    let tree = tree(
        &schema,
        "<user><name>a</name><zone>1</zone><address><ip>::1</ip><note>n</note></address></user>",
    );
    let list = tree.root().list(schema.row_children_in(user).start).unwrap();
    let (_, entry) = list.first().unwrap();
    let (mut tree_writer, mut writer) = (TreeWriter::new(Arc::clone(&schema)), Writer::new());
    tree_writer.open(&mut writer, user).unwrap();
    tree_writer.leaf(&mut writer, node(user, "zone"), entry).unwrap();
    tree_writer.leaf(&mut writer, node(user, "uid"), entry).unwrap();
    let address = node(user, "address");
    let (_, address_row) = entry.list(schema.row_children_in(address).start).unwrap().first().unwrap();
    tree_writer.whole(&mut writer, address, Arc::clone(address_row)).unwrap();
    assert_eq!(tree_writer.advance(&mut writer), Ok(Progress::Done));
    let long = "7".repeat(value::VALUE_PART + 1);
    tree_writer.leaf_list_entry(&mut writer, node(NodeId::ROOT, "tag"), &long).unwrap();
    assert_eq!(tree_writer.advance(&mut writer), Ok(Progress::Done));
    tree_writer.close(&mut writer);
    let xml = String::from_utf8(writer.take_output(Vec::new())).unwrap().replace(&long, "7…");
    let expected = "<user xmlns=\"urn:m\"><zone>1</zone><address><ip>::1</ip><note>n</note></address><tag>7…</tag></user>";
    assert_eq!(xml, expected);
}

#[test]
fn long_value_with_names_has_prefixes() {
    let schema = schema();
    let long = "x".repeat(3 * value::VALUE_PART);
    let xml = format!(
        "<settings xmlns:q='urn:m'><path>/q:user[q:name='{long}'][q:zone='1']/q:uid</path></settings>"
    );
    let tree = tree(&schema, &xml);
    let written = whole_xml(&schema, &tree);
    let expected = format!(
        "<settings xmlns=\"urn:m\"><path xmlns:m=\"urn:m\">/m:user[m:name='{long}'][m:zone='1']/m:uid</path></settings>"
    );
    assert_eq!(written, expected);
    assert_eq!(edit(&schema, &Tree::new(), &written, Operation::Merge).unwrap(), tree);
}

#[test]
fn long_leaf_is_not_copied() {
    let schema = schema();
    let tree = tree(&schema, &format!("<present><x>{}</x></present>", "x".repeat(3 * value::VALUE_PART)));
    let m = schema.module_by_name("m").unwrap();
    let present = schema.data_child(NodeId::ROOT, m, "present").unwrap();
    let x = schema.data_child(present, m, "x").unwrap();
    let row = tree.root().container(schema.row_children_in(present).start).unwrap();
    let (mut tree_writer, mut writer) = (TreeWriter::new(Arc::clone(&schema)), Writer::new());
    let before = Arc::strong_count(row);
    tree_writer.leaf(&mut writer, x, row).unwrap();
    assert_eq!(Arc::strong_count(row), before + 1, "the rest of the value is in the row");
    assert_eq!(tree_writer.advance(&mut writer), Ok(Progress::Done));
    assert_eq!(Arc::strong_count(row), before);
}

/// Hides the nodes with these names.
struct Hidden(Arc<Schema>, &'static [&'static str]);

impl ReadAccess for Hidden {
    fn may_read(&self, node: NodeId) -> bool {
        !self.1.contains(&&*self.0.node(node).name)
    }
}

#[test]
fn nodes_that_the_user_may_not_read_are_omitted() {
    let schema = schema();
    let tree = tree(
        &schema,
        "<settings><size>5</size></settings><present><x>1</x></present><tag>a</tag>
        <user><name>a</name><zone>1</zone><uid>7</uid><address><ip>::1</ip></address></user>",
    );
    let write = |hidden| {
        let access = Arc::new(Hidden(Arc::clone(&schema), hidden));
        let mut tree_writer = TreeWriter::new(Arc::clone(&schema)).with_access(access);
        let mut writer = Writer::new();
        tree_writer.whole(&mut writer, NodeId::ROOT, Arc::clone(tree.root())).unwrap();
        assert_eq!(tree_writer.advance(&mut writer), Ok(Progress::Done));
        assert_eq!(writer.depth(), 0);
        String::from_utf8(writer.take_output(Vec::new())).unwrap().replace(" xmlns=\"urn:m\"", "")
    };
    let user = "<user><name>a</name><zone>1</zone>";
    let address = "<address><ip>::1</ip></address></user>";
    // A container without presence is not written if nothing in it is.
    assert_eq!(write(&["size", "uid"]), format!("<present><x>1</x></present>{user}{address}<tag>a</tag>"));
    assert_eq!(write(&["settings", "present", "address", "tag"]), format!("{user}<uid>7</uid></user>"));
    assert_eq!(write(&["user", "x"]), "<settings><size>5</size></settings><present/><tag>a</tag>");
}

proptest! {
    #[test]
    fn tree_that_is_written_and_read_is_the_same(
        users in prop::collection::btree_map("[a-c<é]{0,2}", (0..4_u8, prop::option::of("(?s)[ -~\n\r\t]{0,5}")), 0..20),
        tags in prop::collection::btree_set("[a-d&\n]{1,2}", 0..6),
        steps in prop::collection::btree_set(0..9_u8, 0..6),
        size in prop::option::of(0..99_u8),
    ) {
        let schema = schema();
        let mut xml = String::new();
        let escape = |text: &str| text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('\r', "&#13;");
        for (name, (zone, note)) in &users {
            let note = note.iter().map(|note| format!("<address><ip>i</ip><note>{}</note></address>", escape(note)));
            let note: String = note.collect();
            xml += &format!("<user><name>{}</name><zone>{zone}</zone>{note}</user>", escape(name));
        }
        xml.extend(tags.iter().map(|tag| format!("<tag>{}</tag>", escape(tag))));
        xml.extend(steps.iter().rev().map(|step| format!("<step><id>{step}</id></step>")));
        xml.extend(size.map(|size| format!("<settings><size>{size}</size></settings>")));
        let tree = tree(&schema, &xml);
        let written = whole_xml(&schema, &tree);
        let again = edit(&schema, &Tree::new(), &written, Operation::Merge).unwrap();
        prop_assert_eq!(whole_xml(&schema, &again), written);
    }
}
