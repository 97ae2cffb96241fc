//! The SNMP engine (RFC 3411 §3.1): dispatcher, message processing, security and access control.
//!
//! An [`Engine`] takes bytes, where they came from and the time; it returns a request for an application, a reply,
//! or why the message was dropped. It does no I/O, reads no clock, draws no randomness and logs nothing.

pub mod security;
pub mod statistics;
