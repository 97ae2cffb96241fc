//! X.509 for TLS and DTLS: certificates and keys from files, and the judgement whom to trust.
//!
//! ```text
//! PEM files ──▶ Credentials (what we present)
//!           └─▶ Trust ── judge(chain presented by a peer) ──▶ CertificateIdentity | Refusal
//! ```
//! A peer is trusted because a chain leads from its certificate to an authority of ours, or because its certificate's
//! fingerprint is pinned; both are judged here for every protocol, so that they cannot differ.

mod credentials;
mod facts;
mod files;
mod summary;
mod trust;

pub use credentials::Credentials;
pub use facts::{certificate_facts, fingerprint};
pub use files::FileError;
pub use summary::{CertificateSummary, CertificateTime, KeySummary, RevocationSummary};
pub use trust::{PeerRole, Trust, TrustError, hint_for_alert};
