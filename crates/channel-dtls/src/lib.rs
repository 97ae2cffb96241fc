//! DTLS 1.2 and 1.3 (RFC 6347, RFC 9147) as [`SecureDatagrams`](portreeve_channel::SecureDatagrams), both ends.
//!
//! ```text
//! Credentials + Trust ──▶ DtlsServer ── accept(first datagram) ─▶ one channel per peer, no I/O of its own
//!                    └──▶ DtlsClient ── connect() ──────────────▶
//! ```
//! 1.2 is OpenSSL's, with AES-GCM and ephemeral keys only; nothing is kept of a peer that has not
//! repeated a cookie, and there is no renegotiation, compression or resumption. Both ends always present a certificate,
//! and [`Trust`](portreeve_x509::Trust) judges it, for both versions as for TLS.
//!
//! 1.3 is dimpl's, and this is what it cannot do here:
//! - keys are ECDSA on P-256 or P-384; with others the server speaks 1.2 only;
//! - only the leaf travels, so it has to be signed by a trusted authority itself, or pinned;
//! - a hello in several fragments is not understood;
//! - a client that is refused is told so by a close after the handshake, not by an alert;
//! - the address is proven by a HelloRetryRequest, for which the library keeps state: whoever drives a server keeps few
//!   channels that are not [`is_reachable`](portreeve_channel::SecureDatagrams::is_reachable) yet;
//! - it has been tried against itself only, for want of another implementation.

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
