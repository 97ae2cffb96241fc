//! Client and server channels connected in memory.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a test fails by panicking")]

mod fixture;
mod fragments;
mod handshake;
mod hostile;
mod revocation;
