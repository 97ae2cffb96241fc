//! snmpNotifyTable: the targets of notifications and the notification type (RFC 3413 §4.2).

use std::sync::Arc;

use crate::{
    ColumnSet, Columns, Name, Row, Table, Tables,
    durable::{FieldWriter, Fields, KeyReader, KeyWriter, RecordError, RowKey},
};

/// A set of targets that receive notifications.
pub type NotifyRow = Row<Notify>;

/// The index of a row: snmpNotifyName.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct NotifyKey {
    /// snmpNotifyName, 1 to 32 octets.
    pub name: Name,
}

/// The targets and the notification type.
#[derive(Clone, Debug)]
pub struct Notify {
    /// snmpNotifyTag: selects the target addresses with this tag; empty selects none.
    pub tag: Name,
    /// snmpNotifyType: trap or inform.
    pub kind: NotifyType,
}

/// The notification type. The discriminants are the numbers of the MIB.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum NotifyType {
    /// A trap, which the receiver does not acknowledge.
    Trap = 1,
    /// An inform, which the receiver acknowledges.
    Inform = 2,
}

impl NotifyType {
    /// Returns the type with this number in a MIB.
    pub fn from_number(number: i32) -> Option<Self> {
        match number {
            1 => Some(Self::Trap),
            2 => Some(Self::Inform),
            _ => None,
        }
    }
}

impl Columns for Notify {
    type Key = NotifyKey;
    const KIND: &'static str = "notify/target";
    const TABLE_NAME: &'static str = "snmpNotifyTable";
    const REQUIRED: ColumnSet = ColumnSet::NONE;

    fn defaults(_: &NotifyKey) -> Self {
        Self { tag: Arc::default(), kind: NotifyType::Trap }
    }

    fn table(tables: &Tables) -> &Table<Self> {
        &tables.notifies
    }

    fn table_mut(tables: &mut Tables) -> &mut Table<Self> {
        &mut tables.notifies
    }

    fn write(&self, fields: &mut FieldWriter) {
        fields.octets("tag", &self.tag);
        fields.number("type", self.kind as u32);
    }

    fn read(fields: &Fields<'_>) -> Result<Self, RecordError> {
        Ok(Self { tag: fields.name("tag")?, kind: fields.choice("type", NotifyType::from_number)? })
    }
}

impl RowKey for NotifyKey {
    fn write(&self, key: &mut impl KeyWriter) {
        key.octets(&self.name);
    }

    fn read(key: &mut impl KeyReader) -> Result<Self, RecordError> {
        Ok(Self { name: key.name()? })
    }
}
