//! NETCONF messages (RFC 6241, RFC 6242): framing, and the content of messages.
//!
//! ```text
//! octets ─▶ framing ─▶ hello or rpc ─▶ ClientHello or Operation
//! octets ◀─ framing ◀─ ReplyTag, RpcError, data
//! ```
//! Nothing here does I/O or holds a whole message: octets come in as they arrive, and their
//! content is passed on in pieces.

pub mod filter;
pub mod framing;
pub mod hello;
pub mod names;
mod reply;
pub mod rpc;
pub mod rpc_error;

pub use reply::ReplyTag;
