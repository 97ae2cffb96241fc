//! The real `portreeve-broker`, with commands on its sockets and an agent as the peer of its
//! sessions.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::print_stdout,
    reason = "a test fails by panicking, in its fixture too, and prints what it skips"
)]

mod addresses;
mod fixture;
mod flooding_agent;
mod hostile;
mod persistence;
mod privacy;
mod ssh_server;
