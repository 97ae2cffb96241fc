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
/// Keys and certificates as the SSH library has them.
pub use ssh_key;
pub use validity::Validity;
pub use x509::{
    IssuedCertificate, RevokedCertificate, X509Authority, parse_revocation_list, renew_self_signed,
    self_signed,
};
