use super::*;
use crate::{StorageType, TestAndIncr, TextScalar, samples::*};

#[test]
fn configuration_file_row_replaces_stored_row_and_conflict_is_reported() {
    let mut file = Tables::default();
    file.insert(group("ops", "the file's").into_active(StorageType::ReadOnly));
    file.scalars.sys_contact = TextScalar::read_only(*b"the file's");
    let assembled = carry_over(file, &one_of_each(), &Tables::default());
    assert_eq!(assembled.clashes, ["vacm/group/3/6f7073", "system/sysContact"]);
    let row = assembled.tables.groups.iter().next().unwrap();
    assert_eq!(&*row.group_name, b"the file's");
    assert_eq!(&*assembled.tables.scalars.sys_contact.value, b"the file's");
}

#[test]
fn reload_keeps_the_versions_of_unchanged_rows_of_the_file() {
    let file = |of_second: &str| {
        let mut file = Tables::default();
        file.insert(group("first", "g").into_active(StorageType::ReadOnly));
        file.insert(group("second", of_second).into_active(StorageType::ReadOnly));
        file
    };
    let before = carry_over(file("g"), &Tables::default(), &Tables::default()).tables;
    let after = carry_over(file("h"), &before, &Tables::default()).tables;
    let pairs = before.groups.iter().zip(after.groups.iter());
    let are_same: Vec<bool> = pairs.map(|(old, new)| Arc::ptr_eq(old, new)).collect();
    assert_eq!(are_same, [true, false]);
    assert_eq!(after.groups.iter().map(|row| &*row.group_name).collect::<Vec<_>>(), [b"g", b"h"]);
}

#[test]
fn reload_retains_rows_made_by_set_and_removes_rows_of_old_file() {
    let mut current = one_of_each();
    current.insert(group("volatile", "g").into_active(StorageType::Volatile));
    current.insert(group("old file's", "g").into_active(StorageType::ReadOnly));
    current.scalars.sys_location = TextScalar::read_only(*b"old file's");
    let assembled = carry_over(Tables::default(), &current, &Tables::default());
    let names: Vec<&[u8]> = assembled.tables.groups.iter().map(|row| &*row.key.security_name).collect();
    assert_eq!(names, [&b"ops"[..], b"volatile"]);
    assert_eq!(assembled.clashes, [""; 0]);
    assert_eq!(&*assembled.tables.scalars.sys_contact.value, b"hostmaster");
    assert_eq!(&*assembled.tables.scalars.sys_location.value, b"");
    assert_eq!(assembled.tables.scalars.set_serial_no, TestAndIncr::new(41));
}

#[test]
fn row_hidden_by_file_reappears_when_later_file_omits_it() {
    let mut file = Tables::default();
    file.insert(group("ops", "the file's").into_active(StorageType::ReadOnly));
    file.scalars.sys_contact = TextScalar::read_only(*b"the file's");
    let first = carry_over(file.clone(), &one_of_each(), &Tables::default());
    assert_eq!(first.hidden.groups.len(), 1);
    assert_eq!(first.hidden.users.len(), 0);
    // The next file also overrides the row, which then remains hidden.
    let second = carry_over(file, &first.tables, &first.hidden);
    assert_eq!(second.clashes, first.clashes);
    let third = carry_over(Tables::default(), &second.tables, &second.hidden);
    assert_eq!(third.clashes, [""; 0]);
    assert_eq!(third.hidden.groups.len(), 0);
    assert_ne!(&*third.tables.groups.iter().next().unwrap().group_name, b"the file's");
    assert_eq!(&*third.tables.scalars.sys_contact.value, b"hostmaster");
}

#[test]
fn empty_text_set_by_manager_overrides_default() {
    let file = || {
        let mut file = Tables::default();
        file.scalars.sys_name = TextScalar { value: Arc::from(*b"the host's"), ..TextScalar::default() };
        file
    };
    let mut current = file();
    assert_eq!(
        &*carry_over(file(), &current, &Tables::default()).tables.scalars.sys_name.value,
        b"the host's"
    );
    current.scalars.sys_name = TextScalar::set(*b"");
    assert_eq!(&*carry_over(file(), &current, &Tables::default()).tables.scalars.sys_name.value, b"");
}
