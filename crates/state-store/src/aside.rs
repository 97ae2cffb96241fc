//! Data that the modules do not permit.

use std::{collections::BTreeMap, convert::Infallible};

use portreeve_datastore::Tree;
use portreeve_store::Record;
use portreeve_yang::Schema;
use portreeve_yang_tree::RecordChange;

use crate::DataSetAside;

/// The records that are set aside.
#[derive(Default)]
pub(crate) struct Aside {
    /// The beginning of the keys.
    pub(crate) prefix: Vec<u8>,
    pub(crate) records: Vec<Record>,
    pub(crate) data: Vec<DataSetAside>,
}

impl Aside {
    pub(crate) fn add(&mut self, key: &[u8], value: &[u8], path: String, reason: String) {
        self.add_record(key, value);
        self.data.push(DataSetAside { path, reason });
    }

    fn add_record(&mut self, key: &[u8], value: &[u8]) {
        self.records.push(Record::set([&self.prefix[..], key].concat(), value));
    }

    /// Adds the records that only the first of two trees has.
    pub(crate) fn add_difference(&mut self, schema: &Schema, before: &Tree, after: &Tree) {
        // The beginnings of the keys of removed records, and the keys of changed ones.
        let mut removed: BTreeMap<Vec<u8>, bool> = BTreeMap::new();
        let compared = before.write_record_changes(schema, after, &mut |change| {
            match change {
                RecordChange::Put { key, .. } => removed.insert(key.into(), false),
                RecordChange::RemoveAll { prefix } => removed.insert(prefix.into(), true),
            };
            Ok::<_, Infallible>(())
        });
        let written = before.write_records(schema, &mut |key, value| {
            let is_removed =
                removed.range(..=key.to_vec()).next_back().is_some_and(|(removed, is_prefix)| {
                    removed == key || (*is_prefix && key.starts_with(removed))
                });
            if is_removed {
                self.add_record(key, value);
            }
            Ok::<_, Infallible>(())
        });
        let (Ok(()), Ok(())) = (compared, written);
    }

    pub(crate) fn log(&self) {
        for DataSetAside { path, reason } in self.data.iter().take(MAX_LOG_LINES) {
            tracing::warn!(path, reason, "stored data do not fit the YANG modules and are set aside");
        }
        if !self.data.is_empty() {
            let nodes = self.data.len();
            tracing::warn!(nodes, "data that are set aside stay in the state directory and are not served");
        }
    }
}

/// The maximum number of lines about data that are set aside.
const MAX_LOG_LINES: usize = 20;
