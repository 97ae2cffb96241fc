//! The clock of russh.

pub use std::time::Instant;
