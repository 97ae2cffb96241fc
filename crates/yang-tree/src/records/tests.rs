use std::{collections::BTreeMap, convert::Infallible, sync::Arc};

use portreeve_yang::{Entry, InstancePath, Module, NodeId, NodeKind, Schema};
use proptest::{prelude::*, test_runner::Config};

use super::{RecordChange, RecordError, RecordReader, RefusedRecord};
use crate::{
    Editor, Operation, Tree,
    samples::{Nodes, edit, random_edits, schema, text, tree},
};

type Store = BTreeMap<Vec<u8>, Vec<u8>>;

fn stored(schema: &Schema, tree: &Tree) -> Store {
    let mut store = Store::new();
    let put = &mut |key: &[u8], value: &[u8]| {
        assert_eq!(store.insert(key.into(), value.into()), None);
        Ok::<_, Infallible>(())
    };
    tree.write_records(schema, put).unwrap();
    store
}

/// Applies the changes of records between two versions.
fn apply_changes(schema: &Schema, store: &mut Store, before: &Tree, after: &Tree) {
    let apply = &mut |change: RecordChange<'_>| {
        match change {
            RecordChange::Put { key, value } => drop(store.insert(key.into(), value.into())),
            RecordChange::RemoveAll { prefix } => store.retain(|key, _| !key.starts_with(prefix)),
        }
        Ok::<_, Infallible>(())
    };
    before.write_record_changes(schema, after, apply).unwrap();
}

fn read(schema: &Schema, store: &Store) -> Result<Tree, Box<RefusedRecord>> {
    let mut reader = RecordReader::new(schema);
    store.iter().try_for_each(|(key, value)| reader.read(key, value))?;
    Ok(reader.finish())
}

proptest! {
    #![proptest_config(Config::with_cases(200))]
    #[test]
    fn changes_keep_the_records_equal_to_those_of_the_tree(edits in random_edits()) {
        let schema = schema();
        let (mut data, mut store) = (Tree::new(), Store::new());
        for request in &edits {
            let Ok(after) = edit(&schema, &data, request) else { continue };
            apply_changes(&schema, &mut store, &data, &after);
            data = after;
            prop_assert_eq!(&store, &stored(&schema, &data), "{}", request);
        }
        prop_assert_eq!(text(&schema, &read(&schema, &store).unwrap()), text(&schema, &data));
        prop_assert_eq!(read(&schema, &store).unwrap(), data);
    }

    #[test]
    fn damaged_records_are_read_or_refused(edits in random_edits(), at in any::<prop::sample::Index>(), octet: u8, cut: bool) {
        let schema = schema();
        let mut data = Tree::new();
        for request in &edits {
            data = edit(&schema, &data, request).unwrap_or(data);
        }
        let store = stored(&schema, &data);
        for (key, value) in &store {
            let mut damaged = [&key[..], &value[..]].concat();
            if damaged.is_empty() {
                continue;
            }
            let at = at.index(damaged.len());
            if cut { damaged.truncate(at) } else { damaged[at] = octet }
            let (key, value) = damaged.split_at(key.len().min(damaged.len()));
            let mut reader = RecordReader::new(&schema);
            store.iter().for_each(|(key, value)| reader.read(key, value).unwrap());
            match reader.read(key, value) {
                // Its tree is one that records describe.
                Ok(()) => {
                    let data = reader.finish();
                    prop_assert_eq!(read(&schema, &stored(&schema, &data)).unwrap(), data);
                }
                Err(_) => {
                    let read = read(&schema, &stored(&schema, &reader.finish())).unwrap();
                    prop_assert!(read.size().leafs <= data.size().leafs);
                }
            }
        }
    }
}

fn refused(key: &[&[u8]], value: &[u8]) -> Option<RecordError> {
    let schema = schema();
    let mut reader = RecordReader::new(&schema);
    reader.read(&key.concat(), value).err().map(|refused| refused.error)
}

