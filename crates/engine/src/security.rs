//! Security models: who sent a message, and how well was it protected?

pub mod usm;
