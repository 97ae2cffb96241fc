use super::*;
use std::sync::Arc;

use crate::{
    Columns, Lcd, LcdDraft, Row, RowStatus, StorageType, Tables, TestAndIncr, assemble,
    samples::*,
    tables::{TableVisitor, visit_tables},
};

/// Returns the records that an empty datastore must write to become `tables`.
fn records_of(tables: Tables) -> Vec<(String, Vec<u8>)> {
    let mut draft = LcdDraft::new(Arc::new(Lcd::default()));
    let start = draft.savepoint();
    visit_tables(&mut InsertAll { tables: &tables, draft: &mut draft });
    *draft.scalars_mut() = tables.scalars.clone();
    draft
        .records_since(&start)
        .into_iter()
        .map(|change| (String::from_utf8(change.key).unwrap(), change.value.unwrap().expose().to_vec()))
        .collect()
}

struct InsertAll<'a> {
    tables: &'a Tables,
    draft: &'a mut LcdDraft,
}

impl TableVisitor for InsertAll<'_> {
    fn visit<C: Columns>(&mut self) {
        C::table(self.tables).iter().for_each(|row| self.draft.insert(Row::clone(row)));
    }
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
    for key in [
        "usm/user/8000000005706f7274/6f7073",
        "vacm/group/3/6f7073",
        "vacm/access/6f70657261746f7273//0/3",
        "vacm/view/616c6c/1.3",
        "system/sysContact",
        "snmp/setSerialNo",
    ] {
        assert!(keys.iter().any(|found| found == key), "{key}");
    }
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

/// Returns the first record of a table.
fn record<'r>(records: &'r mut [(String, Vec<u8>)], table: &str) -> &'r mut (String, Vec<u8>) {
    records.iter_mut().find(|(key, _)| key.starts_with(table)).unwrap()
}

#[test]
fn damaged_records_are_reported_and_other_records_are_read() {
    let mut records = records_of(one_of_each());
    record(&mut records, "usm/user").1 = b"2;storage=3".to_vec();
    record(&mut records, "vacm/group").1 = b"1;storage=3;status=9;missing=0;group=61".to_vec();
    record(&mut records, "vacm/access").1 = b"1;storage=5;status=1;missing=0".to_vec();
    record(&mut records, "vacm/view").0 = "vacm/view/zz/1.3".to_owned();
    record(&mut records, "community/").0.push_str("/00");
    record(&mut records, "target/address").1 = vec![0xff, 0xfe];
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
    let read = |text| read_hex(text).map(|octets| octets.expose().to_vec());
    assert_eq!(read("00fF7a"), Ok(vec![0, 255, 0x7a]));
    assert_eq!(read(""), Ok(vec![]));
    assert_eq!(read("0"), Err(RecordError));
    assert_eq!(read("0g"), Err(RecordError));
    assert_eq!(read("é"), Err(RecordError));
    assert_eq!(hex_digits(&[0, 255, 0x7a]).flatten().collect::<Vec<_>>(), b"00ff7a");
}
