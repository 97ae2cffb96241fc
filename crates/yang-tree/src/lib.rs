//! Data trees of YANG modules, whose versions share their unchanged parts.
//!
//! ```text
//! Tree ── edit ──▶ Tree and the changes between them
//! ```
//! A clone of a tree is a pointer. An edit copies the path from the root to the changed rows.

mod cases;
mod defaults;
mod entries;
mod instance;
mod keys;
mod leafs;
mod path;
mod row;
mod rows;
mod tree;

pub use defaults::{default_leaf, effective_leaf};
pub use entries::{Entries, LeafList, List};
pub use instance::{DataChild, Instance};
pub use keys::{value_key, value_of};
pub use leafs::{Leafs, MAX_ROW_OCTETS};
pub use row::{Child, Row};
pub use rows::{
    DifferenceItem, Differences, IsSame, MAX_NODE_ENTRIES, NotAscending, Order, Place, RowKey, SortedEntries,
    SortedMap, UnknownAnchor,
};
pub use tree::Tree;
