//! Runs the notifier with tables of its own, and receivers on loopback.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::print_stdout,
    reason = "a test and its fixture fail by panicking, and print skipped tests"
)]

mod disk;
mod log;
mod receiver;
mod site;
mod usm_receiver;

mod fallbacks;
mod floods;
mod full_disk;
mod informs;
mod queues;
mod restarts;
mod tables;
mod traps;
mod usm;
