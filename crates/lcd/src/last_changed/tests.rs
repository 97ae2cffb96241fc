use std::sync::Arc;

use super::*;
use crate::{
    CertToNameRow, Lcd, LcdDraft, StorageType,
    samples::{group, one_of_each},
};

const NOW: Timestamp = Timestamp::from_secs(7);
const LATER: Timestamp = Timestamp::from_secs(9);

#[test]
fn only_changed_tables_get_new_timestamps() {
    let before = one_of_each();
    let mut after = before.clone();
    after.insert(group("night", "operators"));
    after.update_last_changed(&before, NOW);
    assert_eq!(after.last_changed, LastChanged::default());
    let row = after.cert_to_names.iter().next().unwrap().key;
    after.cert_to_names.remove(&row);
    after.update_last_changed(&before, NOW);
    assert_eq!(after.last_changed, LastChanged { cert_to_names: NOW, ..LastChanged::default() });
}

#[test]
fn table_with_recreated_rows_counts_as_changed_only_if_rows_differ() {
    let (before, mut after) = (one_of_each(), one_of_each());
    after.update_last_changed(&before, NOW);
    assert_eq!(after.last_changed, LastChanged::default());
    let row = CertToNameRow::clone(after.cert_to_names.iter().next().unwrap());
    after.insert(row.into_active(StorageType::Volatile));
    after.update_last_changed(&before, NOW);
    assert_eq!(after.last_changed.cert_to_names, NOW);
}

#[test]
fn draft_stamps_only_tables_whose_rows_differ() {
    let mut draft = LcdDraft::new(Arc::new(Lcd::compile(one_of_each())));
    let start = draft.savepoint();
    let row = CertToNameRow::clone(draft.tables().cert_to_names.iter().next().unwrap());
    draft.insert(row.clone());
    draft.stamp_changes_since(&start, NOW);
    assert_eq!(draft.tables().last_changed, LastChanged::default());
    draft.insert(row.into_active(StorageType::Volatile));
    draft.insert(group("night", "operators"));
    draft.stamp_changes_since(&start, NOW);
    let changed = draft.savepoint();
    assert_eq!(draft.tables().last_changed, LastChanged { cert_to_names: NOW, ..LastChanged::default() });
    let key = draft.tables().cert_to_names.iter().next().unwrap().key;
    draft.remove::<crate::CertToName>(&key);
    draft.stamp_changes_since(&changed, LATER);
    assert_eq!(draft.tables().last_changed.cert_to_names, LATER);
    draft.roll_back_to(&changed);
    assert_eq!(draft.tables().last_changed.cert_to_names, NOW);
    draft.set_time_of_changes(LATER);
    assert_eq!(draft.tables().last_changed, LastChanged { cert_to_names: LATER, ..LastChanged::default() });
}
