//! Tests of `portreeve poll`, run as a process.

#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::string_slice,
    reason = "a failed test panics"
)]

mod exposition;
mod process;
mod prometheus;
