//! Access control (RFC 3415).

pub mod vacm;
