//! vacmSecurityToGroupTable: maps principals to groups (RFC 3415 §4).

use std::sync::Arc;

use portreeve_smi::SecurityModel;

use crate::{
    ColumnSet, Columns, Name, Row, Table, Tables,
    durable::{FieldWriter, Fields, KeyReader, KeyWriter, RecordError, RowKey},
    index_order::{counted, order_by_index},
};

/// The group of a principal.
pub type GroupRow = Row<Group>;

/// The index of a row: vacmSecurityModel and vacmSecurityName.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GroupKey {
    /// vacmSecurityModel, the model that authenticates the name; never `any`.
    pub model: SecurityModel,
    /// vacmSecurityName, 1 to 32 octets.
    pub security_name: Name,
}

/// The group to which the principal belongs.
#[derive(Clone)]
pub struct Group {
    /// vacmGroupName, 1 to 32 octets.
    pub group_name: Name,
}

impl Group {
    /// The column vacmGroupName.
    pub const GROUP_NAME: ColumnSet = ColumnSet::of(0);
}

impl Columns for Group {
    type Key = GroupKey;
    const KIND: &'static str = "vacm/group";
    const TABLE_NAME: &'static str = "vacmSecurityToGroupTable";
    const REQUIRED: ColumnSet = Self::GROUP_NAME;

    fn defaults(_: &GroupKey) -> Self {
        Self { group_name: Arc::default() }
    }

    fn table(tables: &Tables) -> &Table<Self> {
        &tables.groups
    }

    fn table_mut(tables: &mut Tables) -> &mut Table<Self> {
        &mut tables.groups
    }

    fn write(&self, fields: &mut FieldWriter) {
        fields.octets("group", &self.group_name);
    }

    fn read(fields: &Fields<'_>) -> Result<Self, RecordError> {
        Ok(Self { group_name: fields.name("group")? })
    }
}

order_by_index!(GroupKey, |key| (key.model, counted(&key.security_name)));

impl RowKey for GroupKey {
    fn write(&self, key: &mut impl KeyWriter) {
        key.number(self.model.0);
        key.octets(&self.security_name);
    }

    fn read(key: &mut impl KeyReader) -> Result<Self, RecordError> {
        Ok(Self { model: SecurityModel(key.number()?), security_name: key.name()? })
    }
}
