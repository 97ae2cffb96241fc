//! Security models: they authenticate the sender of a message and determine the security level of
//! the message.

pub(crate) mod community;
pub mod tsm;
pub mod usm;

pub(crate) use tsm::UsePrefix;
