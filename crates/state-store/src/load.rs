//! The data tree in the state directory: its records, and reading them at the start.
//!
//! ```text
//! yang/…        records of the tree ──▶ RecordReader ──▶ Validator ──▶ Tree
//! yang-aside/…  records that do not fit the modules ◀──────┘
//! yang-schema   the modules with which the records were checked
//! ```
//! After the modules have changed, all values are checked. Data that do not fit are set aside: they
//! are kept and not served, and are read again when the modules change the next time.

use std::{slice, sync::Arc};

use portreeve_datastore::{Model, Refusal, Tree};
use portreeve_store::{Batch, Record, Store};
use portreeve_yang::{Entry, InstancePath, Schema};
use portreeve_yang_tree::{Fault, RecordReader};

use crate::{
    StoredTree,
    aside::Aside,
    keys::{ASIDE, TREE, VERSION},
};

/// The result of [`load`].
pub struct LoadedTree {
    /// The tree, which is valid unless nodes at the top level are missing.
    pub tree: Tree,
    /// The tree for the thread that stores changes.
    pub stored: StoredTree,
    /// The data that are set aside now.
    pub set_aside: Vec<DataSetAside>,
}

/// Data that the modules do not permit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DataSetAside {
    /// The names of the node, without the keys of list entries.
    pub path: String,
    /// The reason in words.
    pub reason: String,
}

/// Reads the tree, and takes its records out of the map of the store. Logs the data that it sets
/// aside.
pub fn load(store: &mut Store, model: &Model) -> LoadedTree {
    let schema = model.schema();
    let version = version(schema);
    let is_same_schema = store.get(VERSION) == Some(version.as_bytes());
    let earlier: Vec<(Vec<u8>, Vec<u8>)> = match is_same_schema {
        true => Vec::new(),
        false => store.iter(ASIDE).map(|(key, value)| (key.into(), value.into())).collect(),
    };
    let mut reader = RecordReader::new(schema);
    if is_same_schema {
        reader = reader.trusting_values();
    }
    let mut aside = Aside { prefix: [ASIDE, version.as_bytes(), b"/"].concat(), ..Aside::default() };
    for (key, value) in store.hand_over(TREE) {
        let Some(key) = key.strip_prefix(TREE) else { continue };
        if let Err(refused) = reader.read(key, &value) {
            aside.add(key, &refused.value, refused.path, refused.error.to_string());
        }
    }
    let restored = restore(&mut reader, &earlier);
    let has_unplaced = reader.has_unplaced_entries();
    let mut tree = reader.finish();
    if !is_same_schema || !aside.records.is_empty() {
        tree = valid_part(model, tree, &mut aside);
    }
    let is_changed = !aside.records.is_empty() || !restored.is_empty() || has_unplaced;
    aside.log();
    let mut stored = StoredTree { schema: Arc::clone(schema), tree: tree.clone(), pending: None };
    let mut records = aside.records;
    records.extend(restored);
    if !is_same_schema {
        records.push(Record::set(VERSION, version));
    }
    if records.is_empty() && !is_changed {
        store.set_image(stored.image(&tree));
    } else {
        let mut batch = Batch::new(records).with_image(stored.image(&tree));
        if is_changed {
            batch = batch.with_source(stored.source(None, &tree));
        }
        // An image that is set before the batch is durable would lose the records in it.
        if let Err(error) = store.commit(batch.clone()) {
            tracing::error!(%error, "cannot write the changes of stored data; the agent tries again at the next change");
            stored.pending = Some(batch);
        }
    }
    LoadedTree { tree, stored, set_aside: aside.data }
}

/// Reads records that were set aside with other modules. Returns the changes of these records.
fn restore(reader: &mut RecordReader<'_>, earlier: &[(Vec<u8>, Vec<u8>)]) -> Vec<Record> {
    let mut changes = Vec::new();
    for (stored_key, value) in earlier {
        let after_version = stored_key.strip_prefix(ASIDE).and_then(|key| {
            let end = key.iter().position(|octet| *octet == b'/')?;
            key.get(end + 1..)
        });
        let Some(key) = after_version else { continue };
        match reader.restore(key, value) {
            Ok(()) => changes.push(Record::remove(stored_key.as_slice())),
            Err(refused) if refused.value == *value => {}
            Err(refused) => changes.push(Record::set(stored_key.as_slice(), refused.value)),
        }
    }
    changes
}

/// Sets aside what makes a tree invalid, and returns the rest.
fn valid_part(model: &Model, tree: Tree, aside: &mut Aside) -> Tree {
    let schema = model.schema();
    let mut valid = tree.clone();
    let mut round = 0;
    let faults = loop {
        let faults = model.validator().validate_up_to(&valid, MAX_FAULTS);
        let before = valid.clone();
        for fault in &faults {
            // Each removal can be the cause of other faults. A long chain of them is cut short.
            let path = if round < MAX_ROUNDS { fault.path.clone() } else { top_level_of(&fault.path) };
            let rest = valid.without(schema, &path);
            if !rest.is_same_version(&valid) {
                valid = rest;
                aside.data.push(data_of(schema, fault, &path));
            }
        }
        if valid.is_same_version(&before) {
            break faults;
        }
        round += 1;
    };
    // Only nodes that are missing at the top level remain.
    for fault in &faults {
        let DataSetAside { path, reason } = data_of(schema, fault, &fault.path);
        tracing::warn!(
            path,
            reason,
            "stored data do not fit the YANG modules; changes are refused until an edit corrects this"
        );
    }
    aside.add_difference(schema, &tree, &valid);
    valid
}

fn data_of(schema: &Schema, fault: &Fault, removed: &InstancePath) -> DataSetAside {
    let refusal = Refusal::from_faults(schema, slice::from_ref(fault));
    let reason = refusal.map(|refusal| refusal.text.into_owned()).unwrap_or_default();
    let node = if removed.steps().len() < fault.path.steps().len() { removed } else { &fault.path };
    DataSetAside { path: schema.schema_path(node.node()), reason }
}

/// Returns the path of all instances of the top-level node on a path.
fn top_level_of(path: &InstancePath) -> InstancePath {
    let mut top = InstancePath::new();
    path.steps().first().into_iter().for_each(|step| top.push(step.node, Entry::All));
    top
}

/// Returns the version of the modules and of the program that checks the values.
fn version(schema: &Schema) -> String {
    format!("{:016x}-{}", schema.digest(), env!("CARGO_PKG_VERSION"))
}

/// The maximum number of faults that are removed after each validation at the start.
const MAX_FAULTS: usize = 10_000;

/// The number of validations after which whole top-level nodes with faults are removed.
const MAX_ROUNDS: usize = 100;
