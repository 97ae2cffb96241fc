//! Data trees of YANG modules, whose versions share their unchanged parts.
//!
//! ```text
//! Tree ── edit ──▶ Tree and the changes between them
//! ```
//! A clone of a tree is a pointer. An edit copies the path from the root to the changed rows.

mod rows;

pub use rows::{
    DifferenceItem, Differences, IsSame, MAX_NODE_ENTRIES, NotAscending, Order, Place, RowKey, SortedEntries,
    SortedMap, UnknownAnchor,
};
