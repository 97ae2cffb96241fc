//! Keys and certificates that are void.
//!
//! ```text
//! text, as ssh-keygen -k reads it   public keys, key:, sha256:, serial: (also a range), id:, # comments ┐
//! binary, as ssh-keygen -k writes it  the same, by authority, as lists, ranges and bitmaps              ┴─▶ RevokedKeys
//! ```
//! In text, serial numbers and key IDs count for every authority.

mod binary;
mod certificates;
mod text;

use std::{fmt, fs::File, path::Path};

use aws_lc_rs::digest::{SHA1_FOR_LEGACY_USE_ONLY, digest};
use russh::keys::{Certificate, PublicKey};

use super::{KeyData, KeyFileError, file::read_octets, fingerprint};
use certificates::RevokedCertificates;

/// What is void.
#[derive(Clone, Debug, Default)]
pub struct RevokedKeys {
    /// SHA-256 of keys, in order.
    sha256: Vec<[u8; 32]>,
    /// SHA-1 of keys, in order.
    sha1: Vec<[u8; 20]>,
    certificates: Vec<RevokedCertificates>,
}

impl RevokedKeys {
    /// Reads a file of either format.
    ///
    /// # Errors
    /// When it cannot be read, or any of it not be understood: a revocation that does not count is worse than no start.
    pub fn load(path: &Path) -> Result<Self, KeyFileError> {
        let problem = |found: String| KeyFileError::new(path, found);
        let file = File::open(path).map_err(|error| problem(error.to_string()))?;
        let octets = read_octets(file, MAX_FILE_LEN).map_err(|error| problem(error.to_string()))?;
        Self::parse(&octets).map_err(|bad| problem(bad.to_string()))
    }

    /// Reads a list of either format.
    ///
    /// # Errors
    /// The first that cannot be understood.
    pub fn parse(list: impl AsRef<[u8]>) -> Result<Self, RevocationListError> {
        let list = list.as_ref();
        let mut revoked = Self::default();
        match binary::strip_magic(list) {
            Some(content) => binary::parse_into(content, &mut revoked).ok_or(RevocationListError::Binary)?,
            None => text::parse_into(list, &mut revoked)?,
        }
        revoked.sha256.sort_unstable();
        revoked.sha1.sort_unstable();
        revoked.certificates.iter_mut().for_each(RevokedCertificates::sort);
        Ok(revoked)
    }

    /// Whether the key is void.
    pub fn contains_key(&self, key: &KeyData) -> bool {
        let by_sha256 =
            || self.sha256.binary_search_by(|known| known.as_slice().cmp(fingerprint(key).hash()));
        let by_sha1 = |octets: &[u8]| {
            let hash = digest(&SHA1_FOR_LEGACY_USE_ONLY, octets);
            self.sha1.binary_search_by(|known| known.as_slice().cmp(hash.as_ref())).is_ok()
        };
        !self.sha256.is_empty() && by_sha256().is_ok()
            // What cannot be hashed cannot be told from what is void.
            || !self.sha1.is_empty()
                && PublicKey::from(key.clone()).to_bytes().map_or(true, |octets| by_sha1(&octets))
    }

    /// Whether the certificate is void: itself, its key or its authority's.
    pub fn contains_certificate(&self, certificate: &Certificate) -> bool {
        self.contains_key(certificate.public_key())
            || self.contains_key(certificate.signature_key())
            || self.certificates.iter().any(|revoked| revoked.contains(certificate))
    }
}

/// A list of revoked keys that cannot be understood.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RevocationListError {
    /// A line of a text, counted from 1.
    Line(usize),
    /// A list in OpenSSH's binary form that is cut off, malformed, signed, or has a part nobody knows here.
    Binary,
}

impl fmt::Display for RevocationListError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Line(line) => {
                write!(f, "line {line}: expected a public key, or serial:, id:, key: or sha256: and a value")
            }
            Self::Binary => f.write_str("no revocation list as `ssh-keygen -k` makes it; it may be cut off"),
        }
    }
}

impl std::error::Error for RevocationListError {}

/// Octets of a list.
const MAX_FILE_LEN: u64 = 16 << 20;

#[cfg(test)]
mod tests;
