//! Loaded definitions as plain data: the content of the cache, from which definitions are created.
//!
//! Objects refer to each other by identifier, and to conventions by position.

use portreeve_mib::{Access, Base, object::Status};
use serde::{Deserialize, Serialize};

/// All definitions that were loaded from files.
#[derive(Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct DefinitionTable<'a> {
    #[serde(borrow)]
    pub(crate) modules: Vec<ModuleRow<'a>>,
    #[serde(borrow)]
    pub(crate) conventions: Vec<ConventionRow<'a>>,
    #[serde(borrow)]
    pub(crate) objects: Vec<ObjectRow<'a>>,
    /// Warnings, reported again each time the table is taken from the cache.
    pub(crate) warnings: Vec<(String, u32, String, String)>,
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct ModuleRow<'a> {
    pub(crate) name: &'a str,
    pub(crate) last_updated: &'a str,
    pub(crate) description: &'a str,
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct ConventionRow<'a> {
    pub(crate) module: u32,
    pub(crate) name: &'a str,
    pub(crate) syntax: SyntaxRow<'a>,
    pub(crate) hint: Option<&'a str>,
    pub(crate) status: StatusRow,
    pub(crate) description: &'a str,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct SyntaxRow<'a> {
    pub(crate) base: BaseRow,
    /// The position of the convention that this type refines. A convention always comes after the
    /// convention that it refines.
    pub(crate) convention: Option<u32>,
    pub(crate) limits: Vec<(i64, i64)>,
    #[serde(borrow)]
    pub(crate) labels: Vec<(&'a str, i32)>,
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct ObjectRow<'a> {
    pub(crate) module: u32,
    pub(crate) name: &'a str,
    pub(crate) arcs: Vec<u32>,
    #[serde(borrow)]
    pub(crate) kind: KindRow<'a>,
    pub(crate) status: StatusRow,
    pub(crate) description: &'a str,
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
pub(crate) enum KindRow<'a> {
    Node,
    Identity,
    Module,
    Scalar(#[serde(borrow)] LeafRow<'a>),
    Table,
    /// The row of a table: the identifiers of its index objects, and true if the last one is
    /// IMPLIED.
    Row(Vec<Vec<u32>>, bool),
    Column(#[serde(borrow)] LeafRow<'a>),
    Notification(Vec<Vec<u32>>),
    Group(Vec<Vec<u32>>),
    NotificationGroup(Vec<Vec<u32>>),
    Compliance,
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct LeafRow<'a> {
    #[serde(borrow)]
    pub(crate) syntax: SyntaxRow<'a>,
    pub(crate) access: AccessRow,
    pub(crate) units: &'a str,
    #[serde(borrow)]
    pub(crate) default: Option<DefaultRow<'a>>,
}

/// Corresponds to [`portreeve_mib::object::DefaultValue`]. It contains no identifiers.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
pub(crate) enum DefaultRow<'a> {
    Number(i64),
    Label(&'a str),
    Text(&'a str),
    Octets(&'a [u8]),
}

/// Corresponds to [`portreeve_mib::Base`], for storage in the cache.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) enum BaseRow {
    Integer32,
    Unsigned32,
    OctetString,
    ObjectIdentifier,
    Bits,
    IpAddress,
    Counter32,
    Gauge32,
    TimeTicks,
    Opaque,
    Counter64,
}

/// Corresponds to [`portreeve_mib::Access`], for storage in the cache.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) enum AccessRow {
    NotAccessible,
    AccessibleForNotify,
    ReadOnly,
    ReadWrite,
    ReadCreate,
}

/// Corresponds to [`portreeve_mib::object::Status`], for storage in the cache.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) enum StatusRow {
    Current,
    Deprecated,
    Obsolete,
}

macro_rules! same_names {
    ($row:ident, $of:path, $($name:ident)+) => {
        impl From<$row> for $of {
            fn from(row: $row) -> Self {
                match row {
                    $($row::$name => Self::$name,)+
                }
            }
        }
    };
}

same_names!(BaseRow, Base, Integer32 Unsigned32 OctetString ObjectIdentifier Bits IpAddress Counter32 Gauge32
    TimeTicks Opaque Counter64);
same_names!(AccessRow, Access, NotAccessible AccessibleForNotify ReadOnly ReadWrite ReadCreate);
same_names!(StatusRow, Status, Current Deprecated Obsolete);
