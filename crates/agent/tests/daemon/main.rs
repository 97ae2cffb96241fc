//! The real `portreeved` on loopback: files, signals, crashes, disks and floods.
//!
//! Each test has an agent of its own, on a port and in a directory of its own.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::print_stdout,
    reason = "a test fails by panicking, in its fixture too, and says what it skips"
)]

mod fixture;

mod audit;
mod commands;
mod crashes;
mod damage;
mod demo;
mod disks;
mod doctor;
mod floods;
mod identities;
mod leaks;
mod precedence;
mod reload;
mod sets;
mod sizes;
mod storms;
mod strangers;
mod users;
mod withdrawals;
