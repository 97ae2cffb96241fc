//! TLS 1.2 and 1.3 (RFC 5246, RFC 8446) as [`SecureStream`](portreeve_channel::SecureStream)s, both ends, on rustls.
//!
//! ```text
//! Credentials + Trust ──▶ TlsServer ── accept() ──▶ Channel        one per connection, no I/O of its own
//!                    └──▶ TlsClient ── connect() ─▶ Channel
//! ```
//! Clients always present a certificate, and leave a server that does not ask for it. Older versions do not exist here (RFC 8996), nor do renegotiation, compression
//! and 0-RTT. A resumed session is judged like a new one: whoever has been revoked since does not get in by a ticket.

mod alert;
mod channel;
mod client;
mod handshake_tap;
mod mutual_auth;
mod server;
mod settings;
mod signatures;
mod verifier;

pub use client::{ServerExpectation, TlsClient};
pub use server::TlsServer;
pub use settings::{SettingsError, Versions};
