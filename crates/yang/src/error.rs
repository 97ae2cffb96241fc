//! The reasons why a schema or a schema file is refused.

use std::fmt;

use crate::{FileReason, MAX_LIST, NodeId};

/// A schema or a schema file is refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SchemaError {
    /// The octets are not a schema file.
    File(FileReason),
    /// There are too many definitions of a kind.
    TooMany {
        /// The name of the kind, in plural.
        items: &'static str,
        /// The maximum number.
        max: usize,
    },
    /// A module is invalid.
    Module {
        /// The name of the module.
        name: String,
        /// The fault.
        reason: ModuleReason,
    },
    /// An identity is invalid.
    Identity {
        /// The name of the identity.
        name: String,
        /// The fault.
        reason: IdentityReason,
    },
    /// A type is invalid.
    Type {
        /// The number of the type.
        index: usize,
        /// The fault.
        reason: TypeReason,
    },
    /// A node is invalid.
    Node {
        /// The number of the node in the builder.
        id: NodeId,
        /// The path of the node.
        path: String,
        /// The fault.
        reason: NodeReason,
    },
}

/// The fault of a module.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ModuleReason {
    /// A name, prefix or feature is not an identifier, or is too long.
    InvalidName,
    /// The namespace is empty or too long, or contains characters that XML has not.
    InvalidNamespace,
    /// A revision is not a date.
    InvalidRevision,
    /// A text is too long, or XML cannot hold it.
    InvalidText,
    /// Another module has the same name and revision, or the same name and is implemented as well.
    Duplicate,
    /// A module of another name has the same namespace.
    DuplicateNamespace,
}

/// The fault of an identity.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IdentityReason {
    /// The name is not an identifier, or is too long.
    InvalidName,
    /// The module does not exist.
    UnknownModule,
    /// A base does not exist.
    UnknownBase,
    /// The identity is derived from itself.
    Cycle,
    /// Another identity of the module has the same name.
    Duplicate,
}

/// The fault of a type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TypeReason {
    /// The name of a typedef, enum or bit is empty or too long.
    InvalidName,
    /// A text is too long, or XML cannot hold it.
    InvalidText,
    /// The intervals of a range or length are not ascending and disjoint, or exceed those of the
    /// type.
    InvalidIntervals,
    /// The number of fraction digits is not between 1 and 18.
    InvalidFractionDigits,
    /// An enumeration has no names, or a name or number twice.
    InvalidEnumeration,
    /// A bits type has no names, or a name twice, or its positions are not ascending.
    InvalidBits,
    /// An identityref has no base, or its base does not exist.
    InvalidBase,
    /// The target of a leafref is not a leaf or leaf-list, or its path does not lead there.
    InvalidLeafref,
    /// A member of a union does not exist, or there is none.
    InvalidUnion,
    /// The type consists of itself.
    Cycle,
    /// There are too many unions and leafrefs within one another.
    TooDeep,
    /// A value could be one of too many types.
    TooManyMembers,
}

/// The fault of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NodeReason {
    /// The name is not an identifier, or is too long.
    InvalidName,
    /// The module does not exist.
    UnknownModule,
    /// The parent does not exist, follows the node, or cannot have such a child.
    InvalidParent,
    /// The node is too deep below the root.
    TooDeep,
    /// A sibling has the same name and module, or, across choices, a data node has.
    Duplicate,
    /// The node is configuration, but its parent is not.
    ConfigBelowState,
    /// The keys of a list are not exactly those of its leafs that are marked as keys, or the list
    /// is configuration and has none.
    InvalidKeys,
    /// A `unique` statement names no leaf, or one that is not below the list without another list
    /// between them.
    InvalidUnique,
    /// The minimum number of entries is greater than the maximum.
    InvalidEntryLimits,
    /// The default of a choice is not one of its cases.
    InvalidDefaultCase,
    /// The type does not exist.
    UnknownType,
    /// A constraint refers to a module or node that does not exist.
    InvalidConstraint,
    /// A text is too long, or XML cannot hold it.
    InvalidText,
    /// The row has too many leafs or lists.
    RowTooWide,
}

