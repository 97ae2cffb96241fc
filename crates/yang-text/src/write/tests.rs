use portreeve_yang_tree::{Operation, Tree};
use proptest::prelude::*;

use super::*;
use crate::test_schema::{edit, schema, whole_xml};

fn tree(schema: &Schema, xml: &str) -> Tree {
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
    let mut writer = TreeWriter::new(Arc::clone(&schema));
    writer.whole(NodeId::ROOT, Arc::clone(tree.root())).unwrap();
    let (mut xml, mut piece, mut is_full) = (Vec::new(), Vec::new(), true);
    while is_full || !piece.is_empty() {
        xml.append(&mut piece);
        is_full = writer.fill().unwrap();
        writer.take_piece(&mut piece);
        assert!(piece.len() <= MAX_PIECE);
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
    let mut writer = TreeWriter::new(Arc::clone(&schema));
    writer.open(user).unwrap();
    writer.leaf(node(user, "zone"), "1").unwrap();
    let address = node(user, "address");
    let (_, address_row) = entry.list(schema.row_children_in(address).start).unwrap().first().unwrap();
    writer.whole(address, Arc::clone(address_row)).unwrap();
    assert!(!writer.fill().unwrap());
    writer.leaf(node(user, "uid"), &"7".repeat(VALUE_PART + 1)).unwrap();
    assert!(!writer.fill().unwrap());
    writer.close();
    let mut xml = Vec::new();
    writer.take_piece(&mut xml);
    let xml = String::from_utf8(xml).unwrap().replace(&"7".repeat(VALUE_PART + 1), "7…");
    let expected = "<user xmlns=\"urn:m\"><zone>1</zone><address><ip>::1</ip><note>n</note></address><uid>7…</uid></user>";
    assert_eq!(xml, expected);
}

proptest! {
    #[test]
    fn tree_that_is_written_and_read_is_the_same(
        users in prop::collection::vec(("[a-c<é]{0,2}", 0..4_u8, prop::option::of("(?s)[ -~\n\r\t]{0,5}")), 0..20),
        tags in prop::collection::vec("[a-d&\n]{1,2}", 0..6),
        steps in prop::collection::btree_set(0..9_u8, 0..6),
        size in prop::option::of(0..99_u8),
    ) {
        let schema = schema();
        let mut xml = String::new();
        let escape = |text: &str| text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('\r', "&#13;");
        for (name, zone, note) in &users {
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
