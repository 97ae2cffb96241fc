//! Security models: who sent a message, and how well was it protected?

pub(crate) mod community;
pub(crate) mod tsm;
pub mod usm;

pub(crate) use tsm::UsePrefix;
