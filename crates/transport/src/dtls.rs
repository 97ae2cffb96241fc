//! DTLS over UDP (RFC 6353, RFC 9456): many peers on one socket per worker.
//!
//! ```text
//!              ┌─ ClientHello of a known handshake ──▶ that handshake
//! datagram ──▶ ├─ other ClientHello ──▶ acceptor ──▶ stateless reply | new handshake
//!              └─ other ──▶ session and handshake of the address ──▶ messages ──▶ handler
//! ```
//! The kernel distributes peers over the workers by address and port, so all datagrams of a peer
//! are received by the worker with its session; a peer whose port changes is a new peer. As with a
//! TCP connection, a session occupies a slot only after its peer's address is verified. A new
//! handshake from an address that has a session does not affect that session until the handshake is
//! complete and replaces it, so that an attacker cannot end a session by starting another.
//!
//! One record is one message (RFC 6353 §5.1.2), so no framing is needed, and a peer that does not
//! read cannot block others.

mod half_open;
mod peer_table;
mod port;
mod session;
mod timers;

pub(crate) use port::{DtlsPort, close_all, serve};
pub(crate) use timers::run_timers;
