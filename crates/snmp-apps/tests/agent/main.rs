//! Whole agents, asked as a manager or an attacker would: octets in, octets out, time by hand.
//!
//! Tests named after a letter and a number prove that line of the list of attacks; `//=` lines name the step of an
//! RFC's elements of procedure that a test proves.

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
