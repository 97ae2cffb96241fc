//! Security models: they authenticate the sender of a message and determine how well it was
//! protected.

pub(crate) mod community;
pub(crate) mod tsm;
pub mod usm;

pub(crate) use tsm::UsePrefix;
