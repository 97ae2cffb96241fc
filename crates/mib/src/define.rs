//! The functions and macros with which definitions are written.
//!
//! A file of `modules` resembles the MIB module that it defines: one line per object, with its
//! description as a doc comment. `objects!` and `conventions!` turn the lines into statics and list
//! them for [`Module`](crate::Module).

use crate::{
    object::{Access, Compliance, DefaultValue, Index, Kind, Leaf, Object, OidPath, Status},
    syntax::{Base, Convention, Labels, Limits, Syntax},
};

pub(crate) use Access::{AccessibleForNotify, NotAccessible, ReadCreate, ReadOnly, ReadWrite};

/// Defines one static for each object, and the list `OBJECTS` of these statics. The doc comment of
/// a static is also the description of the object.
macro_rules! objects {
    ($($(#[doc = $description:literal])+ $id:ident = $object:expr;)+) => {
        $($(#[doc = $description])+
        pub static $id: $crate::Object = $object.described(concat!($($description, "\n"),+));)+

        pub(crate) static OBJECTS: &[&$crate::Object] = &[$(&$id),+];
    };
}

/// Defines one static for each textual convention, and the list `CONVENTIONS` of these statics. The
/// doc comment of a static is also the description of the convention.
macro_rules! conventions {
    ($($(#[doc = $description:literal])+ $id:ident = $convention:expr;)+) => {
        $($(#[doc = $description])+
        pub static $id: $crate::Convention = $convention.described(concat!($($description, "\n"),+));)+

        pub(crate) static CONVENTIONS: &[&$crate::Convention] = &[$(&$id),+];
    };
}

pub(crate) use {conventions, objects};

pub(crate) const INTEGER32: Syntax = Syntax::base(Base::Integer32);
pub(crate) const OCTETS: Syntax = Syntax::base(Base::OctetString);
pub(crate) const OBJECT_ID: Syntax = Syntax::base(Base::ObjectIdentifier);
pub(crate) const IP_ADDRESS: Syntax = Syntax::base(Base::IpAddress);
pub(crate) const COUNTER32: Syntax = Syntax::base(Base::Counter32);
pub(crate) const GAUGE32: Syntax = Syntax::base(Base::Gauge32);
pub(crate) const UNSIGNED32: Syntax = Syntax::base(Base::Unsigned32);
pub(crate) const TIME_TICKS: Syntax = Syntax::base(Base::TimeTicks);
pub(crate) const COUNTER64: Syntax = Syntax::base(Base::Counter64);

/// Returns the type of a textual convention without further restrictions.
pub(crate) const fn tc(convention: &'static Convention) -> Syntax {
    Syntax { base: convention.syntax.base, convention: Some(convention), own_limits: &[], own_labels: &[] }
}

/// Returns an INTEGER with named values.
pub(crate) const fn enumeration(labels: Labels) -> Syntax {
    INTEGER32.labeled(labels)
}

/// The range of positive numbers: 1 to 2³¹−1.
pub(crate) const POSITIVE: Limits = &[(1, i32::MAX as i64)];
/// The range of non-negative numbers: 0 to 2³¹−1.
pub(crate) const NOT_NEGATIVE: Limits = &[(0, i32::MAX as i64)];

pub(crate) const fn root(name: &'static str, arc: u32) -> Object {
    let path = OidPath::EMPTY.child(arc);
    Object { name, parent: None, arc, kind: Kind::Node, status: Status::Current, description: "", path }
}

const fn object(name: &'static str, parent: &'static Object, arc: u32, kind: Kind) -> Object {
    let path = parent.path.child(arc);
    Object { name, parent: Some(parent), arc, kind, status: Status::Current, description: "", path }
}

pub(crate) const fn node(name: &'static str, parent: &'static Object, arc: u32) -> Object {
    object(name, parent, arc, Kind::Node)
}

pub(crate) const fn identity(name: &'static str, parent: &'static Object, arc: u32) -> Object {
    object(name, parent, arc, Kind::Identity)
}

pub(crate) const fn module_identity(name: &'static str, parent: &'static Object, arc: u32) -> Object {
    object(name, parent, arc, Kind::Module)
}

const fn leaf(syntax: Syntax, access: Access) -> Leaf {
    Leaf { syntax, access, units: "", default: None }
}

pub(crate) const fn scalar(
    name: &'static str,
    parent: &'static Object,
    arc: u32,
    syntax: Syntax,
    access: Access,
) -> Object {
    object(name, parent, arc, Kind::Scalar(leaf(syntax, access)))
}

pub(crate) const fn table(name: &'static str, parent: &'static Object, arc: u32) -> Object {
    object(name, parent, arc, Kind::Table)
}

pub(crate) const fn row(name: &'static str, table: &'static Object, index: Index) -> Object {
    object(name, table, 1, Kind::Row(index))
}

pub(crate) const fn column(
    name: &'static str,
    row: &'static Object,
    number: u32,
    syntax: Syntax,
    access: Access,
) -> Object {
    object(name, row, number, Kind::Column(leaf(syntax, access)))
}

pub(crate) const fn notification(
    name: &'static str,
    parent: &'static Object,
    arc: u32,
    objects: &'static [&'static Object],
) -> Object {
    object(name, parent, arc, Kind::Notification(objects))
}

pub(crate) const fn group(
    name: &'static str,
    parent: &'static Object,
    arc: u32,
    members: &'static [&'static Object],
) -> Object {
    object(name, parent, arc, Kind::Group(members))
}

pub(crate) const fn notification_group(
    name: &'static str,
    parent: &'static Object,
    arc: u32,
    members: &'static [&'static Object],
) -> Object {
    object(name, parent, arc, Kind::NotificationGroup(members))
}

pub(crate) const fn compliance(
    name: &'static str,
    parent: &'static Object,
    arc: u32,
    mandatory: &'static [&'static Object],
    conditional: &'static [&'static Object],
) -> Object {
    object(name, parent, arc, Kind::Compliance(Compliance { mandatory, conditional }))
}

pub(crate) const fn convention(name: &'static str, syntax: Syntax) -> Convention {
    Convention { name, syntax, hint: None, status: Status::Current, description: "" }
}

impl Object {
    /// Sets the description of the definition.
    pub const fn described(self, description: &'static str) -> Self {
        Self { description, ..self }
    }

    pub(crate) const fn deprecated(self) -> Self {
        Self { status: Status::Deprecated, ..self }
    }

    pub(crate) const fn obsolete(self) -> Self {
        Self { status: Status::Obsolete, ..self }
    }

    pub(crate) const fn units(mut self, units: &'static str) -> Self {
        if let Kind::Scalar(leaf) | Kind::Column(leaf) = &mut self.kind {
            leaf.units = units;
        }
        self
    }

    pub(crate) const fn default(mut self, value: DefaultValue) -> Self {
        if let Kind::Scalar(leaf) | Kind::Column(leaf) = &mut self.kind {
            leaf.default = Some(value);
        }
        self
    }
}

impl Convention {
    pub(crate) const fn described(self, description: &'static str) -> Self {
        Self { description, ..self }
    }

    pub(crate) const fn deprecated(self) -> Self {
        Self { status: Status::Deprecated, ..self }
    }

    pub(crate) const fn obsolete(self) -> Self {
        Self { status: Status::Obsolete, ..self }
    }

    pub(crate) const fn hint(self, hint: &'static str) -> Self {
        Self { hint: Some(hint), ..self }
    }
}
