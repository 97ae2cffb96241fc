//! Compiled YANG schemas (RFC 7950).
//!
//! A [`Schema`] contains the modules, nodes, types and identities of a set of modules, after
//! typedefs, groupings, refines, augments, deviations and features are resolved. The compiler
//! creates it with a [`SchemaBuilder`] and writes it to a file; the daemon reads this file and
//! treats it as hostile.
//!
//! Nodes, modules, types and identities have small numbers ([`NodeId`] and its siblings), which are
//! valid for one schema only. Data that outlives the process contains names instead.
//!
//! Values are canonical text (RFC 7950 §9). The names of identities and the nodes of instance
//! identifiers have module names as prefixes, as in RFC 7951, and never the prefixes of a document.

mod arena;
mod builder;
mod check;
mod definitions;
mod error;
mod file;
mod id;
mod identity;
mod index;
mod key;
mod limits;
mod module;
mod names;
mod node;
mod path;
mod pattern;
mod schema;
mod smi;
#[cfg(test)]
mod test_schemas;
mod value;
mod value_type;

pub use builder::SchemaBuilder;
pub use error::{IdentityReason, ModuleReason, NodeReason, SchemaError, TypeReason};
pub use file::FileReason;
pub use id::{IdentityId, ModuleId, NodeId, TypeId};
pub use identity::Identity;
pub use index::RowLayout;
pub use key::{IndexMatch, KeyError, base64, decode_base64};
pub use limits::*;
pub use module::{Import, Module, Submodule, YangVersion};
pub use node::{
    Choice, Constraint, ConstraintKind, Container, DefaultDeny, ErrorStatements, Extension, Leaf, LeafList,
    List, Node, NodeKind, SourcePlace, Status,
};
pub use path::{Entry, InstancePath, PathStep};
pub use pattern::{
    MAX_COMPILED_PATTERN, MAX_COMPILED_PATTERNS, MAX_PATTERN, MAX_PATTERN_NESTING, Pattern, PatternError,
    PatternReason,
};
pub use schema::Schema;
pub use value::{ModuleNames, PrefixResolver, ValueError, ValueReason};
pub use value_type::{
    Bit, EnumValue, IntegerKind, Interval, LeafrefPath, LeafrefPredicate, LeafrefStart, LeafrefStep,
    LengthRestriction, PatternRestriction, RangeRestriction, Type, TypeKind, Typedef,
};
