//! Runs the real `portreeve-trapd` on loopback.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::print_stdout,
    reason = "a test fails by panicking, and prints why it is skipped"
)]

mod access;
mod bad_input;
mod classic;
mod disk;
mod forward;
mod full_pipe;
mod handlers;
mod journal;
mod keys;
mod output;
mod output_files;
mod sender_clocks;
mod sender_config;
mod senders;
mod sessions;
mod site;
mod small_disk;
mod stop;
mod storm;
mod wire;
