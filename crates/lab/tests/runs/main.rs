//! Runs of the lab, as a user starts them.
//!
//! Most need root, for network namespaces, and our agent beside the lab; without one of them they
//! print that they are skipped.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a test fails by panicking")]

mod commands;
mod experiments;
mod fixture;
mod interruptions;
mod shipped;
mod staircase;