#[test]
fn record_that_does_not_fit_the_modules_is_refused() {
    const SERVER: &[u8] = b"\x01\0\x0eexample:server\x01\0\0\0\x01a";
    assert_eq!(refused(&[SERVER], b""), None);
    type Case<'c> = (&'c [&'c [u8]], &'c [u8], RecordError);
    let cases: &[Case<'_>] = &[
        (&[], b"", RecordError::Malformed),
        (&[b"\x04"], b"", RecordError::Malformed),
        (&[b"\x04\0\x07example\x04"], b"", RecordError::Malformed),
        (&[b"\x04\0\x05other"], b"", RecordError::UnknownNode),
        (&[b"\x04\0\x07example"], b"\0\x0eexample:server\0\0\0\0", RecordError::UnknownNode),
        (&[SERVER, b"\0\0\x03tls"], b"", RecordError::Orphan),
        (&[b"\x01\0\x0fexample:servers\x01\0\0\0\x01a"], b"", RecordError::UnknownNode),
        (&[b"\x01\0\x0dunknown:thing\x01\0\0\0\x01a"], b"", RecordError::UnknownNode),
        (&[b"\x01\0\x06server\x01\0\0\0\x01a"], b"", RecordError::Malformed),
        (&[b"\x01\0\x0eexample:server\x02\0\0\0\x01a\0\0\0\x01b"], b"", RecordError::WrongKeys),
        (&[b"\x01\0\x0eexample:server\x01\0\0\x05\0", &[b'a'; 0x500]], b"", RecordError::WrongKeys),
        (&[b"\0\0\x0eexample:server"], b"", RecordError::UnknownNode),
        (&[b"\0\0\x0eexample:system"], b"", RecordError::UnknownNode),
        (&[b"\0\0\x0dexample:state"], b"", RecordError::UnknownNode),
        (&[SERVER], b"\0\x04port\0\0\0\x011\0\x04port\0\0\0\x012", RecordError::Malformed),
        (&[SERVER], b"\0\x04port\0\0\0\x01x", RecordError::InvalidValue),
        (&[SERVER], b"\0\x04port\0\0\0\x0201", RecordError::InvalidValue),
        (&[SERVER], b"\0\x04name\0\0\0\x01b", RecordError::UnknownNode),
        (&[SERVER], b"\0\x05alias\0\0\0\x01b", RecordError::UnknownNode),
        (&[SERVER], b"\0\x05inner\0\0\0\x01b", RecordError::UnknownNode),
        (&[SERVER], b"\0\x04port\0\0\0\x02\xff\xff", RecordError::Malformed),
        (&[SERVER, b"\x03"], b"\0\0\0\0\0\0\0\x01", RecordError::UnknownNode),
        (&[b"\x01\0\x0cexample:rule\x01\0\0\0\x01a\x03"], b"\0\0\0\0\0\0\0\x01", RecordError::Orphan),
        (&[b"\x04\0\x07example"], b"\0\x14example:state/uptime\0\0\0\x011", RecordError::UnknownNode),
        (&[b"\x02\0\x0bexample:dns\0\0\0\x01a"], b"\0", RecordError::Malformed),
        (&[b"\x02\0\x0bexample:dns\0\0\0\x01a", b"\x03"], &[0; 8], RecordError::Malformed),
    ];
    for (key, value, error) in cases {
        assert_eq!(refused(key, value), Some(*error), "{key:?} {value:?}");
    }
}

#[test]
fn keys_begin_with_the_key_of_their_row_only() {
    let schema = schema();
    let data = tree(
        &schema,
        "server { name=a alias { name=x } } server { name=ab } pair { x=a y=b } pair { x=ab y=b }",
    );
    let store = stored(&schema, &data);
    let below = |prefix: &[u8]| store.keys().filter(|key| key.starts_with(prefix)).count();
    let counts: Vec<_> = store.keys().map(|key| below(key)).collect();
    assert_eq!(
        counts.iter().filter(|count| **count == 2).count(),
        1,
        "only the first server has a row below"
    );
    assert_eq!(counts.iter().filter(|count| **count == 1).count(), 4);
}

const SERVER: &[u8] = b"\x01\0\x0eexample:server\x01\0\0\0\x01a";
const UNKNOWN: &[u8] = b"\0\x05color\0\0\0\x03red";
const PORT: &[u8] = b"\0\x04port\0\0\0\x0281";
const WRONG_PORT: &[u8] = b"\0\x04port\0\0\0\x0381x";

#[test]
fn leafs_that_do_not_fit_are_refused_alone() {
    let schema = schema();
    let mut reader = RecordReader::new(&schema);
    let refused = reader.read(SERVER, &[UNKNOWN, PORT].concat()).unwrap_err();
    assert_eq!((refused.error, &refused.value[..]), (RecordError::UnknownNode, UNKNOWN));
    assert_eq!(refused.path, "/example:server", "the path contains no keys");
    assert!(!format!("{refused:?}").contains("red"), "values are not printed");
    let top_level = [&b"\0\x0fexample:unknown\0\0\0\0"[..], b"\0\x0fexample:contact\0\0\0\x01c"].concat();
    let refused = reader.read(b"\x04\0\x07example", &top_level).unwrap_err();
    assert_eq!(refused.value, b"\0\x0fexample:unknown\0\0\0\0");
    let expected = tree(&schema, "contact=c server { name=a port=81 }");
    assert_eq!(reader.finish(), expected);
}

