//! One battery of tests for all_transports transport, then what only streams and only datagrams can get wrong.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::print_stdout,
    reason = "a test fails by panicking, in its fixture too, and says what it skips"
)]

mod all_transports;
mod datagram;
mod dtls;
mod fixture;
mod relay;
mod security;
mod sessions;
mod ssh;
mod ssh_attacks;
mod ssh_client_attacks;
mod ssh_encrypted;
mod ssh_plaintext;
mod stream;
mod tls;
mod tls_attacks;
mod tls_encrypted;
mod unauthenticated_replies;
