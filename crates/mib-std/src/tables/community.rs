//! Defines snmpCommunityTable (RFC 3584 §5).

use portreeve_datastore::RefusalKind;
use portreeve_lcd::Community;
use portreeve_mib::modules::community_mib::*;
use portreeve_smi::{EngineId, Value};

use crate::table::{self, Table, value};

type Column = table::Column<Community>;

pub(super) static TABLE: Table<Community> = Table {
    row: &SNMP_COMMUNITY_ENTRY,
    columns: &[
        Column::writable(
            &SNMP_COMMUNITY_NAME,
            |row, _| Value::OctetString(&row.name),
            |row, value, _| value::name(value).map(|new| row.columns.name = new),
        )
        .required(Community::NAME),
        Column::writable(
            &SNMP_COMMUNITY_SECURITY_NAME,
            |row, _| Value::OctetString(&row.security_name),
            |row, value, _| value::name(value).map(|new| row.columns.security_name = new),
        )
        .required(Community::SECURITY_NAME)
        .checked(value::admin_string),
        Column::writable(
            &SNMP_COMMUNITY_CONTEXT_ENGINE_ID,
            |row, local| {
                Value::OctetString(
                    row.columns.context_engine_id.as_ref().unwrap_or(&local.engine_id).as_bytes(),
                )
            },
            |row, value, _| {
                let engine_id = EngineId::new(value::octets(value)?).map_err(|_| RefusalKind::WrongValue)?;
                row.columns.context_engine_id = Some(engine_id);
                Ok(())
            },
        )
        .checked(value::engine_id),
        Column::writable(
            &SNMP_COMMUNITY_CONTEXT_NAME,
            |row, _| Value::OctetString(&row.context_name),
            |row, value, _| value::name(value).map(|new| row.columns.context_name = new),
        )
        .checked(value::admin_string),
        Column::writable(
            &SNMP_COMMUNITY_TRANSPORT_TAG,
            |row, _| Value::OctetString(&row.transport_tag),
            |row, value, _| value::name(value).map(|new| row.columns.transport_tag = new),
        )
        .checked(value::tag),
        Column::storage(&SNMP_COMMUNITY_STORAGE_TYPE),
        Column::status(&SNMP_COMMUNITY_STATUS),
    ],
    is_consistent: |_| true,
    is_allowed: |row, tables| tables.allowed_weaknesses.allow_community(row),
};
