//! The type of definitions.
//!
//! Definitions are statics that refer to their parents, so the compiler checks every reference and
//! each object identifier is written only once. `define` contains the functions to write them.
//! Definitions that are loaded from files at run time have the same type and are never freed
//! ([`Object::loaded`]).

use std::{fmt, sync::OnceLock};

use portreeve_smi::OidBuf;

use crate::Syntax;

/// One node of the tree of object identifiers.
#[derive(Clone, Copy)]
pub struct Object {
    /// The descriptor, such as `ifDescr`.
    pub name: &'static str,
    /// The parent node; `None` for the roots.
    pub parent: Option<&'static Object>,
    /// The sub-identifier below the parent; for a column, its number in the table.
    pub arc: u32,
    /// The kind of the node, with the data that belongs to this kind.
    pub kind: Kind,
    /// The STATUS clause.
    pub status: Status,
    /// A short description, written for this project; may consist of several lines.
    pub description: &'static str,
    /// The complete identifier, computed at compile time from `parent` and `arc`.
    pub(crate) path: OidPath,
}

impl Object {
    /// Creates a definition at run time. `parent` is the nearest ancestor of `arcs` that has a
    /// definition or a placeholder. `arcs` has at most 128 elements.
    pub fn loaded(
        name: &'static str,
        parent: Option<&'static Self>,
        arcs: &'static [u32],
        kind: Kind,
    ) -> Self {
        let arc = arcs.last().copied().unwrap_or_default();
        let path = OidPath::Loaded(arcs);
        Self { name, parent, arc, kind, status: Status::Current, description: "", path }
    }

    /// Returns the object identifier, without instance.
    pub const fn arcs(&self) -> &[u32] {
        match &self.path {
            OidPath::Compiled { length, arcs } => arcs.split_at(*length).0,
            OidPath::Loaded(arcs) => arcs,
        }
    }

    /// Returns the object identifier, to which an instance can be appended.
    pub fn oid(&self) -> OidBuf {
        // An identifier of a definition never exceeds the maximum length of an OBJECT IDENTIFIER.
        OidBuf::from_arcs(self.arcs()).unwrap_or_default()
    }

    /// Returns the last sub-identifier; for a column, its number in the table.
    pub fn number(&self) -> u32 {
        self.arc
    }

    /// Returns the data of a scalar or column.
    pub fn leaf(&self) -> Option<&Leaf> {
        match &self.kind {
            Kind::Scalar(leaf) | Kind::Column(leaf) => Some(leaf),
            _ => None,
        }
    }

    /// Returns the type of a scalar's or column's values.
    pub fn syntax(&self) -> Option<&Syntax> {
        self.leaf().map(|leaf| &leaf.syntax)
    }

    /// Returns the maximum access of the instances; [`Access::NotAccessible`] if there are none.
    pub fn max_access(&self) -> Access {
        self.leaf().map_or(Access::NotAccessible, |leaf| leaf.access)
    }

    /// Returns true for a scalar, whose only instance is `.0`.
    pub fn is_scalar(&self) -> bool {
        matches!(self.kind, Kind::Scalar(_))
    }

    /// Returns the row of a column.
    pub fn row(&self) -> Option<&'static Object> {
        match self.kind {
            Kind::Column(_) => self.parent,
            _ => None,
        }
    }

    /// Returns the index of a column or row. An augmenting row has the index of the row it
    /// augments.
    pub fn index(&self) -> Option<RowIndex> {
        match self.kind {
            Kind::Column(_) => self.parent?.index(),
            Kind::Row(Index::Objects(objects)) => Some(RowIndex { objects, implied: false }),
            Kind::Row(Index::Implied(objects)) => Some(RowIndex { objects, implied: true }),
            Kind::Row(Index::Augments(row)) => row.index(),
            Kind::Row(Index::Loaded(index)) => index.get().copied(),
            _ => None,
        }
    }
}

/// Two references are equal if they refer to the same static.
impl PartialEq for Object {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self, other)
    }
}

impl Eq for Object {}

impl fmt::Debug for Object {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

/// The object identifier of a definition.
#[derive(Clone, Copy)]
pub(crate) enum OidPath {
    /// The identifier is computed at compile time.
    Compiled { length: usize, arcs: [u32; MAX_PATH_LEN] },
    /// The identifier is loaded at run time.
    Loaded(&'static [u32]),
}

impl OidPath {
    pub(crate) const EMPTY: Self = Self::Compiled { length: 0, arcs: [0; MAX_PATH_LEN] };

