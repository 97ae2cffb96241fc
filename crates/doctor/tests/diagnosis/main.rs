//! Common troubles, each with a server that makes it: what the doctor says is what an operator has to go by.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a test fails by panicking")]

mod certificates;
mod dtls;
mod reachability;
mod ssh;
mod test_home;
mod test_servers;
mod tls;
