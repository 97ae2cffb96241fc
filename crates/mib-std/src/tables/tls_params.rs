//! Defines snmpTlstmParamsTable (RFC 6353 §7).

use portreeve_lcd::TlsParams;
use portreeve_mib::modules::tls_tm_mib::*;
use portreeve_smi::Value;

use crate::table::{self, Table, value};

type Column = table::Column<TlsParams>;

pub(super) static TABLE: Table<TlsParams> = Table {
    row: &SNMP_TLSTM_PARAMS_ENTRY,
    columns: &[
        Column::writable(
            &SNMP_TLSTM_PARAMS_CLIENT_FINGERPRINT,
            |row, _| Value::OctetString(&row.client_fingerprint),
            |row, value, _| value::name(value).map(|new| row.columns.client_fingerprint = new),
        )
        .required(TlsParams::CLIENT_FINGERPRINT)
        .checked(value::fingerprint),
        Column::storage(&SNMP_TLSTM_PARAMS_STORAGE_TYPE),
        Column::status(&SNMP_TLSTM_PARAMS_ROW_STATUS),
    ],
    is_consistent: |_| true,
    is_allowed: |_, _| true,
};
