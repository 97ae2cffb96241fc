//! Defines snmpTlstmCertToTSNTable (RFC 6353 §7).

use portreeve_datastore::{Refusal, RefusalKind};
use portreeve_lcd::CertToName;
use portreeve_mib::{Object, modules::tls_tm_mib::*};
use portreeve_smi::{OidRef, Value};

use crate::table::{self, Table, value};

type Column = table::Column<CertToName>;

pub(super) static TABLE: Table<CertToName> = Table {
    row: &SNMP_TLSTM_CERT_TO_TSN_ENTRY,
    columns: &[
        Column::writable(
            &SNMP_TLSTM_CERT_TO_TSN_FINGERPRINT,
            |row, _| Value::OctetString(&row.fingerprint),
            |row, value, _| value::name(value).map(|new| row.columns.fingerprint = new),
        )
        .required(CertToName::FINGERPRINT)
        .checked(value::fingerprint),
        Column::writable(
            &SNMP_TLSTM_CERT_TO_TSN_MAP_TYPE,
            |row, _| {
                let given = Some(&*row.map_type).filter(|given| !given.is_empty());
                Value::ObjectId(OidRef::Arcs(given.unwrap_or(SNMP_TLSTM_CERT_SPECIFIED.arcs())))
            },
            |row, value, _| value::oid(value).map(|new| row.columns.map_type = new),
        )
        .checked(check_map_type),
        Column::writable(
            &SNMP_TLSTM_CERT_TO_TSN_DATA,
            |row, _| Value::OctetString(&row.data),
            |row, value, _| value::name(value).map(|new| row.columns.data = new),
        ),
        Column::storage(&SNMP_TLSTM_CERT_TO_TSN_STORAGE_TYPE),
        Column::status(&SNMP_TLSTM_CERT_TO_TSN_ROW_STATUS),
    ],
    is_consistent: |_| true,
    is_allowed: |row, tables| tables.allowed_weaknesses.allow_certificate_rule(row),
};

/// Accepts only supported map types.
fn check_map_type(value: &Value<'_>) -> Result<(), Refusal> {
    let oid = value::oid(value)?;
    if MAP_TYPES.iter().any(|map_type_identity| *map_type_identity.oid() == *oid) {
        Ok(())
    } else {
        Err(Refusal::new(RefusalKind::WrongValue, "the map type is not supported"))
    }
}

static MAP_TYPES: [&Object; 6] = [
    &SNMP_TLSTM_CERT_SPECIFIED,
    &SNMP_TLSTM_CERT_SAN_RFC822_NAME,
    &SNMP_TLSTM_CERT_SAN_DNS_NAME,
    &SNMP_TLSTM_CERT_SAN_IP_ADDRESS,
    &SNMP_TLSTM_CERT_SAN_ANY,
    &SNMP_TLSTM_CERT_COMMON_NAME,
];
