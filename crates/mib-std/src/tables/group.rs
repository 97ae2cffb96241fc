//! Defines vacmSecurityToGroupTable (RFC 3415 §4).

use portreeve_lcd::Group;
use portreeve_mib::modules::vacm_mib::*;
use portreeve_smi::Value;

use crate::table::{self, Table, value};

type Column = table::Column<Group>;

pub(super) static TABLE: Table<Group> = Table {
    row: &VACM_SECURITY_TO_GROUP_ENTRY,
    columns: &[
        Column::writable(
            &VACM_GROUP_NAME,
            |row, _| Value::OctetString(&row.group_name),
            |row, value, _| value::name(value).map(|new| row.columns.group_name = new),
        )
        .required(Group::GROUP_NAME)
        .checked(value::admin_string),
        Column::storage(&VACM_SECURITY_TO_GROUP_STORAGE_TYPE),
        Column::status(&VACM_SECURITY_TO_GROUP_STATUS),
    ],
    is_consistent: |_| true,
    is_allowed: |_, _| true,
};
