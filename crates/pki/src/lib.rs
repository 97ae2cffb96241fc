//! Creates keys and certificates: X.509 and SSH authorities, and the certificates that they sign.
//!
//! ```text
//! X509Authority ── issue(Holder) ──────▶ certificate and key
//!               ── sign(request, Holder) ─▶ certificate
//!               ── revocation_list ────▶ CRL
//! SshAuthority  ── certify(public key, Holder) ─▶ OpenSSH certificate
//! both          ── renew(certificate) ─▶ the same certificate with other dates
//! ```
//! X.509 keys are ECDSA on P-256, which our DTLS 1.3 supports; SSH keys are Ed25519. The names in a
//! certificate come from the caller, never from a request. This crate reads and writes no files.
//!
//! ```
//! use std::time::{Duration, SystemTime};
//! use portreeve_pki::{Holder, HolderRole, Validity, X509Authority};
//!
//! # fn make() -> Result<(), portreeve_pki::PkiError> {
//! let year = Validity::from_now(SystemTime::now(), Duration::from_secs(365 * 86_400));
//! let authority = X509Authority::new("Example CA", year)?;
//! let ops = authority.issue(&Holder::new(HolderRole::User, "ops"), year)?;
//! assert!(ops.certificate.starts_with("-----BEGIN CERTIFICATE-----"));
//! # Ok(()) }
//! # make().unwrap();
//! ```

mod encrypted_key;
mod error;
mod holder;
mod random;
mod ssh;
mod validity;
mod x509;

pub use encrypted_key::{decrypt_key, encrypt_key, is_encrypted};
pub use error::PkiError;
pub use holder::{Holder, HolderRole};
pub use ssh::{SshAuthority, decode_ssh_key, encode_ssh_key, new_ssh_key};
/// Types for SSH keys and certificates.
pub use ssh_key;
pub use validity::Validity;
pub use x509::{
    IssuedCertificate, RevokedCertificate, X509Authority, parse_revocation_list, renew_self_signed,
    self_signed,
};
