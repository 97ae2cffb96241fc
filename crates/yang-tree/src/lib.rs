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
mod pairs;
mod path;
mod records;
mod row;
mod rows;
mod size;
mod tree;
mod validate;
mod walk;

#[cfg(test)]
mod samples;

pub use changes::{Change, ChangeKind};
pub use defaults::{default_leaf, default_values, effective_leaf};
pub use edit::{EditError, EditReason, Editor, Operation, Placement, Write, WriteAccess};
pub use entries::{Entries, LeafList, List};
pub use instance::{DataChild, Instance};
pub use keys::{MAX_KEY_OCTETS, value_key, value_of};
pub use leafs::{Leafs, MAX_ROW_OCTETS};
pub use merge::{Conflicts, MAX_CONFLICTS};
pub use records::{PassChange, PutRecord, RecordChange, RecordError, RecordReader, RefusedRecord};
pub use row::{Child, Row};
pub use rows::{
    DifferenceItem, Differences, IsSame, MAX_NODE_ENTRIES, NotAscending, Order, Place, RowKey, SortedEntries,
    SortedMap, UnknownAnchor,
};
pub use size::TreeSize;
pub use tree::Tree;
pub use validate::{Fault, FaultReason, MAX_FAULTS, Validator};
pub use walk::{Walk, WalkStep};
