//! Defines snmpTargetParamsTable (RFC 3413 §4.1).

use portreeve_datastore::{Refusal, RefusalKind};
use portreeve_lcd::TargetParams;
use portreeve_mib::modules::target_mib::*;
use portreeve_smi::{MessageProcessingModel, SecurityLevel, SecurityModel, Value};

use crate::table::{self, Table, value};

type Column = table::Column<TargetParams>;

pub(super) static TABLE: Table<TargetParams> = Table {
    row: &SNMP_TARGET_PARAMS_ENTRY,
    columns: &[
        Column::writable(
            &SNMP_TARGET_PARAMS_MP_MODEL,
            |row, _| Value::Integer((row.mp_model as u8).into()),
            |row, value, _| {
                let number = value::integer(value)?;
                let supported = MP_MODELS.iter().find(|model| i32::from(**model as u8) == number);
                row.columns.mp_model = *supported.ok_or_else(unsupported_model)?;
                Ok(())
            },
        )
        .required(TargetParams::MP_MODEL)
        .locked(),
        Column::writable(
            &SNMP_TARGET_PARAMS_SECURITY_MODEL,
            |row, _| Value::Integer(i32::try_from(row.security_model.0).unwrap_or(i32::MAX)),
            |row, value, _| {
                let model = SecurityModel(value::unsigned(value)?);
                if !SECURITY_MODELS.contains(&model) {
                    return Err(unsupported_model());
                }
                row.columns.security_model = model;
                Ok(())
            },
        )
        .required(TargetParams::SECURITY_MODEL)
        .locked(),
        Column::writable(
            &SNMP_TARGET_PARAMS_SECURITY_NAME,
            |row, _| Value::OctetString(&row.security_name),
            |row, value, _| value::name(value).map(|new| row.columns.security_name = new),
        )
        .required(TargetParams::SECURITY_NAME)
        .checked(value::admin_string)
        .locked(),
        Column::writable(
            &SNMP_TARGET_PARAMS_SECURITY_LEVEL,
            |row, _| Value::Integer(row.security_level as i32),
            |row, value, _| {
                value::choice(value, SecurityLevel::from_number).map(|new| row.columns.security_level = new)
            },
        )
        .required(TargetParams::SECURITY_LEVEL)
        .locked(),
        Column::storage(&SNMP_TARGET_PARAMS_STORAGE_TYPE),
        Column::status(&SNMP_TARGET_PARAMS_ROW_STATUS),
    ],
    is_consistent: |_| true,
    is_allowed: |_, _| true,
};

const MP_MODELS: [MessageProcessingModel; 3] =
    [MessageProcessingModel::V1, MessageProcessingModel::V2c, MessageProcessingModel::V3];

fn unsupported_model() -> Refusal {
    Refusal::new(RefusalKind::InconsistentValue, "the model is not supported")
}

const SECURITY_MODELS: [SecurityModel; 4] =
    [SecurityModel::SNMP_V1, SecurityModel::SNMP_V2C, SecurityModel::USM, SecurityModel::TSM];
