use std::sync::Arc;

use portreeve_datastore::RefusalKind;
use portreeve_lcd::{Lcd, LcdDraft, Tables, TextScalar};
use portreeve_yang::{Module, Node, NodeId, NodeKind, Schema, SchemaBuilder, Type, TypeKind};
use portreeve_yang_tree::{Editor, Operation, Tree};

use super::links;

/// The parts of `ietf-system` that have links, in a module of this name.
fn schema(module: &str) -> Arc<Schema> {
    let mut builder = SchemaBuilder::new();
    let module = builder.add_module(Module::new(module, "urn:system", "sys"));
    let string = builder.add_type(Type::new(TypeKind::string()));
    let system = builder.add_node(NodeId::ROOT, Node::new(module, "system", NodeKind::container()));
    for leaf in ["contact", "hostname", "location"] {
        builder.add_node(system, Node::new(module, leaf, NodeKind::leaf(string)));
    }
    Arc::new(builder.build().unwrap())
}

/// Returns the tree with these leafs in `/system`; a leaf without a value is removed.
fn edited(schema: &Arc<Schema>, tree: &Tree, leafs: &[(&str, Option<&str>)]) -> Tree {
    let system = schema.children(NodeId::ROOT)[0];
    let mut editor = Editor::new(Arc::clone(schema), tree, Operation::Merge);
    editor.open(system, None, None).unwrap();
    for (name, value) in leafs {
        let leaf = schema.children(system).iter().find(|id| *schema.node(**id).name == **name).unwrap();
        let operation = if value.is_some() { Operation::Merge } else { Operation::Remove };
        editor.leaf(*leaf, Some(operation), *value).unwrap();
    }
    editor.close().unwrap();
    editor.finish().unwrap()
}

fn tables(contact: TextScalar, location: TextScalar) -> Tables {
    let mut tables = Tables::default();
    tables.scalars.sys_contact = contact;
    tables.scalars.sys_location = location;
    tables
}

/// Returns the tree after all links.
fn to_tree(schema: &Arc<Schema>, tables: &Tables, tree: &Tree) -> Tree {
    links(schema).iter().fold(tree.clone(), |tree, link| link.to_tree(tables, &tree).unwrap())
}

/// Returns contact and location in the tables after all links, or the refusal.
fn to_tables(
    schema: &Arc<Schema>,
    tables: Tables,
    before: &Tree,
    after: &Tree,
) -> Result<(TextScalar, TextScalar), (RefusalKind, String)> {
    let mut draft = LcdDraft::new(Arc::new(Lcd::compile(tables)));
    for link in links(schema) {
        link.to_tables(before, after, &mut draft).map_err(|it| (it.kind, it.text.into_owned()))?;
    }
    let scalars = &draft.tables().scalars;
    Ok((scalars.sys_contact.clone(), scalars.sys_location.clone()))
}

#[test]
fn schema_without_the_module_has_no_links() {
    assert_eq!(links(&schema("ietf-system")).len(), 2);
    assert_eq!(links(&schema("acme-system")).len(), 0);
}

#[test]
fn tree_follows_the_tables() {
    let schema = schema("ietf-system");
    let empty = Tree::new();
    let set = tables(TextScalar::set(*b"noc"), TextScalar::default());
    let tree = to_tree(&schema, &set, &empty);
    assert_eq!(tree, edited(&schema, &empty, &[("contact", Some("noc"))]));
    assert!(to_tree(&schema, &set, &tree).is_same_version(&tree), "nothing has changed");
    let other = edited(&schema, &tree, &[("contact", Some("old")), ("location", Some("here"))]);
    assert_eq!(to_tree(&schema, &set, &other), edited(&schema, &tree, &[("location", Some(""))]));
    // The file's value, and text that XML cannot represent, have no leaf.
    for scalar in [TextScalar::read_only(*b"file"), TextScalar::set(*b"a\0"), TextScalar::set(*b"\xFF")] {
        let tables = tables(scalar, TextScalar::default());
        assert_eq!(to_tree(&schema, &tables, &tree), empty);
    }
}

#[test]
fn empty_leaf_and_empty_scalar_are_equal() {
    let schema = schema("ietf-system");
    let tree = edited(&schema, &Tree::new(), &[("contact", Some(""))]);
    let empty = tables(TextScalar::default(), TextScalar::default());
    assert!(to_tree(&schema, &empty, &tree).is_same_version(&tree));
    assert_eq!(to_tree(&schema, &empty, &Tree::new()), Tree::new());
    assert!(to_tables(&schema, empty.clone(), &Tree::new(), &tree).unwrap().0.value.is_empty());
}

#[test]
fn tables_follow_the_tree() {
    let schema = schema("ietf-system");
    let empty = Tree::new();
    let tree = edited(&schema, &empty, &[("contact", Some("noc")), ("location", Some("here"))]);
    let none = || tables(TextScalar::default(), TextScalar::default());
    let both = (TextScalar::set(*b"noc"), TextScalar::set(*b"here"));
    assert!(to_tables(&schema, none(), &empty, &tree).unwrap() == both);
    // A leaf that is removed leaves an empty scalar, which a restart does not restore.
    let without = edited(&schema, &tree, &[("contact", None)]);
    let after = to_tables(&schema, tables(both.0.clone(), both.1.clone()), &tree, &without).unwrap();
    assert!(after == (TextScalar::default(), both.1.clone()));
    // Another change of the tree leaves the tables unchanged.
    let renamed = edited(&schema, &empty, &[("hostname", Some("gate"))]);
    for scalar in [TextScalar::read_only(*b"file"), TextScalar::set(*b"a\0")] {
        let kept = to_tables(&schema, tables(scalar.clone(), none().scalars.sys_location), &empty, &renamed);
        assert!(kept.unwrap().0 == scalar);
    }
}

#[test]
fn scalar_without_a_leaf_survives_the_removal_of_its_leaf() {
    let schema = schema("ietf-system");
    let tree = edited(&schema, &Tree::new(), &[("contact", Some("noc"))]);
    for scalar in [TextScalar::read_only(*b"file"), TextScalar::set(*b"a\0")] {
        // A SET or a reload has changed the scalar, and with it the tree.
        let tables = tables(scalar.clone(), TextScalar::default());
        let after = to_tree(&schema, &tables, &tree);
        assert!(to_tables(&schema, tables, &tree, &after).unwrap().0 == scalar);
    }
}

#[test]
fn values_of_the_file_and_long_values_are_refused() {
    let schema = schema("ietf-system");
    let empty = Tree::new();
    let tree = edited(&schema, &empty, &[("location", Some("here"))]);
    let from_file = tables(TextScalar::default(), TextScalar::read_only(*b"file"));
    let (kind, text) = to_tables(&schema, from_file, &empty, &tree).err().unwrap();
    assert_eq!(kind, RefusalKind::NotWritable);
    assert!(text.contains("system.location"), "{text}");
    let long = edited(&schema, &empty, &[("contact", Some(&"a".repeat(256)))]);
    let none = tables(TextScalar::default(), TextScalar::default());
    assert_eq!(to_tables(&schema, none, &empty, &long).err().unwrap().0, RefusalKind::WrongLength);
}
