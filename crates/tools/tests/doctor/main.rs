//! Tests of common failures, each caused by a faulty server.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a test fails by panicking")]

mod certificates;
mod dtls;
mod reachability;
mod ssh;
mod test_home;
mod test_servers;
mod tls;
