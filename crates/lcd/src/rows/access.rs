//! vacmAccessTable: the views of a group, by context, security model and level (RFC 3415 §4).

use std::sync::Arc;

use portreeve_smi::{SecurityLevel, SecurityModel};

use crate::{
    ColumnSet, Columns, Name, Row, Table, Tables,
    durable::{FieldWriter, Fields, KeyReader, KeyWriter, RecordError, RowKey},
    index_order::{counted, order_by_index},
};

/// An access right of a group.
pub type AccessRow = Row<Access>;

/// The index of a row: vacmGroupName, vacmAccessContextPrefix, vacmAccessSecurityModel and
/// vacmAccessSecurityLevel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AccessKey {
    /// vacmGroupName, 1 to 32 octets.
    pub group_name: Name,
    /// vacmAccessContextPrefix, at most 32 octets.
    pub context_prefix: Name,
    /// vacmAccessSecurityModel: [`SecurityModel::ANY`] matches every model.
    pub model: SecurityModel,
    /// vacmAccessSecurityLevel, the minimum security level of a message.
    pub level: SecurityLevel,
}

/// The views of the access right. An empty view name grants no access.
#[derive(Clone)]
pub struct Access {
    /// vacmAccessContextMatch: the comparison of the prefix with a contextName.
    pub context_match: ContextMatch,
    /// vacmAccessReadViewName, at most 32 octets.
    pub read_view: Name,
    /// vacmAccessWriteViewName, at most 32 octets.
    pub write_view: Name,
    /// vacmAccessNotifyViewName, at most 32 octets.
    pub notify_view: Name,
}

/// The comparison of vacmAccessContextPrefix with a contextName. The discriminants are the numbers
/// of the MIB.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum ContextMatch {
    /// The contextName is equal to the prefix.
    Exact = 1,
    /// The contextName begins with the prefix.
    Prefix = 2,
}

impl ContextMatch {
    /// Returns the match with this number in a MIB.
    pub fn from_number(number: i32) -> Option<Self> {
        match number {
            1 => Some(Self::Exact),
            2 => Some(Self::Prefix),
            _ => None,
        }
    }
}

impl Columns for Access {
    type Key = AccessKey;
    const KIND: &'static str = "vacm/access";
    const TABLE_NAME: &'static str = "vacmAccessTable";
    const REQUIRED: ColumnSet = ColumnSet::NONE;

    fn defaults(_: &AccessKey) -> Self {
        let none: Name = Arc::default();
        Self {
            context_match: ContextMatch::Exact,
            read_view: Arc::clone(&none),
            write_view: Arc::clone(&none),
            notify_view: none,
        }
    }

    fn table(tables: &Tables) -> &Table<Self> {
        &tables.access
    }

    fn table_mut(tables: &mut Tables) -> &mut Table<Self> {
        &mut tables.access
    }

    fn write(&self, fields: &mut FieldWriter) {
        fields.number("contextMatch", self.context_match as u32);
        fields.octets("read", &self.read_view);
        fields.octets("write", &self.write_view);
        fields.octets("notify", &self.notify_view);
    }

    fn read(fields: &Fields<'_>) -> Result<Self, RecordError> {
        Ok(Self {
            context_match: fields.choice("contextMatch", ContextMatch::from_number)?,
            read_view: fields.name("read")?,
            write_view: fields.name("write")?,
            notify_view: fields.name("notify")?,
        })
    }
}

order_by_index!(AccessKey, |key| {
    (counted(&key.group_name), counted(&key.context_prefix), key.model, key.level)
});

impl RowKey for AccessKey {
    fn write(&self, key: &mut impl KeyWriter) {
        key.octets(&self.group_name);
        key.octets(&self.context_prefix);
        key.number(self.model.0);
        key.number(self.level as u32);
    }

    fn read(key: &mut impl KeyReader) -> Result<Self, RecordError> {
        Ok(Self {
            group_name: key.name()?,
            context_prefix: key.name()?,
            model: SecurityModel(key.number()?),
            level: key.choice(SecurityLevel::from_number)?,
        })
    }
}
