//! Defines snmpTlstmAddrTable (RFC 6353 §7).

use portreeve_lcd::TlsAddress;
use portreeve_mib::modules::tls_tm_mib::*;
use portreeve_smi::Value;

use crate::table::{self, Table, value};

type Column = table::Column<TlsAddress>;

pub(super) static TABLE: Table<TlsAddress> = Table {
    row: &SNMP_TLSTM_ADDR_ENTRY,
    columns: &[
        Column::writable(
            &SNMP_TLSTM_ADDR_SERVER_FINGERPRINT,
            |row, _| Value::OctetString(&row.server_fingerprint),
            |row, value, _| value::name(value).map(|new| row.columns.server_fingerprint = new),
        )
        .checked(value::fingerprint_or_none),
        Column::writable(
            &SNMP_TLSTM_ADDR_SERVER_IDENTITY,
            |row, _| Value::OctetString(&row.server_identity),
            |row, value, _| value::name(value).map(|new| row.columns.server_identity = new),
        )
        .checked(value::admin_string),
        Column::storage(&SNMP_TLSTM_ADDR_STORAGE_TYPE),
        Column::status(&SNMP_TLSTM_ADDR_ROW_STATUS),
    ],
    is_consistent: |_| true,
    is_allowed: |_, _| true,
};
