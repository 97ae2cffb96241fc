//! Edits of a device by requests: operations, errors, and input that is hostile.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test fails loudly")]

mod device;
mod errors;
mod operations;
