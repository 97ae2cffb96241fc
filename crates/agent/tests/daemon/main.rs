//! Runs the real `portreeved` on loopback: files, signals, crashes, disks and floods.
//!
//! Each test has its own agent, port and directory.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::print_stdout,
    reason = "a test and its fixture fail by panicking, and print skipped tests"
)]

mod fixture;

mod audit;
mod commands;
mod crashes;
mod damage;
mod demo;
mod disks;
mod doctor;
mod faults;
mod floods;
mod identities;
mod leaks;
mod lost_state;
mod netconf;
mod netconf_kills;
mod notifications;
mod outages;
mod precedence;
mod random_sets;
mod reload;
mod revocation;
mod set_log;
mod sets;
mod sizes;
mod status;
mod submissions;
mod unauthenticated_peers;
mod users;
