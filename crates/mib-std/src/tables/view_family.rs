//! Defines vacmViewTreeFamilyTable (RFC 3415 §4).

use portreeve_lcd::{FamilyType, ViewFamily};
use portreeve_mib::modules::vacm_mib::*;
use portreeve_smi::Value;

use crate::table::{self, Table, value};

type Column = table::Column<ViewFamily>;

pub(super) static TABLE: Table<ViewFamily> = Table {
    row: &VACM_VIEW_TREE_FAMILY_ENTRY,
    columns: &[
        Column::writable(
            &VACM_VIEW_TREE_FAMILY_MASK,
            |row, _| Value::OctetString(&row.mask),
            |row, value, _| value::name(value).map(|new| row.columns.mask = new),
        ),
        Column::writable(
            &VACM_VIEW_TREE_FAMILY_TYPE,
            |row, _| Value::Integer(row.kind as i32),
            |row, value, _| value::choice(value, FamilyType::from_number).map(|new| row.columns.kind = new),
        ),
        Column::storage(&VACM_VIEW_TREE_FAMILY_STORAGE_TYPE),
        Column::status(&VACM_VIEW_TREE_FAMILY_STATUS),
    ],
    is_consistent: |_| true,
    is_allowed: |_, _| true,
};
