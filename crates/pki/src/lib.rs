//! Makes certificates and keys: authorities of X.509 and of SSH, and what they sign.
//!
//! ```text
//! Authority    ── issue(Holder) ──▶ certificate and key     ── sign(request, Holder) ──▶ certificate    ── revoke ──▶ CRL
//! SshAuthority ── certify(public key, Holder) ──▶ certificate of OpenSSH's kind
//! both         ── renew(certificate) ──▶ the same for other dates
//! ```
//! X.509 keys are ECDSA on P-256, which DTLS 1.3 takes; SSH keys are Ed25519. Names come from whoever asks for a
//! certificate to be made, never from a request. No file is read or written here.
//!
//! ```
//! use std::time::{Duration, SystemTime};
//! use portreeve_pki::{Authority, Holder, Role, Validity};
//!
//! # fn make() -> Result<(), portreeve_pki::Problem> {
//! let year = Validity::from_now(SystemTime::now(), Duration::from_secs(365 * 86_400));
//! let authority = Authority::new("Example CA", year)?;
//! let ops = authority.issue(&Holder::new(Role::User, "ops"), year)?;
//! assert!(ops.certificate.starts_with("-----BEGIN CERTIFICATE-----"));
//! # Ok(()) }
//! # make().unwrap();
//! ```

mod holder;
mod problem;
mod random;
mod sealed;
mod ssh;
mod validity;
mod x509;

pub use holder::{Holder, Role};
pub use problem::Problem;
pub use sealed::{is_sealed, seal, unseal};
pub use ssh::{SshAuthority, new_ssh_key, read_ssh_key, seal_ssh_key};
/// Keys and certificates as the SSH library has them.
pub use ssh_key;
pub use validity::Validity;
pub use x509::{Authority, Issued, Revoked, renew_self_signed, revoked_in, self_signed};
