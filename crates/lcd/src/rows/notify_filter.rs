//! snmpNotifyFilterTable: the families of subtrees that make up notification filters (RFC 3413
//! §4.2).

use std::sync::Arc;

use portreeve_smi::Oid;

use crate::{
    ColumnSet, Columns, FamilyType, Name, Row, Table, Tables,
    durable::{FieldWriter, Fields, KeyReader, KeyWriter, RecordError, RowKey},
    index_order::{counted, order_by_index},
};

/// A row of snmpNotifyFilterTable: one family of subtrees in a filter.
pub type NotifyFilterRow = Row<NotifyFilter>;

/// The index of a row: snmpNotifyFilterProfileName and snmpNotifyFilterSubtree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotifyFilterKey {
    /// snmpNotifyFilterProfileName, 1 to 32 octets.
    pub profile_name: Name,
    /// snmpNotifyFilterSubtree, the subtree to which the mask applies.
    pub subtree: Oid,
}

/// The mask and type of the family.
#[derive(Clone, Debug)]
pub struct NotifyFilter {
    /// snmpNotifyFilterMask, at most 16 octets; missing bits are ones.
    pub mask: Name,
    /// snmpNotifyFilterType: included or excluded.
    pub kind: FamilyType,
}

impl Columns for NotifyFilter {
    type Key = NotifyFilterKey;
    const KIND: &'static str = "notify/filter";
    const TABLE_NAME: &'static str = "snmpNotifyFilterTable";
    const REQUIRED: ColumnSet = ColumnSet::NONE;

    fn defaults(_: &NotifyFilterKey) -> Self {
        Self { mask: Arc::default(), kind: FamilyType::Included }
    }

    fn table(tables: &Tables) -> &Table<Self> {
        &tables.notify_filters
    }

    fn table_mut(tables: &mut Tables) -> &mut Table<Self> {
        &mut tables.notify_filters
    }

    fn write(&self, fields: &mut FieldWriter) {
        fields.octets("mask", &self.mask);
        fields.number("type", self.kind as u32);
    }

    fn read(fields: &Fields<'_>) -> Result<Self, RecordError> {
        Ok(Self { mask: fields.name("mask")?, kind: fields.choice("type", FamilyType::from_number)? })
    }
}

order_by_index!(NotifyFilterKey, |key| (counted(&key.profile_name), &*key.subtree));

impl RowKey for NotifyFilterKey {
    fn write(&self, key: &mut impl KeyWriter) {
        key.octets(&self.profile_name);
        key.oid(&self.subtree);
    }

    fn read(key: &mut impl KeyReader) -> Result<Self, RecordError> {
        Ok(Self { profile_name: key.name()?, subtree: key.oid()? })
    }
}
