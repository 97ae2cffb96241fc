//! DTLS 1.2 and 1.3 (RFC 6347, RFC 9147) as
//! [`SecureDatagrams`](portreeve_channel::SecureDatagrams), client and server.
//!
//! ```text
//! Credentials + Trust ──▶ DtlsServer ── accept(first datagram) ─▶ one channel per peer,
//!                    └──▶ DtlsClient ── connect() ──────────────▶ no I/O of its own
//! ```
//! DTLS 1.2 uses OpenSSL, with AES-GCM and ephemeral keys only. The server keeps no state for a
//! peer that has not returned a cookie. Renegotiation, compression and resumption are disabled.
//! Both sides always present a certificate. [`Trust`](portreeve_x509::Trust) verifies the
//! certificates of both versions in the same way as for TLS.
//!
//! DTLS 1.3 uses dimpl, with these limitations:
//! - Keys must be ECDSA on P-256 or P-384; with other keys the server supports 1.2 only.
//! - Only the leaf certificate is sent, so it must be pinned or signed directly by a trusted
//!   authority.
//! - A fragmented ClientHello is not supported.
//! - A rejected client gets a close alert after the handshake instead of a specific alert.
//! - The library keeps state for a client before a HelloRetryRequest has proven the client's
//!   address. The caller must limit the number of channels that are not
//!   [`is_reachable`](portreeve_channel::SecureDatagrams::is_reachable) yet.
//! - Our DTLS 1.3 has been tested only against itself, because no other implementation was
//!   available.

mod client;
mod cookie;
pub mod hello;
mod server;
mod settings;
mod v12;
mod v13;
mod verifier;

pub use client::{DtlsClient, ServerExpectation};
pub use server::DtlsServer;
pub use settings::{MAX_MESSAGE_LEN, Settings, SettingsError, Versions};
