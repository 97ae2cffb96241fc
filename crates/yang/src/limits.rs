//! The limits of a schema, which bound the memory and the time that a schema file can take.

/// The maximum number of modules.
pub const MAX_MODULES: usize = 4096;
/// The maximum number of nodes, including the root.
pub const MAX_NODES: usize = 1 << 20;
/// The maximum number of types.
pub const MAX_TYPES: usize = 1 << 20;
/// The maximum number of identities.
pub const MAX_IDENTITIES: usize = 1 << 16;
/// The maximum number of pairs of an identity and an identity that it is derived from, directly or
/// indirectly. A pair counts once for each direct base through which the identity is derived.
pub const MAX_DERIVATIONS: usize = 1 << 20;
/// The maximum number of nodes between the root and a node, including this node. Choices and cases
/// count.
pub const MAX_DEPTH: usize = 64;
/// The maximum number of leafrefs and unions between a type and a type that it consists of.
pub const MAX_TYPE_DEPTH: usize = 64;
/// The maximum number of types that a value of a union is compared with, including those of unions
/// in it.
pub const MAX_UNION_MEMBERS: usize = 4096;
/// The maximum length of a name, prefix or revision, in octets.
pub const MAX_NAME: usize = 256;
/// The maximum length of any other text except those of modules, in octets.
pub const MAX_STRING: usize = 64 * 1024;
/// The maximum length of the text of a module or submodule, in octets.
pub const MAX_MODULE_TEXT: usize = 16 * 1024 * 1024;
/// The maximum number of key leafs of a list: an SNMP index has 128 sub-identifiers.
pub const MAX_KEYS: usize = 128;
/// The maximum number of slots of a row, and of lists and other children of a row.
pub const MAX_SLOTS: usize = u16::MAX as usize;
/// The maximum number of items in a list within one definition, such as the names of an
/// enumeration. Only [`Schema::decode`](crate::Schema::decode) checks it.
pub const MAX_LIST: usize = 1 << 16;
/// The maximum length of a schema file, in octets.
pub const MAX_FILE: usize = 64 * 1024 * 1024;
