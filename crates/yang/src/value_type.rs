//! Types of leafs after typedefs are resolved (RFC 7950 §9).

use crate::{ErrorStatements, IdentityId, NodeId, TypeId};

/// The type of a leaf or leaf-list, or a member of a union.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Type {
    /// The typedef that the leaf names, if it does not name a built-in type.
    pub typedef: Option<Typedef>,
    /// The built-in type, with the restrictions of all typedefs.
    pub kind: TypeKind,
}

/// The name of a typedef.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Typedef {
    /// The name of the module that contains the typedef.
    pub module: Box<str>,
    /// The name.
    pub name: Box<str>,
}

/// A built-in type with its restrictions (RFC 7950 §4.2.4).
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TypeKind {
    /// One of the integer types.
    Integer {
        /// The type.
        kind: IntegerKind,
        /// The values that are permitted, if not all of the type.
        range: Option<RangeRestriction>,
    },
    /// A decimal number.
    Decimal64 {
        /// The number of digits after the point, 1 to 18.
        fraction_digits: u8,
        /// The values that are permitted, multiplied by 10 to the power of `fraction_digits`.
        range: Option<RangeRestriction>,
    },
    /// A string.
    String {
        /// The number of characters that are permitted.
        length: Option<LengthRestriction>,
        /// The patterns, all of which a value has to match.
        patterns: Vec<PatternRestriction>,
    },
    /// true or false.
    Boolean,
    /// One of several names.
    Enumeration {
        /// The names, in the order of the module.
        values: Vec<EnumValue>,
    },
    /// A set of names.
    Bits {
        /// The names, by ascending position.
        bits: Vec<Bit>,
    },
    /// Octets.
    Binary {
        /// The number of octets that are permitted.
        length: Option<LengthRestriction>,
    },
    /// The value of a leaf or leaf-list elsewhere.
    Leafref {
        /// The leaf or leaf-list.
        target: NodeId,
        /// The path as the module has it.
        path: Box<str>,
        /// The path with its names resolved.
        steps: LeafrefPath,
        /// An instance with this value has to exist.
        require_instance: bool,
    },
    /// The name of an identity.
    Identityref {
        /// The bases, from all of which a value has to be derived.
        bases: Vec<IdentityId>,
    },
    /// No value.
    Empty,
    /// The value of one of several types.
    Union {
        /// The types, in the order in which a value is tried.
        members: Vec<TypeId>,
    },
    /// The path of an instance.
    InstanceIdentifier {
        /// The instance has to exist.
        require_instance: bool,
    },
}

/// An integer type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IntegerKind {
    /// 8 bits with sign.
    Int8,
    /// 16 bits with sign.
    Int16,
    /// 32 bits with sign.
    Int32,
    /// 64 bits with sign.
    Int64,
    /// 8 bits.
    Uint8,
    /// 16 bits.
    Uint16,
    /// 32 bits.
    Uint32,
    /// 64 bits.
    Uint64,
}

/// The numbers from `min` to `max`, both included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Interval<T> {
    /// The smallest number.
    pub min: T,
    /// The greatest number.
    pub max: T,
}

/// A `range` statement (RFC 7950 §9.2.4).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RangeRestriction {
    /// The permitted numbers, ascending and disjoint.
    pub intervals: Vec<Interval<i128>>,
    /// The error of a value outside of them.
    pub error: ErrorStatements,
}

/// A `length` statement (RFC 7950 §9.4.4).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LengthRestriction {
    /// The permitted lengths, ascending and disjoint.
    pub intervals: Vec<Interval<u64>>,
    /// The error of a value of another length.
    pub error: ErrorStatements,
}

/// A `pattern` statement (RFC 7950 §9.4.5).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PatternRestriction {
    /// The regular expression as the module has it, in the syntax of XML Schema.
    pub expression: Box<str>,
    /// A value must not match.
    pub is_inverted: bool,
    /// The error of a value that the pattern refuses.
    pub error: ErrorStatements,
}

/// A name of an enumeration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EnumValue {
    /// The name.
    pub name: Box<str>,
    /// The number that SNMP shows.
    pub value: i32,
}

/// A name of a set of bits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bit {
    /// The name.
    pub name: Box<str>,
    /// The position, counted from 0.
    pub position: u32,
}

