//! Revoked keys and certificates.
//!
//! ```text
//! text:   keys, key:, sha256:, serial: (or range), id:, # comments   ┐
//! binary: the same by authority, as lists, ranges and bitmaps        ┴─▶ RevokedKeys
//! ```
//! `ssh-keygen -k` reads the text format and writes the binary format. In the text format, serial
//! numbers and key IDs apply to all authorities.

mod binary;
mod certificates;
mod text;

use std::{fmt, path::Path};

use aws_lc_rs::digest::{SHA1_FOR_LEGACY_USE_ONLY, digest};
use portreeve_channel::{Fingerprint, SshProof};
use portreeve_sys::open_file;
use russh::keys::{Certificate, PublicKey};

use super::{KeyData, KeyFileError, file::read_octets, fingerprint};
use certificates::RevokedCertificates;

/// A list of revoked keys and certificates.
#[derive(Clone, Debug, Default)]
pub struct RevokedKeys {
    /// SHA-256 hashes of keys, sorted.
    sha256: Vec<[u8; 32]>,
    /// SHA-1 hashes of keys, sorted.
    sha1: Vec<[u8; 20]>,
    certificates: Vec<RevokedCertificates>,
}

impl RevokedKeys {
    /// Reads a file in either format.
    ///
    /// # Errors
    /// Fails if the file cannot be read or if any part of it is invalid: ignoring a revocation is
    /// worse than not starting.
    pub fn load(path: &Path) -> Result<Self, KeyFileError> {
        let key_file_error = |problem: String| KeyFileError::new(path, problem);
        let file = open_file(path).map_err(|error| key_file_error(error.to_string()))?;
        let octets = read_octets(file, MAX_FILE_LEN).map_err(|error| key_file_error(error.to_string()))?;
        Self::parse(&octets).map_err(|error| key_file_error(error.to_string()))
    }

    /// Parses a list in either format.
    ///
    /// # Errors
    /// Fails if any part of the list is invalid; for the text format, returns the first such line.
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

    /// Returns true if the key is revoked.
    pub fn contains_key(&self, key: &KeyData) -> bool {
        let by_sha256 =
            || self.sha256.binary_search_by(|known| known.as_slice().cmp(fingerprint(key).hash()));
        let by_sha1 = |octets: &[u8]| {
            let hash = digest(&SHA1_FOR_LEGACY_USE_ONLY, octets);
            self.sha1.binary_search_by(|known| known.as_slice().cmp(hash.as_ref())).is_ok()
        };
        !self.sha256.is_empty() && by_sha256().is_ok()
            // A key that cannot be hashed may be a revoked key, so it counts as revoked.
            || !self.sha1.is_empty()
                && PublicKey::from(key.clone()).to_bytes().map_or(true, |octets| by_sha1(&octets))
    }

    /// Returns true if the proof of an earlier login is revoked. Hashes with SHA-1 are not checked,
    /// because a proof does not contain the key itself.
    pub fn contains_proof(&self, proof: &SshProof) -> bool {
        let has_key = |key: &Fingerprint| {
            self.sha256.binary_search_by(|known| known.as_slice().cmp(key.hash())).is_ok()
        };
        match proof {
            SshProof::PublicKey { key } => has_key(key),
            SshProof::Certificate { key, key_id, serial, authority } => {
                let is_listed =
                    |revoked: &RevokedCertificates| revoked.contains_number(authority, *serial, key_id);
                has_key(key) || has_key(authority) || self.certificates.iter().any(is_listed)
            }
            SshProof::Password | SshProof::HostKey { .. } | SshProof::RelayedBySshd => false,
        }
    }

    /// Returns true if the certificate, its key or its authority's key is revoked.
    pub fn contains_certificate(&self, certificate: &Certificate) -> bool {
        self.contains_key(certificate.public_key())
            || self.contains_key(certificate.signature_key())
            || self.certificates.iter().any(|revoked| revoked.contains(certificate))
    }
}

/// Error for an invalid revocation list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RevocationListError {
    /// An invalid line of a list in text format. The first line is 1.
    Line(usize),
    /// A list in OpenSSH's binary format that is truncated, malformed or signed, or contains an
    /// unknown section.
    Binary,
}

impl fmt::Display for RevocationListError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Line(line) => {
                write!(
                    f,
                    "line {line}: expected a public key, or serial:, id:, key: or sha256: followed by a value"
                )
            }
            Self::Binary => f.write_str("malformed binary revocation list; it may be truncated"),
        }
    }
}

impl std::error::Error for RevocationListError {}

/// Maximum size of a list in bytes.
const MAX_FILE_LEN: u64 = 16 << 20;

#[cfg(test)]
mod tests;
