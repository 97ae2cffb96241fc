//! Tests that run over every transport, followed by tests specific to streams, datagrams and each
//! secure transport.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::print_stdout,
    reason = "tests and their fixtures fail by panicking, and print what they skip"
)]

mod all_transports;
mod datagram;
mod dtls;
mod fixture;
mod gate;
mod lines;
mod long;
mod pipelining;
mod relay;
mod security;
mod services;
mod session_log;
mod sessions;
mod ssh_attacks;
mod ssh_channels;
mod ssh_client_attacks;
mod ssh_closing;
mod ssh_encrypted;
mod ssh_messages;
mod ssh_peer;
mod ssh_plaintext;
mod ssh_server;
mod stream;
mod tls;
mod tls_attacks;
mod tls_encrypted;
mod unauthenticated_replies;
mod wire;