/// The path of a leafref with its names resolved (RFC 7950 §9.9.2).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeafrefPath {
    /// The node at which the path begins.
    pub start: LeafrefStart,
    /// The data nodes on the way down. The last is the target.
    pub steps: Vec<LeafrefStep>,
}

/// The node at which the path of a leafref begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LeafrefStart {
    /// The root.
    Root,
    /// The data node so many levels above the leaf that has the type. Choices and cases do not
    /// count.
    Up(u16),
}

/// One data node in the path of a leafref.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeafrefStep {
    /// The node.
    pub node: NodeId,
    /// The conditions that select entries, if the node is a list.
    pub predicates: Vec<LeafrefPredicate>,
}

/// A condition `[key = current()/../…]` in the path of a leafref.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeafrefPredicate {
    /// The key leaf.
    pub key: NodeId,
    /// The number of data nodes to go up from the leaf that has the type.
    pub up: u16,
    /// The data nodes on the way down from there. The last is a leaf, whose value the key has.
    pub steps: Vec<NodeId>,
}

impl Type {
    /// Creates a type that is not named by a typedef.
    pub fn new(kind: TypeKind) -> Self {
        Self { typedef: None, kind }
    }

    /// Returns whether the type is named by this typedef.
    pub fn is_typedef(&self, module: &str, name: &str) -> bool {
        self.typedef.as_ref().is_some_and(|typedef| *typedef.module == *module && *typedef.name == *name)
    }
}

impl TypeKind {
    /// Returns a string without restrictions.
    pub fn string() -> Self {
        Self::String { length: None, patterns: Vec::new() }
    }

    /// Returns an integer without restrictions.
    pub fn integer(kind: IntegerKind) -> Self {
        Self::Integer { kind, range: None }
    }

    /// Returns the name of the built-in type.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Integer { kind, .. } => kind.name(),
            Self::Decimal64 { .. } => "decimal64",
            Self::String { .. } => "string",
            Self::Boolean => "boolean",
            Self::Enumeration { .. } => "enumeration",
            Self::Bits { .. } => "bits",
            Self::Binary { .. } => "binary",
            Self::Leafref { .. } => "leafref",
            Self::Identityref { .. } => "identityref",
            Self::Empty => "empty",
            Self::Union { .. } => "union",
            Self::InstanceIdentifier { .. } => "instance-identifier",
        }
    }
}

impl IntegerKind {
    /// All kinds.
    pub const ALL: [Self; 8] = [
        Self::Int8,
        Self::Int16,
        Self::Int32,
        Self::Int64,
        Self::Uint8,
        Self::Uint16,
        Self::Uint32,
        Self::Uint64,
    ];

    /// Returns the name of the type.
    pub fn name(self) -> &'static str {
        match self {
            Self::Int8 => "int8",
            Self::Int16 => "int16",
            Self::Int32 => "int32",
            Self::Int64 => "int64",
            Self::Uint8 => "uint8",
            Self::Uint16 => "uint16",
            Self::Uint32 => "uint32",
            Self::Uint64 => "uint64",
        }
    }

    /// Returns the smallest and the greatest value.
    pub fn bounds(self) -> Interval<i128> {
        let (min, max) = match self {
            Self::Int8 => (i8::MIN.into(), i8::MAX.into()),
            Self::Int16 => (i16::MIN.into(), i16::MAX.into()),
            Self::Int32 => (i32::MIN.into(), i32::MAX.into()),
            Self::Int64 => (i64::MIN.into(), i64::MAX.into()),
            Self::Uint8 => (0, u8::MAX.into()),
            Self::Uint16 => (0, u16::MAX.into()),
            Self::Uint32 => (0, u32::MAX.into()),
            Self::Uint64 => (0, u64::MAX.into()),
        };
        Interval { min, max }
    }
}

impl RangeRestriction {
    /// Returns whether the range permits a number.
    pub fn permits(&self, number: i128) -> bool {
        contains(&self.intervals, number)
    }
}

impl LengthRestriction {
    /// Returns whether a value can have this length.
    pub fn permits(&self, length: u64) -> bool {
        contains(&self.intervals, length)
    }
}

fn contains<T: Ord + Copy>(intervals: &[Interval<T>], number: T) -> bool {
    let after = intervals.partition_point(|interval| interval.max < number);
    intervals.get(after).is_some_and(|interval| interval.min <= number)
}