#[test]
fn refused_leafs_are_restored_beside_newer_ones() {
    let schema = schema();
    let mut reader = RecordReader::new(&schema);
    assert_eq!(reader.restore(SERVER, PORT), Ok(()), "the row is created");
    assert_eq!(reader.restore(SERVER, b"\0\x04port\0\0\0\x0282"), Ok(()));
    let mode = b"\0\x01c\0\0\0\x01x";
    assert_eq!(reader.restore(SERVER, mode), Ok(()));
    assert_eq!(reader.restore(SERVER, WRONG_PORT).unwrap_err().error, RecordError::InvalidValue);
    assert_eq!(reader.finish(), tree(&schema, "server { name=a port=81 c=x }"));
}

#[test]
fn restored_value_of_a_leaf_list_keeps_the_place_of_a_newer_one() {
    let schema = schema();
    let mut reader = RecordReader::new(&schema);
    let dns = |value: &[u8]| [b"\x02\0\x0bexample:dns\0\0\0\x01", value].concat();
    for (value, position) in [(b"a", [1; 8]), (b"b", [2; 8])] {
        reader.read(&dns(value), &position).unwrap();
    }
    for (value, position) in [(b"a", [3; 8]), (b"c", [0; 8])] {
        reader.restore(&dns(value), &position).unwrap();
    }
    assert_eq!(reader.finish(), tree(&schema, "dns=c dns=a dns=b"));
}

/// Returns a schema in which a module adds nodes to those of another, with the same names.
fn schema_of_two_modules() -> Arc<Schema> {
    let mut nodes = Nodes::new();
    let other = nodes.builder.add_module(Module::new("other", "urn:other", "ot"));
    let (string, first) = (nodes.string, nodes.module);
    nodes.leaf(NodeId::ROOT, "name");
    let system = nodes.add(NodeId::ROOT, "system", NodeKind::container());
    let tls = nodes.add(NodeId::ROOT, "tls", NodeKind::presence_container());
    for module in [first, other] {
        nodes.module = module;
        nodes.leaf(system, "name");
        nodes.leaf(tls, "name");
        nodes.list(tls, "peer", "id");
        nodes.add(tls, "tag", NodeKind::leaf_list(string));
        nodes.add(system, "clock", NodeKind::presence_container());
    }
    nodes.leaf(NodeId::ROOT, "name");
    Arc::new(nodes.builder.build().unwrap())
}

#[test]
fn records_of_nodes_with_the_same_name_in_two_modules_are_different() {
    let schema = schema_of_two_modules();
    let mut editor = Editor::new(schema.clone(), &Tree::new(), Operation::Merge);
    fill(&schema, &mut editor, NodeId::ROOT);
    let data = editor.finish().unwrap();
    assert_eq!(data.size().leafs, 13, "6 leafs, 2 keys, 2 values, 3 containers");
    let store = stored(&schema, &data);
    assert_eq!(read(&schema, &store).unwrap(), data);
    // The leafs in a container of the first module are in its record.
    let of_first: Vec<_> = store.iter().filter(|(key, _)| key.starts_with(b"\x04\0\x07example")).collect();
    assert_eq!(of_first.len(), 1);
    assert!(of_first[0].1.windows(17).any(|part| part == b"system/other:name"));
    let mut reader = RecordReader::new(&schema);
    let refused = reader.read(b"\x04\0\x05other", of_first[0].1).unwrap_err();
    assert_eq!((refused.error, refused.value.len()), (RecordError::UnknownNode, of_first[0].1.len()));
    assert_eq!(reader.finish(), Tree::new());
}

/// Creates an instance of each node. Each value is the path of its node.
fn fill(schema: &Schema, editor: &mut Editor, parent: NodeId) {
    for node in schema.data_children(parent) {
        let value = schema.schema_path(*node);
        match schema.node(*node).kind {
            NodeKind::Leaf(_) => editor.leaf(*node, None, Some(&value)).unwrap(),
            NodeKind::LeafList(_) => editor.leaf_list_entry(*node, None, None, &value).unwrap(),
            _ => {
                editor.open(*node, None, None).unwrap();
                fill(schema, editor, *node);
                editor.close().unwrap();
            }
        }
    }
}

#[test]
fn values_are_not_checked_if_they_are_trusted() {
    let schema = schema();
    assert!(RecordReader::new(&schema).read(SERVER, WRONG_PORT).is_err());
    let mut trusting = RecordReader::new(&schema).trusting_values();
    assert_eq!(trusting.read(SERVER, WRONG_PORT), Ok(()));
    assert!(trusting.read(SERVER, UNKNOWN).is_err(), "names are looked up nevertheless");
}

