//! snmpNotifyFilterProfileTable: assigns filters to target parameters (RFC 3413 §4.2).

use std::sync::Arc;

use crate::{
    ColumnSet, Columns, Name, Row, Table, Tables,
    durable::{FieldWriter, Fields, KeyReader, KeyWriter, RecordError, RowKey},
};

/// The filter profile of a set of target parameters.
pub type NotifyFilterProfileRow = Row<NotifyFilterProfile>;

/// The index of a row: snmpTargetParamsName.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct NotifyFilterProfileKey {
    /// snmpTargetParamsName, 1 to 32 octets.
    pub params_name: Name,
}

/// The filter profile that is used with the target parameters.
#[derive(Clone, Debug)]
pub struct NotifyFilterProfile {
    /// snmpNotifyFilterProfileName, 1 to 32 octets.
    pub profile_name: Name,
}

impl NotifyFilterProfile {
    /// The column snmpNotifyFilterProfileName.
    pub const PROFILE_NAME: ColumnSet = ColumnSet::of(0);
}

impl Columns for NotifyFilterProfile {
    type Key = NotifyFilterProfileKey;
    const KIND: &'static str = "notify/profile";
    const TABLE_NAME: &'static str = "snmpNotifyFilterProfileTable";
    const REQUIRED: ColumnSet = Self::PROFILE_NAME;

    fn defaults(_: &NotifyFilterProfileKey) -> Self {
        Self { profile_name: Arc::default() }
    }

    fn table(tables: &Tables) -> &Table<Self> {
        &tables.notify_filter_profiles
    }

    fn table_mut(tables: &mut Tables) -> &mut Table<Self> {
        &mut tables.notify_filter_profiles
    }

    fn write(&self, fields: &mut FieldWriter) {
        fields.octets("profile", &self.profile_name);
    }

    fn read(fields: &Fields<'_>) -> Result<Self, RecordError> {
        Ok(Self { profile_name: fields.name("profile")? })
    }
}

impl RowKey for NotifyFilterProfileKey {
    fn write(&self, key: &mut impl KeyWriter) {
        key.octets(&self.params_name);
    }

    fn read(key: &mut impl KeyReader) -> Result<Self, RecordError> {
        Ok(Self { params_name: key.name()? })
    }
}
