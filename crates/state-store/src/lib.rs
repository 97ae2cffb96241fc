//! The state of the datastore in the state directory.
//!
//! ```text
//! start:        Store ──▶ load ──▶ Tree, and the StoredTree for the log
//! transaction:  Coordinator ──▶ StateLog ──▶ Writer: records of tables, then those of the tree
//! ```
//! The records of the tree are derived from two versions of it while they are written, and the
//! snapshots of the store are written from the tree: no second copy of a large tree or of a large
//! edit is in memory.

mod aside;
mod keys;
mod load;
mod state_log;
mod stored_tree;

pub use load::{DataSetAside, LoadedTree, load};
pub use state_log::StateLog;
pub use stored_tree::StoredTree;
