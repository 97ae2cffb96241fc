//! Our client against OpenSSH's sshd on loopback, with keys created for the test. Skipped with a
//! notice if sshd, ssh-keygen or ssh-agent is missing.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "tests fail by panicking and print when they are skipped"
)]

mod host_keys;
mod jump_hosts;
mod own_server;
mod scripted_prompter;
mod ssh_g;
mod sshd;
mod traffic;
mod user_keys;
