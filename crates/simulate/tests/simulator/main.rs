//! The program itself: agents as managers see them over every transport, a thousand of them, and an orderly end.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "a test fails loudly, and tells what it skips"
)]

mod fixture;
mod link;
mod recordings;
mod sessions;
