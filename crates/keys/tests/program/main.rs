//! The real program: what it makes, refuses and says, and what OpenSSL and OpenSSH think of it.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::print_stdout,
    reason = "a test fails by panicking, in its fixture too, and says what it skips"
)]

mod fixture;

mod make;
mod openssh;
mod openssl;
mod printing;
mod renew;
mod revoke;
