//! Defines snmpNotifyTable (RFC 3413 §4.2).

use portreeve_lcd::{Notify, NotifyType};
use portreeve_mib::modules::notification_mib::*;
use portreeve_smi::Value;

use crate::table::{self, Table, value};

type Column = table::Column<Notify>;

pub(super) static TABLE: Table<Notify> = Table {
    row: &SNMP_NOTIFY_ENTRY,
    columns: &[
        Column::writable(
            &SNMP_NOTIFY_TAG,
            |row, _| Value::OctetString(&row.tag),
            |row, value, _| value::name(value).map(|new| row.columns.tag = new),
        )
        .checked(value::tag),
        Column::writable(
            &SNMP_NOTIFY_TYPE,
            |row, _| Value::Integer(row.kind as i32),
            |row, value, _| value::choice(value, NotifyType::from_number).map(|new| row.columns.kind = new),
        ),
        Column::storage(&SNMP_NOTIFY_STORAGE_TYPE),
        Column::status(&SNMP_NOTIFY_ROW_STATUS),
    ],
    is_consistent: |_| true,
    is_allowed: |_, _| true,
};
