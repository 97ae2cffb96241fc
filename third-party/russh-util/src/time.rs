//! The clock that russh uses.

pub use std::time::Instant;
