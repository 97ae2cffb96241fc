//! The keys of the data tree in the store.

/// The prefix of the records of the tree.
pub(crate) const TREE: &[u8] = b"yang/";

/// The prefix of the records that are set aside. The version of the modules and `/` follow.
pub(crate) const ASIDE: &[u8] = b"yang-aside/";

/// The key of the version of the modules with which the records were checked.
pub(crate) const VERSION: &[u8] = b"yang-schema";
