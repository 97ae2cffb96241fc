//! Tests of the program: its agents over every transport, a thousand of them, and its exit.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "a test panics on failure, and prints what it skips"
)]

mod fixture;
mod link;
mod recordings;
mod sessions;