impl std::error::Error for SchemaError {}

impl fmt::Display for SchemaError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File(reason) => reason.fmt(f),
            Self::TooMany { items, max } => write!(f, "the schema has more than {max} {items}"),
            Self::Module { name, reason } => write!(f, "module {name:?}: {reason}"),
            Self::Identity { name, reason } => write!(f, "identity {name:?}: {reason}"),
            Self::Type { index, reason } => write!(f, "type {index}: {reason}"),
            Self::Node { id: _, path, reason } => write!(f, "node {path:?}: {reason}"),
        }
    }
}

impl fmt::Display for FileReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotASchemaFile => f.write_str("not a schema file"),
            Self::UnsupportedVersion(version) => {
                write!(f, "the schema file has the unsupported version {version}: compile the modules again")
            }
            Self::TooLong => f.write_str("the schema file is longer than 64 MiB"),
            Self::WrongChecksum => f.write_str("the schema file is damaged: compile the modules again"),
            Self::Truncated => f.write_str("the schema file ends within a definition"),
            Self::ListTooLong => write!(f, "a definition contains a list of more than {MAX_LIST} items"),
            Self::InvalidItem => f.write_str("the schema file contains an invalid definition"),
            Self::TrailingOctets => f.write_str("octets follow the last definition of the schema file"),
        }
    }
}

impl fmt::Display for ModuleReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::InvalidName => "a name is not an identifier or is longer than 256 octets",
            Self::InvalidNamespace => "the namespace is empty, too long, or not XML text",
            Self::InvalidRevision => "a revision is not a date such as 2026-11-23",
            Self::InvalidText => "a text is too long, or XML cannot hold it",
            Self::Duplicate => "the schema has this module twice",
            Self::DuplicateNamespace => "another module has the same namespace",
        })
    }
}

impl fmt::Display for IdentityReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::InvalidName => "the name is not an identifier or is longer than 256 octets",
            Self::UnknownModule => "the module does not exist",
            Self::UnknownBase => "a base does not exist",
            Self::Cycle => "the identity is derived from itself",
            Self::Duplicate => "the module has this identity twice",
        })
    }
}

impl fmt::Display for TypeReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::InvalidName => "a name is empty or longer than 256 octets",
            Self::InvalidText => "a text is too long, or XML cannot hold it",
            Self::InvalidIntervals => "a range or length is not ascending or exceeds the type",
            Self::InvalidFractionDigits => "fraction-digits is not between 1 and 18",
            Self::InvalidEnumeration => "the enumeration is empty or has a name or value twice",
            Self::InvalidBits => {
                "the bits are empty, not in the order of their positions, or have a name twice"
            }
            Self::InvalidBase => "an identityref has no base, or its base does not exist",
            Self::InvalidLeafref => "the path of a leafref does not lead to a leaf or leaf-list",
            Self::InvalidUnion => "a union has no members, or a member does not exist",
            Self::Cycle => "the type consists of itself",
            Self::TooDeep => "more than 64 unions and leafrefs are within one another",
            Self::TooManyMembers => "the union has more than 4096 members",
        })
    }
}

impl fmt::Display for NodeReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::InvalidName => "the name is not an identifier or is longer than 256 octets",
            Self::UnknownModule => "the module does not exist",
            Self::InvalidParent => "the parent cannot have such a child",
            Self::TooDeep => "the node is more than 64 levels below the root",
            Self::Duplicate => "the parent has two children of this name",
            Self::ConfigBelowState => "the node is configuration below state",
            Self::InvalidKeys => "the keys of the list are not leafs of the list",
            Self::InvalidUnique => "a unique statement does not name leafs of the list",
            Self::InvalidEntryLimits => "min-elements is greater than max-elements",
            Self::InvalidDefaultCase => "the default is not a case of the choice",
            Self::UnknownType => "the type does not exist",
            Self::InvalidConstraint => "a must or when statement refers to an unknown module or node",
            Self::InvalidText => "a text is too long, or XML cannot hold it",
            Self::RowTooWide => "more than 65535 leafs or lists belong to one row",
        })
    }
}
