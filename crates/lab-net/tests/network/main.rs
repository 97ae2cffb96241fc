//! Tests on network namespaces. All but those on loopback need root, and print that they are
//! skipped without it.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::print_stdout,
    reason = "tests fail by panicking and print when they are skipped"
)]

mod capture;
mod clean_up;
mod interfaces;
mod link;
mod loopback;
mod quota;
mod support;
mod topology;
