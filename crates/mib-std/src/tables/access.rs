//! Defines vacmAccessTable (RFC 3415 §4).

use portreeve_lcd::{Access, ContextMatch};
use portreeve_mib::modules::vacm_mib::*;
use portreeve_smi::Value;

use crate::table::{self, Table, value};

type Column = table::Column<Access>;

pub(super) static TABLE: Table<Access> = Table {
    row: &VACM_ACCESS_ENTRY,
    columns: &[
        Column::writable(
            &VACM_ACCESS_CONTEXT_MATCH,
            |row, _| Value::Integer(row.context_match as i32),
            |row, value, _| {
                value::choice(value, ContextMatch::from_number).map(|new| row.columns.context_match = new)
            },
        ),
        Column::writable(
            &VACM_ACCESS_READ_VIEW_NAME,
            |row, _| Value::OctetString(&row.read_view),
            |row, value, _| value::name(value).map(|new| row.columns.read_view = new),
        )
        .checked(value::admin_string),
        Column::writable(
            &VACM_ACCESS_WRITE_VIEW_NAME,
            |row, _| Value::OctetString(&row.write_view),
            |row, value, _| value::name(value).map(|new| row.columns.write_view = new),
        )
        .checked(value::admin_string),
        Column::writable(
            &VACM_ACCESS_NOTIFY_VIEW_NAME,
            |row, _| Value::OctetString(&row.notify_view),
            |row, value, _| value::name(value).map(|new| row.columns.notify_view = new),
        )
        .checked(value::admin_string),
        Column::storage(&VACM_ACCESS_STORAGE_TYPE),
        Column::status(&VACM_ACCESS_STATUS),
    ],
    is_consistent: |_| true,
    is_allowed: |_, _| true,
};
