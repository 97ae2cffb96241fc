//! Runs the real program, and checks its files with OpenSSL and OpenSSH.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::print_stdout,
    reason = "a test and its fixture fail by panicking, and print skipped tests"
)]

mod fixture;

mod make;
mod openssh;
mod openssl;
mod printing;
mod renew;
mod revoke;
