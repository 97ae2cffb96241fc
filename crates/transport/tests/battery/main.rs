//! One battery of tests for every transport, then what only streams and only datagrams can get wrong.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::print_stdout,
    reason = "a test fails by panicking, in its fixture too, and says what it skips"
)]

mod datagram;
mod dtls;
mod every;
mod fixture;
mod relay;
mod security;
mod sessions;
mod ssh;
mod ssh_client;
mod ssh_hostile;
mod ssh_raw;
mod ssh_sealed;
mod stream;
mod tls;
mod tls_hostile;
mod tls_sealed;
mod unproven;
