use std::collections::BTreeMap;

use portreeve_yang::Schema;
use proptest::{prelude::*, test_runner::Config};

use super::{RecordChange, RecordError, RecordReader, record_changes};
use crate::{
    Tree,
    samples::{edit, random_edits, schema, text, tree},
};

type Store = BTreeMap<Vec<u8>, Vec<u8>>;

fn stored(schema: &Schema, tree: &Tree) -> Store {
    let mut store = Store::new();
    tree.write_records(schema, &mut |key, value| assert_eq!(store.insert(key, value), None));
    store
}

fn apply(store: &mut Store, change: RecordChange) {
    match change {
        RecordChange::Put { key, value } => drop(store.insert(key, value)),
        RecordChange::RemoveAll { prefix } => store.retain(|key, _| !key.starts_with(&prefix)),
    }
}

fn read(schema: &Schema, store: &Store) -> Result<Tree, RecordError> {
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
            for change in data.changes(&schema, &after) {
                record_changes(&schema, &change, &mut |change| apply(&mut store, change));
            }
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
                Err(_) => prop_assert_eq!(reader.finish(), data.clone()),
            }
        }
    }
}

fn refused(key: &[&[u8]], value: &[u8]) -> Option<RecordError> {
    let schema = schema();
    let mut reader = RecordReader::new(&schema);
    reader.read(&key.concat(), value).err()
}

#[test]
fn record_that_does_not_fit_the_modules_is_refused() {
    const SERVER: &[u8] = b"\x01\0\x0eexample:server\x01\0\0\0\x01a";
    assert_eq!(refused(&[SERVER], b""), None);
    type Case<'c> = (&'c [&'c [u8]], &'c [u8], RecordError);
    let cases: &[Case<'_>] = &[
        (&[], b"", RecordError::Malformed),
        (&[b"\x04\x04"], b"", RecordError::Malformed),
        (&[b"\x04"], b"\0\x0eexample:server\0\0\0\0", RecordError::UnknownNode),
        (&[SERVER, b"\0\0\x03tls"], b"", RecordError::Orphan),
        (&[b"\x01\0\x0fexample:servers\x01\0\0\0\x01a"], b"", RecordError::UnknownNode),
        (&[b"\x01\0\x0dunknown:thing\x01\0\0\0\x01a"], b"", RecordError::UnknownNode),
        (&[b"\x01\0\x06server\x01\0\0\0\x01a"], b"", RecordError::Malformed),
        (&[b"\x01\0\x0eexample:server\x02\0\0\0\x01a\0\0\0\x01b"], b"", RecordError::WrongKeys),
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
        (&[b"\x02\0\x0bexample:dns\0\0\0\x01a"], b"\0", RecordError::Malformed),
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
