//! DTLS over UDP (RFC 6353, RFC 9456): many peers on one socket per worker.
//!
//! ```text
//!              ┌─ hello of a known handshake ──▶ that handshake
//! datagram ──▶ ├─ another hello ──▶ acceptor ──▶ an answer that keeps nothing | a handshake
//!              └─ anything else ──▶ the address' session and its handshake ──▶ messages ──▶ handler
//! ```
//! The kernel spreads peers over the workers by address and port, so everything a peer sends comes to the one worker that
//! knows it; a peer whose port changes is a new one. A session takes a slot when its peer has proven its address, as
//! a TCP connection does. A new handshake from an address with a session is led beside it and replaces it when it is
//! done, so that nobody can end a session by pretending to begin another.
//!
//! One record is one message (RFC 6353 §5.1.2), so there is nothing to cut, and no peer can hold anything up by not
//! reading.

mod half_open;
mod peer_table;
mod port;
mod session;
mod timers;

pub(crate) use port::{DtlsPort, close_all, serve};
pub(crate) use timers::run_timers;
