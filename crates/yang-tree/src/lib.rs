//! Data trees of YANG modules, whose versions share their unchanged parts.
//!
//! ```text
//! request ─ Editor ──▶ Tree ─ changes ──▶ rows before and after, and records for the store
//!                        ├─ merge ──▶ Tree with the changes of another version
//!                        └─ Validator ──▶ faults
//! ```
//! A clone of a tree is a pointer. An edit copies the path from the root to the changed rows.

mod cases;
mod changes;
mod defaults;
mod edit;
mod entries;
mod instance;
mod keys;
mod leafs;
mod lookup;
mod merge;
mod path;
mod records;
mod row;
mod rows;
mod tree;
mod validate;
mod walk;

#[cfg(test)]
mod samples;

pub use changes::{Change, ChangeKind};
pub use defaults::{default_leaf, effective_leaf};
pub use edit::{EditError, EditReason, Editor, Operation, Placement};
pub use entries::{Entries, LeafList, List};
pub use instance::{DataChild, Instance};
pub use keys::{value_key, value_of};
pub use leafs::{Leafs, MAX_ROW_OCTETS};
pub use merge::{Conflicts, MAX_CONFLICTS};
pub use records::{RecordChange, RecordError, RecordReader, record_changes, record_key};
pub use row::{Child, Row};
pub use rows::{
    DifferenceItem, Differences, IsSame, MAX_NODE_ENTRIES, NotAscending, Order, Place, RowKey, SortedEntries,
    SortedMap, UnknownAnchor,
};
pub use tree::Tree;
pub use validate::{Fault, FaultReason, MAX_FAULTS, Validator};
pub use walk::{Walk, WalkStep};
