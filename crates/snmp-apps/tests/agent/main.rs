//! Tests of complete agents with the messages of managers and attackers. The tests pass received
//! octets to the agent, check the octets that it sends, and set the clock.
//!
//! A test whose name starts with a letter and a number, such as `c5_`, covers that line of the
//! attack list. A `//=` line identifies the step of an RFC that a test covers.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "tests and their support code fail by panicking"
)]

mod access;
mod arbitrary;
mod deferred;
mod hostile;
mod lossy_network;
mod messages;
mod one_state;
mod retrieval;
mod security;
mod set;
mod sizes;
mod support;
mod v1;
mod walk;
