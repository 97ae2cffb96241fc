use std::sync::Arc;

use portreeve_smi::{EngineId, SecurityModel};

use super::*;
use crate::{CommunityKey, RowStatus, StorageType, samples::*};

#[test]
fn lookups_return_only_rows_that_match_the_given_name() {
    let mut tables = one_of_each();
    tables.contexts = Arc::new([name("vlan-7")].into_iter().collect());
    let lcd = Lcd::compile(tables);
    assert!(lcd.user(&engine_id(), b"ops").is_some());
    assert!(lcd.user(&engine_id(), b"op").is_none());
    assert!(lcd.user(&EngineId::LOCAL, b"ops").is_none());
    assert_eq!(lcd.group(SecurityModel::USM, b"ops"), Some(&b"operators"[..]));
    assert_eq!(lcd.group(SecurityModel::TSM, b"ops"), None);
    assert_eq!(lcd.access_entries(b"operators").len(), 1);
    assert_eq!(lcd.access_entries(b"others").len(), 0);
    assert!(lcd.view(b"all").unwrap().contains(&[1, 3, 6]));
    assert_eq!(lcd.communities_matching(b"public").len(), 1);
    assert_eq!(lcd.communities_matching(b"c1").len(), 0);
    assert_eq!(lcd.targets_tagged(b"alarms").len(), 1);
    assert_eq!(lcd.targets_tagged(b"polls").len(), 1);
    assert_eq!(lcd.targets_tagged(b"").len(), 0);
    assert!(lcd.notify_filter(b"f").is_some());
    assert!(lcd.has_context(b"") && lcd.has_context(b"vlan-7") && !lcd.has_context(b"vlan-8"));
}

#[test]
fn inactive_rows_do_not_grant_access() {
    let mut tables = one_of_each();
    let mut user = user("ops");
    user.status = RowStatus::NotInService;
    tables.insert(user);
    let mut group = group("ops", "operators");
    group.status = RowStatus::NotInService;
    tables.insert(group);
    let lcd = Lcd::compile(tables);
    assert!(lcd.user(&engine_id(), b"ops").is_some());
    assert!(lcd.active_user(&engine_id(), b"ops").is_none());
    assert_eq!(lcd.group(SecurityModel::USM, b"ops"), None);
}

#[test]
fn community_string_may_appear_in_several_rows() {
    let mut tables = Tables::default();
    for index in ["b", "a"] {
        let mut row = CommunityRow::new(CommunityKey { index: name(index) });
        row.columns.name = name("shared");
        tables.insert(row.into_active(StorageType::ReadOnly));
    }
    let lcd = Lcd::compile(tables);
    let indexes: Vec<&[u8]> = lcd.communities_matching(b"shared").map(|row| &*row.key.index).collect();
    assert_eq!(indexes, [b"a", b"b"]);
}

#[test]
fn recompiled_lcd_shares_memory_of_unchanged_tables() {
    let before = Lcd::compile(one_of_each());
    let mut tables = before.tables().clone();
    tables.insert(group("second", "operators"));
    let after = before.recompile(tables);
    assert!(Arc::ptr_eq(&before.users, &after.users));
    assert!(Arc::ptr_eq(&before.views, &after.views));
    assert!(!Arc::ptr_eq(&before.groups, &after.groups));
    assert_eq!(before.groups.len() + 1, after.groups.len());
    assert!(Arc::ptr_eq(
        before.tables().groups.iter().next().unwrap(),
        after.tables().groups.iter().next().unwrap()
    ));
}
