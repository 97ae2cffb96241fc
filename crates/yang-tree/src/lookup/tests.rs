use portreeve_yang::{Entry, InstancePath, NodeId, Schema};

use crate::{
    Tree,
    changes::ChangeKind,
    samples::{schema, tree},
};

const DATA: &str =
    "server { name=a a=1 tls { peer { id=x } } tag=t } server { name=b } pair { x=1 y=2 } dns=d";

/// Returns the path of these names, each with its keys or value after `=`.
fn path(schema: &Schema, text: &str) -> InstancePath {
    let module = schema.module_by_name("example").unwrap();
    let (mut path, mut parent) = (InstancePath::new(), NodeId::ROOT);
    for step in text.split('/').filter(|step| !step.is_empty()) {
        let mut words = step.split('=');
        let node = schema.data_child(parent, module, words.next().unwrap()).unwrap();
        let values: Vec<Box<str>> = words.map(Into::into).collect();
        path.push(
            node,
            match values.as_slice() {
                [] => Entry::All,
                [value] if schema.leaf_list(node).is_some() => Entry::Value(value.clone()),
                _ => Entry::Keys(values),
            },
        );
        parent = node;
    }
    path
}

#[test]
fn instances_are_found_by_their_paths() {
    let schema = schema();
    let data = tree(&schema, DATA);
    for (text, exists) in [
        ("/", true),
        ("/server", true),
        ("/rule", false),
        ("/server=a", true),
        ("/server=c", false),
        ("/server=a/name", true),
        ("/server=a/a", true),
        ("/server=b/a", false),
        // A default.
        ("/server=a/port", true),
        ("/server=c/port", false),
        ("/server=a/tls", true),
        ("/server=b/tls", false),
        ("/server=a/tls/peer=x", true),
        ("/server=a/tls/peer=y", false),
        ("/server=a/tls/certificate", false),
        // A container without presence exists, unless another case does.
        ("/system/clock", true),
        ("/server=a/inner", true),
        ("/server=b/inner", false),
        ("/server=a/tag", true),
        ("/server=a/tag=t", true),
        ("/server=a/tag=u", false),
        ("/dns=d", true),
        ("/pair=2=1", true),
        ("/pair=1=2", false),
        ("/pair=2", false),
        ("/contact", false),
    ] {
        assert_eq!(data.contains(&schema, &path(&schema, text)), exists, "{text}");
    }
}

#[test]
fn rows_of_changes_are_found_by_their_paths() {
    let schema = schema();
    let data = tree(&schema, DATA);
    let changes = Tree::new().changes(&schema, &data);
    assert_eq!(changes.len(), 4);
    for change in changes {
        match change.kind {
            ChangeKind::Row { after, .. } => assert_eq!(data.row(&schema, &change.path), after.as_ref()),
            _ => assert_eq!(data.row(&schema, &change.path), None),
        }
        assert!(data.contains(&schema, &change.path));
    }
}
