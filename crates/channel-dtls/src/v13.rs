//! DTLS 1.3 (RFC 9147, RFC 9456), on dimpl.

mod channel;
mod context;
mod suites;

pub(crate) use channel::Channel13;
pub(crate) use context::Context13;
