//! Complete agents, tested with the messages of managers and attackers. The tests pass in octets,
//! check octets, and set the clock.
//!
//! A test whose name starts with a letter and a number proves that line of the attack list. A
//! `//=` line names the step of an RFC that a test proves.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test fails by panicking, in its support too"
)]

mod access;
mod arbitrary;
mod deferred;
mod hostile;
mod lossy_network;
mod messages;
mod retrieval;
mod security;
mod set;
mod sizes;
mod support;
mod v1;
mod walk;
