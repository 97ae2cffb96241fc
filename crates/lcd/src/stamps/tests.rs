use super::*;
use crate::{
    CertToNameRow, Handle, Lcd, LcdDraft, StorageType,
    samples::{group, one_of_each},
};

const NOW: Timestamp = Timestamp::from_secs(7);
const LATER: Timestamp = Timestamp::from_secs(9);

#[test]
fn only_tables_that_differ_are_stamped() {
    let before = one_of_each();
    let mut after = before.clone();
    after.insert(group("night", "operators"));
    after.stamp(&before, NOW);
    assert_eq!(after.stamps, Stamps::default());
    let row = after.cert_to_names.iter().next().unwrap().key;
    after.cert_to_names.remove(&row);
    after.stamp(&before, NOW);
    assert_eq!(after.stamps, Stamps { cert_to_names: NOW, ..Stamps::default() });
}

#[test]
fn the_same_rows_made_once_more_are_no_change() {
    let (before, mut after) = (one_of_each(), one_of_each());
    after.stamp(&before, NOW);
    assert_eq!(after.stamps, Stamps::default());
    let row = CertToNameRow::clone(after.cert_to_names.iter().next().unwrap());
    after.insert(row.into_active(StorageType::Volatile));
    after.stamp(&before, NOW);
    assert_eq!(after.stamps.cert_to_names, NOW);
}

#[test]
fn a_change_that_comes_second_keeps_its_stamp() {
    let handle = Handle::new(Lcd::default());
    let mut draft = LcdDraft::new(handle.snapshot());
    *draft.tables_mut() = one_of_each();
    draft.tables_mut().stamps.tls_params = LATER;
    let mut first = LcdDraft::new(handle.snapshot());
    first.tables_mut().stamps.tls_addresses = NOW;
    first.publish(&handle);
    draft.publish(&handle);
    let stamps = handle.snapshot().lcd.tables().stamps;
    assert_eq!((stamps.tls_params, stamps.tls_addresses), (LATER, NOW));
}
