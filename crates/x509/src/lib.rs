//! X.509 for TLS and DTLS: certificates and keys from files, and verification of peers.
//!
//! ```text
//! PEM files ──▶ Credentials (what we present)
//!           └─▶ Trust ── verify(chain presented by a peer) ──▶ CertificateIdentity | TrustError
//! ```
//! A peer is trusted if a chain leads from its certificate to a trusted authority, or if the
//! certificate's fingerprint is pinned. A certificate on a configured revocation list is never
//! trusted, whatever else the peer sends. All protocols use this verification, so their decisions
//! cannot differ.

mod credentials;
mod facts;
mod files;
mod revocation;
mod summary;
mod trust;

pub use credentials::Credentials;
pub use facts::{certificate_facts, fingerprint};
pub use files::FileError;
pub use summary::{CertificateSummary, CertificateTime, KeySummary, RevocationSummary};
pub use trust::{PeerRole, Trust, TrustError, hint_for_alert};