#[test]
fn entries_whose_records_lack_a_position_are_counted() {
    const RULE: &[u8] = b"\x01\0\x0cexample:rule\x01\0\0\0\x01a";
    const DNS: &[u8] = b"\x02\0\x0bexample:dns\0\0\0\x01a";
    let schema = schema();
    let mut reader = RecordReader::new(&schema);
    let mut has_unplaced = |key: &[&[u8]], value: &[u8]| {
        reader.read(&key.concat(), value).unwrap();
        reader.has_unplaced_entries()
    };
    assert!(!has_unplaced(&[SERVER], b""), "the list is not ordered by users");
    assert!(has_unplaced(&[RULE], b""));
    assert!(!has_unplaced(&[RULE, b"\x03"], &[1; 8]));
    assert!(!has_unplaced(&[DNS], &[1; 8]));
    assert!(has_unplaced(&[b"\x02\0\x0bexample:dns\0\0\0\x01b"], b""));
}

#[test]
fn writing_stops_at_the_first_error() {
    let schema = schema();
    let data = tree(&schema, "contact=c server { name=a } server { name=b } dns=x dns=y");
    let all = stored(&schema, &data).len();
    for stop in 0..=all {
        let mut left = stop;
        let result = data.write_records(&schema, &mut |_, _| {
            left = left.checked_sub(1).ok_or("stop")?;
            Ok::<_, &str>(())
        });
        assert_eq!(result.is_ok(), stop == all);
    }
}

/// Returns the path to the data nodes with these names. A name can end with the key of an entry.
fn path(schema: &Schema, text: &str) -> InstancePath {
    let mut path = InstancePath::new();
    let module = schema.module_by_name("example").unwrap();
    for step in text.split_terminator('/') {
        let (name, key) = step.split_once('=').map_or((step, None), |(name, key)| (name, Some(key)));
        let node = schema.data_child(path.node(), module, name).unwrap();
        let entry = match (&schema.node(node).kind, key) {
            (NodeKind::LeafList(_), Some(value)) => Entry::Value(value.into()),
            (_, Some(key)) => Entry::Keys(vec![key.into()]),
            _ => Entry::All,
        };
        path.push(node, entry);
    }
    path
}

#[test]
fn removed_instance_is_the_smallest_that_can_be_removed() {
    let schema = schema();
    let all = "contact=c system { location=l clock { zone=z } } dns=1 dns=2 server { name=a port=1 tls { certificate=x peer { id=p } } tag=t } server { name=b }";
    let cases = [
        ("", all),
        (
            "contact",
            "system { location=l clock { zone=z } } dns=1 dns=2 server { name=a port=1 tls { certificate=x peer { id=p } } tag=t } server { name=b }",
        ),
        (
            "system/clock",
            "contact=c system { location=l } dns=1 dns=2 server { name=a port=1 tls { certificate=x peer { id=p } } tag=t } server { name=b }",
        ),
        (
            "system",
            "contact=c dns=1 dns=2 server { name=a port=1 tls { certificate=x peer { id=p } } tag=t } server { name=b }",
        ),
        (
            "dns=1",
            "contact=c system { location=l clock { zone=z } } dns=2 server { name=a port=1 tls { certificate=x peer { id=p } } tag=t } server { name=b }",
        ),
        (
            "server=b/port",
            "contact=c system { location=l clock { zone=z } } dns=1 dns=2 server { name=a port=1 tls { certificate=x peer { id=p } } tag=t }",
        ),
        (
            "server=a/port",
            "contact=c system { location=l clock { zone=z } } dns=1 dns=2 server { name=a tls { certificate=x peer { id=p } } tag=t } server { name=b }",
        ),
        (
            "server=a/tag=t",
            "contact=c system { location=l clock { zone=z } } dns=1 dns=2 server { name=a port=1 tls { certificate=x peer { id=p } } } server { name=b }",
        ),
        (
            "server=a/tls/peer=p/id",
            "contact=c system { location=l clock { zone=z } } dns=1 dns=2 server { name=a port=1 tls { certificate=x } tag=t } server { name=b }",
        ),
        (
            "server=a/tls",
            "contact=c system { location=l clock { zone=z } } dns=1 dns=2 server { name=a port=1 tag=t } server { name=b }",
        ),
        ("server=c", all),
        // Rows that another removal contained.
        ("server=b/alias=x", all),
        ("server=b/alias=x/note", all),
        ("server=b/tls/certificate", all),
        ("server", "contact=c system { location=l clock { zone=z } } dns=1 dns=2"),
    ];
    let before = tree(&schema, all);
    for (removed, expected) in cases {
        let after = before.without(&schema, &path(&schema, removed));
        assert_eq!(text(&schema, &after), text(&schema, &tree(&schema, expected)), "{removed}");
        assert_eq!(after, tree(&schema, expected), "{removed}");
    }
}
