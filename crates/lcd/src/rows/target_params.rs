//! snmpTargetParamsTable: the parameters of messages to a target (RFC 3413 §4.1).

use std::sync::Arc;

use portreeve_smi::{MessageProcessingModel, SecurityLevel, SecurityModel};

use crate::{
    ColumnSet, Columns, Name, Row, Table, Tables,
    durable::{FieldWriter, Fields, KeyReader, KeyWriter, RecordError, RowKey},
};

/// A set of target parameters.
pub type TargetParamsRow = Row<TargetParams>;

/// The index of a row: snmpTargetParamsName.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct TargetParamsKey {
    /// snmpTargetParamsName, 1 to 32 octets.
    pub name: Name,
}

/// The message processing model and the security parameters.
#[derive(Clone, Debug)]
pub struct TargetParams {
    /// snmpTargetParamsMPModel: the message processing model.
    pub mp_model: MessageProcessingModel,
    /// snmpTargetParamsSecurityModel; never `any`.
    pub security_model: SecurityModel,
    /// snmpTargetParamsSecurityName: the name on whose behalf messages are sent.
    pub security_name: Name,
    /// snmpTargetParamsSecurityLevel: the security level of the messages.
    pub security_level: SecurityLevel,
}

impl TargetParams {
    /// The column snmpTargetParamsMPModel.
    pub const MP_MODEL: ColumnSet = ColumnSet::of(0);
    /// The column snmpTargetParamsSecurityModel.
    pub const SECURITY_MODEL: ColumnSet = ColumnSet::of(1);
    /// The column snmpTargetParamsSecurityName.
    pub const SECURITY_NAME: ColumnSet = ColumnSet::of(2);
    /// The column snmpTargetParamsSecurityLevel.
    pub const SECURITY_LEVEL: ColumnSet = ColumnSet::of(3);
}

impl Columns for TargetParams {
    type Key = TargetParamsKey;
    const KIND: &'static str = "target/params";
    const TABLE_NAME: &'static str = "snmpTargetParamsTable";
    const REQUIRED: ColumnSet =
        Self::MP_MODEL.with(Self::SECURITY_MODEL).with(Self::SECURITY_NAME).with(Self::SECURITY_LEVEL);

    fn defaults(_: &TargetParamsKey) -> Self {
        Self {
            mp_model: MessageProcessingModel::V3,
            security_model: SecurityModel::USM,
            security_name: Arc::default(),
            security_level: SecurityLevel::AuthPriv,
        }
    }

    fn table(tables: &Tables) -> &Table<Self> {
        &tables.target_params
    }

    fn table_mut(tables: &mut Tables) -> &mut Table<Self> {
        &mut tables.target_params
    }

    fn write(&self, fields: &mut FieldWriter) {
        fields.number("mpModel", self.mp_model as u32);
        fields.number("securityModel", self.security_model.0);
        fields.octets("securityName", &self.security_name);
        fields.number("securityLevel", self.security_level as u32);
    }

    fn read(fields: &Fields<'_>) -> Result<Self, RecordError> {
        Ok(Self {
            mp_model: fields.choice("mpModel", mp_model_from_number)?,
            security_model: SecurityModel(fields.number("securityModel")?),
            security_name: fields.name("securityName")?,
            security_level: fields.choice("securityLevel", SecurityLevel::from_number)?,
        })
    }
}

impl RowKey for TargetParamsKey {
    fn write(&self, key: &mut impl KeyWriter) {
        key.octets(&self.name);
    }

    fn read(key: &mut impl KeyReader) -> Result<Self, RecordError> {
        Ok(Self { name: key.name()? })
    }
}

fn mp_model_from_number(number: i32) -> Option<MessageProcessingModel> {
    [MessageProcessingModel::V1, MessageProcessingModel::V2c, MessageProcessingModel::V3]
        .into_iter()
        .find(|model| i32::from(*model as u8) == number)
}
