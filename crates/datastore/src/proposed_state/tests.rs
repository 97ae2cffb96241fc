use portreeve_lcd::{
    AccessKey, AccessRow, GroupKey, GroupRow, Name, StorageType, TextScalar, ViewFamilyKey, ViewFamilyRow,
};
use portreeve_smi::{Oid, SecurityLevel, SecurityModel};

use super::*;

const NOW: Timestamp = Timestamp::from_secs(7);

fn proposed() -> ProposedState {
    ProposedState::new(Arc::default(), Arc::new(Model::empty()), NOW)
}

fn name(text: &str) -> Name {
    text.as_bytes().into()
}

fn group() -> GroupRow {
    let mut row = GroupRow::new(GroupKey { model: SecurityModel::USM, security_name: name("ops") });
    row.columns.group_name = name("operators");
    row.into_active(StorageType::NonVolatile)
}

fn access() -> AccessRow {
    let key = AccessKey {
        group_name: name("operators"),
        context_prefix: Name::default(),
        model: SecurityModel::USM,
        level: SecurityLevel::NoAuthNoPriv,
    };
    AccessRow::new(key).into_active(StorageType::NonVolatile)
}

fn view_family() -> ViewFamilyRow {
    let key = ViewFamilyKey { view_name: name("all"), subtree: Oid::new(&[1, 3]).unwrap() };
    ViewFamilyRow::new(key).into_active(StorageType::NonVolatile)
}

fn record(key: &str) -> StateRecord {
    StateRecord { key: key.as_bytes().to_vec(), value: None }
}

fn keys(changes: &TransactionRecords) -> Vec<&str> {
    changes.records.iter().map(|record| std::str::from_utf8(&record.key).unwrap()).collect()
}

#[test]
fn access_rights_contain_earlier_changes_until_they_are_taken_back() {
    let mut proposed = proposed();
    let start = proposed.savepoint();
    proposed.lcd_mut().insert(group());
    assert!(proposed.access_rights().group(SecurityModel::USM, b"ops").is_some());
    proposed.lcd_mut().insert(access());
    assert_eq!(proposed.access_rights().access_entries(b"operators").len(), 1);
    proposed.lcd_mut().insert(view_family());
    assert!(proposed.access_rights().view(b"all").is_some());
    proposed.roll_back_to(&start);
    let rights = proposed.access_rights();
    assert!(rights.group(SecurityModel::USM, b"ops").is_none());
    assert_eq!(rights.access_entries(b"operators").len(), 0);
    assert!(rights.view(b"all").is_none());
}

#[test]
fn access_rights_are_compiled_only_after_changes_of_their_tables() {
    let mut proposed = proposed();
    let first = Arc::clone(proposed.access_rights());
    assert!(Arc::ptr_eq(&first, &proposed.base().lcd), "nothing is compiled without a change");
    proposed.lcd_mut().scalars_mut().sys_name = TextScalar::set(*b"gate");
    assert!(Arc::ptr_eq(&first, proposed.access_rights()));
    proposed.lcd_mut().insert(group());
    let second = Arc::clone(proposed.access_rights());
    assert!(!Arc::ptr_eq(&first, &second));
    assert!(Arc::ptr_eq(&second, proposed.access_rights()));
}

#[test]
fn records_are_those_of_tables_and_of_modules_since_savepoint() {
    let mut proposed = proposed();
    let start = proposed.savepoint();
    proposed.lcd_mut().insert(group());
    proposed.add_record(record("module/a"));
    assert_eq!(keys(&proposed.finish_since(&start)), ["vacm/group/3/6f7073", "module/a"]);

    let second = proposed.savepoint();
    assert!(proposed.finish_since(&second).is_empty());
    proposed.add_record(record("module/b"));
    assert_eq!(keys(&proposed.finish_since(&second)), ["module/b"]);
    proposed.add_record(record("module/c"));
    proposed.roll_back_to(&second);
    assert!(proposed.finish_since(&second).is_empty());
}

#[test]
fn proposal_without_changes_of_tables_contains_no_new_ones() {
    let mut proposed = proposed();
    assert_eq!((proposed.now(), proposed.base().generation), (NOW, 0));
    proposed.add_record(record("module/a"));
    assert!(proposed.into_next(NOW).is_none());
    let mut proposed = self::proposed();
    proposed.lcd_mut().insert(group());
    assert!(proposed.into_next(NOW).unwrap().lcd.group(SecurityModel::USM, b"ops").is_some());
}
