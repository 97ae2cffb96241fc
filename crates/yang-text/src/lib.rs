//! XML as NETCONF uses it (RFC 6241 §3), without I/O.
//!
//! [`xml`] reads and writes XML of any vocabulary: a tokenizer that takes octets in any pieces, and
//! a writer.

pub mod xml;
