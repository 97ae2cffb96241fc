//! snmpCommunityTable: maps community strings to security names and contexts (RFC 3584 §5).

use std::sync::Arc;

use portreeve_smi::EngineId;

use crate::{
    ColumnSet, Columns, Name, Row, Table, Tables,
    durable::{FieldWriter, Fields, KeyReader, KeyWriter, RecordError, RowKey},
};

/// A row of snmpCommunityTable, which describes one community.
pub type CommunityRow = Row<Community>;

/// The index of a row: snmpCommunityIndex.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct CommunityKey {
    /// snmpCommunityIndex, 1 to 32 octets. This is not the community string.
    pub index: Name,
}

/// The community string and its mapping. Does not implement `Debug` because the string is a secret.
#[derive(Clone)]
pub struct Community {
    /// snmpCommunityName: the string in messages.
    pub name: Name,
    /// snmpCommunitySecurityName, 1 to 32 octets.
    pub security_name: Name,
    /// snmpCommunityContextEngineID; `None` means this engine.
    pub context_engine_id: Option<EngineId>,
    /// snmpCommunityContextName, at most 32 octets.
    pub context_name: Name,
    /// snmpCommunityTransportTag: the addresses that may use the community; empty means any
    /// address.
    pub transport_tag: Name,
}

impl Community {
    /// The column snmpCommunityName.
    pub const NAME: ColumnSet = ColumnSet::of(0);
    /// The column snmpCommunitySecurityName.
    pub const SECURITY_NAME: ColumnSet = ColumnSet::of(1);
}

impl Columns for Community {
    type Key = CommunityKey;
    const KIND: &'static str = "community";
    const TABLE_NAME: &'static str = "snmpCommunityTable";
    const REQUIRED: ColumnSet = Self::NAME.with(Self::SECURITY_NAME);

    fn defaults(_: &CommunityKey) -> Self {
        let none: Name = Arc::default();
        Self {
            name: Arc::clone(&none),
            security_name: Arc::clone(&none),
            context_engine_id: None,
            context_name: Arc::clone(&none),
            transport_tag: none,
        }
    }

    fn table(tables: &Tables) -> &Table<Self> {
        &tables.communities
    }

    fn table_mut(tables: &mut Tables) -> &mut Table<Self> {
        &mut tables.communities
    }

    fn write(&self, fields: &mut FieldWriter) {
        fields.octets("name", &self.name);
        fields.octets("securityName", &self.security_name);
        if let Some(engine_id) = &self.context_engine_id {
            fields.octets(CONTEXT_ENGINE_ID, engine_id.as_bytes());
        }
        fields.octets("contextName", &self.context_name);
        fields.octets("transportTag", &self.transport_tag);
    }

    fn read(fields: &Fields<'_>) -> Result<Self, RecordError> {
        let context_engine_id = if fields.has(CONTEXT_ENGINE_ID) {
            Some(EngineId::from_wire(&fields.octets(CONTEXT_ENGINE_ID)?).map_err(|_| RecordError)?)
        } else {
            None
        };
        Ok(Self {
            name: fields.name("name")?,
            security_name: fields.name("securityName")?,
            context_engine_id,
            context_name: fields.name("contextName")?,
            transport_tag: fields.name("transportTag")?,
        })
    }
}

impl RowKey for CommunityKey {
    fn write(&self, key: &mut impl KeyWriter) {
        key.octets(&self.index);
    }

    fn read(key: &mut impl KeyReader) -> Result<Self, RecordError> {
        Ok(Self { index: key.name()? })
    }
}

const CONTEXT_ENGINE_ID: &str = "contextEngineId";
