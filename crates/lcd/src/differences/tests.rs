use std::sync::Arc;

use super::*;
use crate::{
    StorageType, TextScalar,
    samples::{group, name, one_of_each, user},
};

#[test]
fn equal_tables_have_no_differences() {
    let (before, after) = (one_of_each(), one_of_each());
    assert_eq!(after.table_differences(&before), []);
    assert!(after.scalar_differences(&before).is_empty());
}

#[test]
fn rows_are_counted_as_added_removed_or_changed() {
    let mut before = one_of_each();
    before.insert(group("old", "operators"));
    before.insert(group("moved", "operators"));
    let mut after = one_of_each();
    after.insert(group("moved", "guests"));
    after.insert(user("night"));
    after.insert(user("day"));
    after.contexts = Arc::new([name("lab")].into_iter().collect());
    let expected = [
        TableDifference { table: "usmUserTable", added: 2, removed: 0, changed: 0 },
        TableDifference { table: "vacmSecurityToGroupTable", added: 0, removed: 1, changed: 1 },
        TableDifference { table: "vacmContextTable", added: 1, removed: 0, changed: 0 },
    ];
    assert_eq!(after.table_differences(&before), expected);
}

#[test]
fn every_table_is_compared() {
    assert_eq!(one_of_each().table_differences(&Tables::default()).len(), 13);
}

#[test]
fn scalars_are_compared_by_value() {
    let before = Tables::default();
    let mut after = before.clone();
    after.scalars.sys_contact = TextScalar { storage: StorageType::ReadOnly, ..TextScalar::default() };
    assert!(after.scalar_differences(&before).is_empty());
    after.scalars.sys_contact = TextScalar::read_only(*b"ops");
    after.scalars.tsm_use_prefix.enabled ^= true;
    after.scalars.set_serial_no = after.scalars.set_serial_no.incremented();
    assert_eq!(after.scalar_differences(&before), ["sysContact", "snmpTsmConfigurationUsePrefix"]);
}

#[test]
fn difference_lists_only_kinds_that_occur() {
    let difference = TableDifference { table: "usmUserTable", added: 2, removed: 0, changed: 1 };
    assert_eq!(difference.to_string(), "usmUserTable: 2 added, 1 changed");
}
