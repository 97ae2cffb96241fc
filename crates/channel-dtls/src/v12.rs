//! DTLS 1.2 (RFC 6347), implemented with OpenSSL.

mod channel;
mod context;
mod datagram_buffer;

pub(crate) use channel::Channel12;
pub(crate) use context::Context12;
