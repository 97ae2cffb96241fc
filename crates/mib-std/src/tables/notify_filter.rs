//! Defines snmpNotifyFilterTable (RFC 3413 §4.2).

use portreeve_lcd::{FamilyType, NotifyFilter};
use portreeve_mib::modules::notification_mib::*;
use portreeve_smi::Value;

use crate::table::{self, Table, value};

type Column = table::Column<NotifyFilter>;

pub(super) static TABLE: Table<NotifyFilter> = Table {
    row: &SNMP_NOTIFY_FILTER_ENTRY,
    columns: &[
        Column::writable(
            &SNMP_NOTIFY_FILTER_MASK,
            |row, _| Value::OctetString(&row.mask),
            |row, value, _| value::name(value).map(|new| row.columns.mask = new),
        ),
        Column::writable(
            &SNMP_NOTIFY_FILTER_TYPE,
            |row, _| Value::Integer(row.kind as i32),
            |row, value, _| value::choice(value, FamilyType::from_number).map(|new| row.columns.kind = new),
        ),
        Column::storage(&SNMP_NOTIFY_FILTER_STORAGE_TYPE),
        Column::status(&SNMP_NOTIFY_FILTER_ROW_STATUS),
    ],
    is_consistent: |_| true,
    is_allowed: |_, _| true,
};
