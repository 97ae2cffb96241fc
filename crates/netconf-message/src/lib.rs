//! NETCONF messages (RFC 6241, RFC 6242): framing, and the types of what messages contain.
//!
//! Nothing here does I/O or holds a whole message: octets come in as they arrive, and their
//! content is passed on in pieces.

pub mod framing;
