//! Defines snmpNotifyFilterProfileTable (RFC 3413 §4.2).

use portreeve_lcd::NotifyFilterProfile;
use portreeve_mib::modules::notification_mib::*;
use portreeve_smi::Value;

use crate::table::{self, Table, value};

type Column = table::Column<NotifyFilterProfile>;

pub(super) static TABLE: Table<NotifyFilterProfile> = Table {
    row: &SNMP_NOTIFY_FILTER_PROFILE_ENTRY,
    columns: &[
        Column::writable(
            &SNMP_NOTIFY_FILTER_PROFILE_NAME,
            |row, _| Value::OctetString(&row.profile_name),
            |row, value, _| value::name(value).map(|new| row.columns.profile_name = new),
        )
        .required(NotifyFilterProfile::PROFILE_NAME)
        .checked(value::admin_string),
        Column::storage(&SNMP_NOTIFY_FILTER_PROFILE_STOR_TYPE),
        Column::status(&SNMP_NOTIFY_FILTER_PROFILE_ROW_STATUS),
    ],
    is_consistent: |_| true,
    is_allowed: |_, _| true,
};
