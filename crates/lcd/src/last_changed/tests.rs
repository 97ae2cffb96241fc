use super::*;
use crate::{
    CertToNameRow, Lcd, LcdDraft, LcdHandle, StorageType,
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
fn draft_published_after_another_change_retains_its_timestamp() {
    let handle = LcdHandle::new(Lcd::default());
    let mut draft = LcdDraft::new(handle.snapshot());
    *draft.tables_mut() = one_of_each();
    draft.tables_mut().last_changed.tls_params = LATER;
    let mut first = LcdDraft::new(handle.snapshot());
    first.tables_mut().last_changed.tls_addresses = NOW;
    first.publish(&handle);
    draft.publish(&handle);
    let times = handle.snapshot().lcd.tables().last_changed;
    assert_eq!((times.tls_params, times.tls_addresses), (LATER, NOW));
}
