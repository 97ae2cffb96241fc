//! vacmViewTreeFamilyTable: the families of subtrees that make up views (RFC 3415 §4).

use std::sync::Arc;

use portreeve_smi::Oid;

use crate::{
    ColumnSet, Columns, Name, Row, Table, Tables,
    durable::{FieldWriter, Fields, KeyReader, KeyWriter, RecordError, RowKey},
    index_order::{counted, order_by_index},
};

/// A row of vacmViewTreeFamilyTable: one family of subtrees in a view.
pub type ViewFamilyRow = Row<ViewFamily>;

/// The index of a row: vacmViewTreeFamilyViewName and vacmViewTreeFamilySubtree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ViewFamilyKey {
    /// vacmViewTreeFamilyViewName, 1 to 32 octets.
    pub view_name: Name,
    /// vacmViewTreeFamilySubtree, the subtree to which the mask applies.
    pub subtree: Oid,
}

/// The mask and type of the family.
#[derive(Clone)]
pub struct ViewFamily {
    /// vacmViewTreeFamilyMask, at most 16 octets; missing bits are ones.
    pub mask: Name,
    /// vacmViewTreeFamilyType: included or excluded.
    pub kind: FamilyType,
}

/// Includes or excludes the names of a family. The discriminants are the numbers of the MIB.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum FamilyType {
    /// The names of the family are in the view.
    Included = 1,
    /// The names of the family are not in the view.
    Excluded = 2,
}

impl FamilyType {
    /// Returns the type with this number in a MIB.
    pub fn from_number(number: i32) -> Option<Self> {
        match number {
            1 => Some(Self::Included),
            2 => Some(Self::Excluded),
            _ => None,
        }
    }
}

impl Columns for ViewFamily {
    type Key = ViewFamilyKey;
    const KIND: &'static str = "vacm/view";
    const TABLE_NAME: &'static str = "vacmViewTreeFamilyTable";
    const REQUIRED: ColumnSet = ColumnSet::NONE;

    fn defaults(_: &ViewFamilyKey) -> Self {
        Self { mask: Arc::default(), kind: FamilyType::Included }
    }

    fn table(tables: &Tables) -> &Table<Self> {
        &tables.view_families
    }

    fn table_mut(tables: &mut Tables) -> &mut Table<Self> {
        &mut tables.view_families
    }

    fn write(&self, fields: &mut FieldWriter) {
        fields.octets("mask", &self.mask);
        fields.number("type", self.kind as u32);
    }

    fn read(fields: &Fields<'_>) -> Result<Self, RecordError> {
        Ok(Self { mask: fields.name("mask")?, kind: fields.choice("type", FamilyType::from_number)? })
    }
}

order_by_index!(ViewFamilyKey, |key| (counted(&key.view_name), counted(&key.subtree)));

impl RowKey for ViewFamilyKey {
    fn write(&self, key: &mut impl KeyWriter) {
        key.octets(&self.view_name);
        key.oid(&self.subtree);
    }

    fn read(key: &mut impl KeyReader) -> Result<Self, RecordError> {
        Ok(Self { view_name: key.name()?, subtree: key.oid()? })
    }
}