    #[allow(
        clippy::indexing_slicing,
        reason = "evaluated only at compile time, where a path that is too long is an error"
    )]
    pub(crate) const fn child(self, arc: u32) -> Self {
        match self {
            Self::Compiled { length, mut arcs } => {
                arcs[length] = arc;
                Self::Compiled { length: length + 1, arcs }
            }
            // A compiled definition never has a loaded parent.
            Self::Loaded(_) => self,
        }
    }
}

/// The kinds of definition (RFC 2578, RFC 2580).
#[derive(Clone, Copy, Debug)]
pub enum Kind {
    /// OBJECT IDENTIFIER: only a name.
    Node,
    /// OBJECT-IDENTITY: a name used as a value.
    Identity,
    /// MODULE-IDENTITY: the node that identifies a module.
    Module,
    /// OBJECT-TYPE with the single instance `.0`.
    Scalar(Leaf),
    /// OBJECT-TYPE with SYNTAX SEQUENCE OF.
    Table,
    /// OBJECT-TYPE for the rows of a table.
    Row(Index),
    /// OBJECT-TYPE with one instance per row.
    Column(Leaf),
    /// NOTIFICATION-TYPE: a notification, with its objects.
    Notification(&'static [&'static Object]),
    /// OBJECT-GROUP: a group of objects, with its members.
    Group(&'static [&'static Object]),
    /// NOTIFICATION-GROUP: a group of notifications, with its members.
    NotificationGroup(&'static [&'static Object]),
    /// MODULE-COMPLIANCE: the groups that an implementation must support.
    Compliance(Compliance),
}

/// The data of a scalar or column.
#[derive(Clone, Copy, Debug)]
pub struct Leaf {
    /// The type of the object's values.
    pub syntax: Syntax,
    /// The MAX-ACCESS clause.
    pub access: Access,
    /// The UNITS clause; empty if the definition has none.
    pub units: &'static str,
    /// The DEFVAL clause: the default value for new rows.
    pub default: Option<DefaultValue>,
}

/// The maximum access to the instances of an object (RFC 2578 §7.3), in ascending order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[allow(missing_docs, reason = "the names are SMIv2's")]
pub enum Access {
    NotAccessible,
    AccessibleForNotify,
    ReadOnly,
    ReadWrite,
    ReadCreate,
}

impl Access {
    /// Returns true if a GET can read instances.
    pub fn is_readable(self) -> bool {
        self >= Self::ReadOnly
    }

    /// Returns true if a SET can change instances.
    pub fn is_writable(self) -> bool {
        self >= Self::ReadWrite
    }
}

/// The STATUS clause of a definition (RFC 2578 §7.4).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names are SMIv2's")]
pub enum Status {
    Current,
    Deprecated,
    Obsolete,
}

/// A row's INDEX or AUGMENTS clause.
#[derive(Clone, Copy, Debug)]
pub enum Index {
    /// The objects whose values identify a row, in order.
    Objects(&'static [&'static Object]),
    /// The objects of the INDEX clause. The last object is IMPLIED: it is encoded without its
    /// length.
    Implied(&'static [&'static Object]),
    /// Each row corresponds to a row of another table and has the same index.
    Augments(&'static Object),
    /// Loaded at run time, with AUGMENTS already resolved. A row is created before its columns,
    /// some of which are in the index, so the index is set after both exist.
    Loaded(&'static OnceLock<RowIndex>),
}

/// The objects that identify a row.
#[derive(Clone, Copy, Debug)]
pub struct RowIndex {
    /// The objects, in the order of their values in a name.
    pub objects: &'static [&'static Object],
    /// True if the last value is encoded without its length.
    pub implied: bool,
}

/// The default value in a DEFVAL clause.
#[derive(Clone, Copy, Debug)]
pub enum DefaultValue {
    /// A number.
    Number(i64),
    /// A label of an enumeration.
    Label(&'static str),
    /// An OCTET STRING whose octets are printable.
    Text(&'static str),
    /// An OCTET STRING with any octets.
    Octets(&'static [u8]),
    /// The identifier of another definition.
    Object(&'static Object),
}

/// The groups that an implementation must support.
#[derive(Clone, Copy, Debug)]
pub struct Compliance {
    /// The groups that every implementation must support.
    pub mandatory: &'static [&'static Object],
    /// The groups that are required only if a condition in the standard applies.
    pub conditional: &'static [&'static Object],
}

const MAX_PATH_LEN: usize = 18;
