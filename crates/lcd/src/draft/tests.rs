use super::*;
use crate::{StorageType, TextScalar, samples::*};

fn keys(draft: &LcdDraft) -> Vec<(String, bool)> {
    let key = |change: RecordChange| (String::from_utf8(change.key).unwrap(), change.value.is_some());
    draft.changes().into_iter().map(key).collect()
}

#[test]
fn draft_without_changes_has_empty_list_of_records() {
    let draft = LcdDraft::new(LcdHandle::new(Lcd::compile(one_of_each())).snapshot());
    assert_eq!(keys(&draft), []);
}

#[test]
fn draft_records_contain_added_changed_and_removed_rows() {
    let handle = LcdHandle::new(Lcd::compile(one_of_each()));
    let mut draft = LcdDraft::new(handle.snapshot());
    let tables = draft.tables_mut();
    tables.insert(group("new", "operators"));
    tables.insert(group("ops", "guests"));
    tables.users.remove(&user("ops").key);
    tables.scalars.view_spin_lock = tables.scalars.view_spin_lock.incremented();
    assert_eq!(
        keys(&draft),
        [
            ("usm/user/8000000005706f7274/6f7073".to_owned(), false),
            ("vacm/group/3/6e6577".to_owned(), true),
            ("vacm/group/3/6f7073".to_owned(), true),
            ("vacm/spinLock".to_owned(), true),
        ]
    );
}

#[test]
fn stored_record_is_removed_when_row_becomes_volatile() {
    let mut draft = LcdDraft::new(LcdHandle::new(Lcd::compile(one_of_each())).snapshot());
    draft.tables_mut().insert(group("ops", "operators").into_active(StorageType::Volatile));
    assert_eq!(keys(&draft), [("vacm/group/3/6f7073".to_owned(), false)]);
}

#[test]
fn draft_is_invisible_before_publish() {
    let handle = LcdHandle::new(Lcd::default());
    let mut reader = handle.reader();
    let mut draft = LcdDraft::new(handle.snapshot());
    draft.tables_mut().insert(user("ops"));
    assert!(reader.refresh().user(&engine_id(), b"ops").is_none());
    assert_eq!(draft.publish(&handle), 1);
    assert!(reader.refresh().user(&engine_id(), b"ops").is_some());
}

#[test]
fn draft_published_after_reload_has_its_changes_and_rows_of_new_file() {
    let handle = LcdHandle::new(Lcd::compile(one_of_each()));
    let mut draft = LcdDraft::new(handle.snapshot());
    draft.tables_mut().insert(group("ours", "operators"));
    draft.tables_mut().insert(group("taken", "operators"));
    draft.tables_mut().groups.remove(&group("ops", "").key);
    draft.tables_mut().scalars.sys_name = TextScalar::set(name("ours"));
    draft.tables_mut().scalars.sys_contact = TextScalar::set(name("ours"));

    let mut reloaded = one_of_each();
    reloaded.insert(group("taken", "the file's").into_active(StorageType::ReadOnly));
    reloaded.scalars.sys_contact = TextScalar::read_only(*b"the file's");
    handle.publish(Lcd::compile(reloaded), 0).unwrap();

    assert_eq!(draft.publish(&handle), 2);
    let snapshot = handle.snapshot();
    let group_of =
        |security_name: &[u8]| snapshot.lcd.group(portreeve_smi::SecurityModel::USM, security_name);
    assert_eq!(group_of(b"ours"), Some(&b"operators"[..]));
    assert_eq!(group_of(b"taken"), Some(&b"the file's"[..]));
    assert_eq!(group_of(b"ops"), None);
    assert_eq!(&*snapshot.lcd.scalars().sys_name.value, b"ours");
    assert_eq!(&*snapshot.lcd.scalars().sys_contact.value, b"the file's");
}
