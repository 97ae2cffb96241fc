use super::*;
use crate::{Group, StorageType, TextScalar, User, samples::*};

/// Returns a draft of tables with one row each, and its start.
fn draft() -> (LcdDraft, LcdSavepoint) {
    let draft = LcdDraft::new(Arc::new(Lcd::compile(one_of_each())));
    let start = draft.savepoint();
    (draft, start)
}

/// Returns the keys of the records, and whether each has a value.
fn keys(draft: &LcdDraft, since: &LcdSavepoint) -> Vec<(String, bool)> {
    let key = |record: StateRecord| (String::from_utf8(record.key).unwrap(), record.value.is_some());
    draft.records_since(since).into_iter().map(key).collect()
}

#[test]
fn draft_without_changes_has_empty_list_of_records() {
    let (draft, start) = draft();
    assert_eq!(keys(&draft, &start), []);
    assert!(!draft.is_changed());
}

#[test]
fn draft_records_contain_added_changed_and_removed_rows() {
    let (mut draft, start) = draft();
    draft.insert(group("new", "operators"));
    draft.insert(group("ops", "guests"));
    draft.remove::<User>(&user("ops").key);
    let scalars = draft.scalars_mut();
    scalars.view_spin_lock = scalars.view_spin_lock.incremented();
    assert_eq!(
        keys(&draft, &start),
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
    let (mut draft, start) = draft();
    draft.insert(group("ops", "operators").into_active(StorageType::Volatile));
    assert_eq!(keys(&draft, &start), [("vacm/group/3/6f7073".to_owned(), false)]);
}

#[test]
fn records_contain_only_changes_since_savepoint() {
    let (mut draft, start) = draft();
    draft.insert(group("a", "operators"));
    let second = draft.savepoint();
    draft.insert(group("b", "operators"));
    draft.insert(group("c", "operators"));
    draft.remove::<Group>(&group("c", "").key);
    assert_eq!(keys(&draft, &second), [("vacm/group/3/62".to_owned(), true)]);
    assert_eq!(keys(&draft, &start).len(), 2);
}

#[test]
fn rollback_restores_rows_and_scalars_of_savepoint() {
    let (mut draft, start) = draft();
    draft.insert(group("first", "operators"));
    draft.scalars_mut().sys_name = TextScalar::set(name("first"));
    let second = draft.savepoint();
    draft.insert(group("ops", "guests"));
    draft.insert(group("second", "guests"));
    draft.remove::<Group>(&group("first", "").key);
    draft.remove::<Group>(&group("absent", "").key);
    draft.scalars_mut().sys_name = TextScalar::set(name("second"));
    draft.roll_back_to(&second);
    assert_eq!(keys(&draft, &second), []);
    let group_of = |lcd: &Lcd, user: &[u8]| {
        lcd.group(portreeve_smi::SecurityModel::USM, user)
            .map(|name| String::from_utf8(name.to_vec()).unwrap())
    };
    let lcd = draft.to_lcd();
    assert_eq!(group_of(&lcd, b"first").as_deref(), Some("operators"));
    assert_eq!(group_of(&lcd, b"ops"), group_of(draft.base(), b"ops"));
    assert_eq!(group_of(&lcd, b"second"), None);
    assert_eq!(&*lcd.scalars().sys_name.value, b"first");
    draft.roll_back_to(&start);
    assert!(!draft.is_changed());
    assert_eq!(group_of(&draft.into_lcd(), b"first"), None);
}

#[test]
fn base_of_draft_does_not_change() {
    let base = Arc::new(Lcd::default());
    let mut draft = LcdDraft::new(Arc::clone(&base));
    draft.insert(user("ops"));
    assert!(base.user(&engine_id(), b"ops").is_none());
    assert!(draft.into_lcd().user(&engine_id(), b"ops").is_some());
    assert!(base.user(&engine_id(), b"ops").is_none());
}

#[test]
fn debug_output_of_record_contains_its_key_but_no_key_of_user() {
    let (mut draft, start) = draft();
    draft.insert(user("new"));
    let records = draft.records_since(&start);
    let value = records[0].value.as_ref().unwrap().expose();
    let hexadecimal = "a5".repeat(32);
    assert!(std::str::from_utf8(value).unwrap().contains(&hexadecimal));
    let shown = format!("{records:?}");
    assert!(shown.contains("usm/user/8000000005706f7274/6e6577"), "{shown}");
    let bytes = format!("{:?}", hexadecimal.as_bytes());
    let bytes = bytes.trim_matches(['[', ']']);
    assert!(!shown.contains(&hexadecimal) && !shown.contains(bytes), "{shown}");
    assert!(!shown.contains("165, 165"), "{shown}");
}
