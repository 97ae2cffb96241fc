//! What a definition says.
//!
//! Definitions are statics that point at their parents, so that the compiler checks every reference and no object
//! identifier is ever written twice. The words they are written in are in `define`. Definitions read from files at
//! run time live as long and look the same ([`Object::loaded`]).

use std::{fmt, sync::OnceLock};

use portreeve_smi::OidBuf;

use crate::Syntax;

/// One node of the tree of object identifiers.
#[derive(Clone, Copy)]
pub struct Object {
    /// The descriptor, such as `ifDescr`.
    pub name: &'static str,
    /// The node above; `None` for the roots.
    pub parent: Option<&'static Object>,
    /// This node's sub-identifier below its parent: a column's number in its table.
    pub arc: u32,
    /// What kind of node it is, and what only that kind has.
    pub kind: Kind,
    /// Whether it is still to be used.
    pub status: Status,
    /// One or two sentences of ours, possibly over several lines.
    pub description: &'static str,
    /// The whole identifier; written once, by the compiler, from `parent` and `arc`.
    pub(crate) path: OidPath,
}

impl Object {
    /// A definition that was read at run time. `parent` is the nearest node above `arcs` that has a definition or a
    /// place holder; `arcs` are at most 128.
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

    /// The object identifier, without instance.
    pub const fn arcs(&self) -> &[u32] {
        match &self.path {
            OidPath::Compiled { length, arcs } => arcs.split_at(*length).0,
            OidPath::Loaded(arcs) => arcs,
        }
    }

    /// The object identifier, without instance, to be extended by one.
    pub fn oid(&self) -> OidBuf {
        // Definitions are far shorter than the bound.
        OidBuf::from_arcs(self.arcs()).unwrap_or_default()
    }

    /// The last sub-identifier: a column's number in its table.
    pub fn number(&self) -> u32 {
        self.arc
    }

    /// What a scalar or column adds to a node.
    pub fn leaf(&self) -> Option<&Leaf> {
        match &self.kind {
            Kind::Scalar(leaf) | Kind::Column(leaf) => Some(leaf),
            _ => None,
        }
    }

    /// The type of a scalar's or column's values.
    pub fn syntax(&self) -> Option<&Syntax> {
        self.leaf().map(|leaf| &leaf.syntax)
    }

    /// What may be done with the instances; [`Access::NotAccessible`] where there are none.
    pub fn max_access(&self) -> Access {
        self.leaf().map_or(Access::NotAccessible, |leaf| leaf.access)
    }

    /// Whether this is a scalar: its only instance is `.0`.
    pub fn is_scalar(&self) -> bool {
        matches!(self.kind, Kind::Scalar(_))
    }

    /// The row a column stands in.
    pub fn row(&self) -> Option<&'static Object> {
        match self.kind {
            Kind::Column(_) => self.parent,
            _ => None,
        }
    }

    /// How the instances of a column or row are named, an augmented row's index where it has none of its own.
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

/// Two references are the same definition if they are the same static.
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

/// An object identifier.
#[derive(Clone, Copy)]
pub(crate) enum OidPath {
    /// The compiler has put it together.
    Compiled { length: usize, arcs: [u32; MAX_PATH_LEN] },
    /// It was read at run time.
    Loaded(&'static [u32]),
}

impl OidPath {
    pub(crate) const EMPTY: Self = Self::Compiled { length: 0, arcs: [0; MAX_PATH_LEN] };

    #[allow(
        clippy::indexing_slicing,
        reason = "only evaluated at compile time, where a path too long is an error"
    )]
    pub(crate) const fn child(self, arc: u32) -> Self {
        match self {
            Self::Compiled { length, mut arcs } => {
                arcs[length] = arc;
                Self::Compiled { length: length + 1, arcs }
            }
            // The compiler knows no definition below one that is read later.
            Self::Loaded(_) => self,
        }
    }
}

/// The kinds of definition (RFC 2578, RFC 2580).
#[derive(Clone, Copy, Debug)]
pub enum Kind {
    /// OBJECT IDENTIFIER: a name and no more.
    Node,
    /// OBJECT-IDENTITY: a name that is used as a value.
    Identity,
    /// MODULE-IDENTITY.
    Module,
    /// OBJECT-TYPE with the one instance `.0`.
    Scalar(Leaf),
    /// OBJECT-TYPE that is a SEQUENCE OF rows.
    Table,
    /// OBJECT-TYPE that is one row.
    Row(Index),
    /// OBJECT-TYPE with one instance per row.
    Column(Leaf),
    /// NOTIFICATION-TYPE and its objects.
    Notification(&'static [&'static Object]),
    /// OBJECT-GROUP and its members.
    Group(&'static [&'static Object]),
    /// NOTIFICATION-GROUP and its members.
    NotificationGroup(&'static [&'static Object]),
    /// MODULE-COMPLIANCE.
    Compliance(Compliance),
}

/// What a scalar or column adds to a node.
#[derive(Clone, Copy, Debug)]
pub struct Leaf {
    /// The type of its values.
    pub syntax: Syntax,
    /// MAX-ACCESS.
    pub access: Access,
    /// UNITS; empty where the definition has none.
    pub units: &'static str,
    /// DEFVAL: the value a new row has where its creator gives none.
    pub default: Option<DefaultValue>,
}

/// What may be done with an object's instances at most (RFC 2578 §7.3), from least to most.
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
    /// Whether a GET may ever see an instance.
    pub fn is_readable(self) -> bool {
        self >= Self::ReadOnly
    }

    /// Whether a SET may ever change an instance.
    pub fn is_writable(self) -> bool {
        self >= Self::ReadWrite
    }
}

/// Whether a definition is still to be used (RFC 2578 §7.4).
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
    /// The objects whose values name a row, in order.
    Objects(&'static [&'static Object]),
    /// The same, the last one without its length.
    Implied(&'static [&'static Object]),
    /// One row for each row of another table, named alike.
    Augments(&'static Object),
    /// Read at run time, any AUGMENTS already followed. A row stands before its columns, some of which name it, so
    /// this is filled in when both exist.
    Loaded(&'static OnceLock<RowIndex>),
}

/// The objects that name a row.
#[derive(Clone, Copy, Debug)]
pub struct RowIndex {
    /// In the order of their values in a name.
    pub objects: &'static [&'static Object],
    /// Whether the last one stands without its length.
    pub implied: bool,
}

/// A DEFVAL clause.
#[derive(Clone, Copy, Debug)]
pub enum DefaultValue {
    /// A number.
    Number(i64),
    /// A label of an enumeration.
    Label(&'static str),
    /// Printable octets.
    Text(&'static str),
    /// Any octets.
    Octets(&'static [u8]),
    /// The identifier of another definition.
    Object(&'static Object),
}

/// Which groups an implementation has to have.
#[derive(Clone, Copy, Debug)]
pub struct Compliance {
    /// Always.
    pub mandatory: &'static [&'static Object],
    /// Under a condition that the standard states.
    pub conditional: &'static [&'static Object],
}

const MAX_PATH_LEN: usize = 18;
