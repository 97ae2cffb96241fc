//! TLS 1.2 and 1.3 (RFC 5246, RFC 8446) as [`SecureStream`](portreeve_channel::SecureStream)s,
//! client and server, on rustls.
//!
//! ```text
//! Credentials + Trust ──▶ TlsServer ── accept() ──▶ TlsChannel     one per connection,
//!                    └──▶ TlsClient ── connect() ─▶ TlsChannel     no I/O of its own
//! ```
//! Clients always present a certificate, and reject a server that does not request one. Older
//! versions (RFC 8996), renegotiation, compression and 0-RTT are not supported. The peer of a
//! resumed session is verified like that of a new one, so a ticket does not outlive a revocation.

mod alert;
mod channel;
mod client;
mod compatibility_record;
mod handshake_tap;
mod mutual_auth;
mod server;
mod settings;
mod signatures;
mod verifier;

pub use client::{ServerExpectation, TlsClient};
pub use server::TlsServer;
pub use settings::{KeyExchanges, SettingsError, Versions};
