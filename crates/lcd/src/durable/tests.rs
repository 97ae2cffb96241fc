use super::*;
use crate::{Lcd, LcdDraft, LcdHandle, RowStatus, StorageType, Tables, TestAndIncr, assemble, samples::*};

/// Returns the records that an empty datastore must write to become `tables`.
fn records_of(tables: Tables) -> Vec<(String, Vec<u8>)> {
    let mut draft = LcdDraft::new(LcdHandle::new(Lcd::default()).snapshot());
    *draft.tables_mut() = tables;
    draft
        .changes()
        .into_iter()
        .map(|change| (String::from_utf8(change.key).unwrap(), change.value.unwrap()))
        .collect()
}

fn read_back(records: &[(String, Vec<u8>)]) -> crate::Assembled {
    assemble(Tables::default(), records.iter().map(|(key, value)| (key.as_bytes(), value.as_slice())))
}

#[test]
fn rows_of_every_table_are_read_back_from_their_records() {
    let records = records_of(one_of_each());
    assert_eq!(records.len(), 15);
    let assembled = read_back(&records);
    assert_eq!(assembled.unreadable, [""; 0]);
    assert_eq!(assembled.clashes, [""; 0]);
    assert_eq!(records_of(assembled.tables), records);
}

#[test]
fn record_keys_contain_table_and_index() {
    let keys: Vec<String> = records_of(one_of_each()).into_iter().map(|(key, _)| key).collect();
    assert_eq!(keys[0], "usm/user/8000000005706f7274/6f7073");
    assert_eq!(keys[1], "vacm/group/3/6f7073");
    assert_eq!(keys[2], "vacm/access/6f70657261746f7273//0/3");
    assert_eq!(keys[3], "vacm/view/616c6c/1.3");
    assert!(keys.contains(&"system/sysContact".to_owned()));
    assert!(keys.contains(&"snmp/setSerialNo".to_owned()));
}

#[test]
fn incomplete_row_is_read_back_from_its_record_as_not_ready() {
    let mut tables = Tables::default();
    tables.insert(crate::GroupRow::new(group("ops", "").key));
    let assembled = read_back(&records_of(tables));
    let row = assembled.tables.groups.iter().next().unwrap();
    assert_eq!(row.status, RowStatus::NotReady);
    assert!(row.missing.overlaps(crate::Group::GROUP_NAME));
}

#[test]
fn volatile_and_read_only_rows_are_not_written_to_records() {
    let mut tables = Tables::default();
    tables.insert(group("a", "g").into_active(StorageType::Volatile));
    tables.insert(group("b", "g").into_active(StorageType::ReadOnly));
    assert_eq!(records_of(tables), []);
}

#[test]
fn damaged_records_are_reported_and_other_records_are_read() {
    let mut records = records_of(one_of_each());
    records[0].1 = b"2;storage=3".to_vec();
    records[1].1 = b"1;storage=3;status=9;missing=0;group=61".to_vec();
    records[2].1 = b"1;storage=5;status=1;missing=0".to_vec();
    records[3].0 = "vacm/view/zz/1.3".to_owned();
    records[4].0.push_str("/00");
    records[5].1 = vec![0xff, 0xfe];
    let assembled = read_back(&records);
    assert_eq!(assembled.unreadable.len(), 6);
    assert_eq!(assembled.tables.target_params.len(), 1);
    assert_eq!(assembled.tables.scalars.set_serial_no, TestAndIncr::new(41));
}

#[test]
fn reader_does_not_panic_on_truncated_or_altered_records() {
    for (key, value) in records_of(one_of_each()) {
        for at in 0..value.len() {
            let _ = read_back(&[(key.clone(), value[..at].to_vec())]);
            let mut changed = value.clone();
            changed[at] ^= 0x15;
            let _ = read_back(&[(key.clone(), changed)]);
        }
    }
}

#[test]
fn records_with_unknown_keys_are_ignored() {
    let assembled = read_back(&[("engine/boots".to_owned(), b"7".to_vec())]);
    assert_eq!(assembled.unreadable, [""; 0]);
}

#[test]
fn hexadecimal_fields_round_trip_and_reject_odd_lengths_and_bad_digits() {
    assert_eq!(read_hex("00fF7a"), Ok(vec![0, 255, 0x7a]));
    assert_eq!(read_hex(""), Ok(vec![]));
    assert_eq!(read_hex("0"), Err(RecordError));
    assert_eq!(read_hex("0g"), Err(RecordError));
    assert_eq!(read_hex("é"), Err(RecordError));
    let mut text = String::new();
    write_hex(&mut text, &[0, 255, 0x7a]);
    assert_eq!(text, "00ff7a");
}
