//! DTLS 1.2 (RFC 6347), by OpenSSL.

mod channel;
mod context;
mod wire;

pub(crate) use channel::Channel12;
pub(crate) use context::Context12;
