//! Reads and writes OpenSSH's binary key revocation lists (PROTOCOL.krl).
//!
//! ```text
//! octets ── read ──▶ ListHeader and each RevokedEntry
//! ListHeader and RevokedEntry … ── write ──▶ octets
//! ```
//! Contains no cryptography: keys are octets in SSH encoding, and the caller decides what an entry
//! revokes. The reader stores no entries; the caller decides what to store.

mod fields;
mod read;
mod write;

pub use read::{read, strip_magic};
pub use write::write;

/// The header of a list.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ListHeader<'l> {
    /// Version of the list: a newer list of the same authority has a higher number.
    pub number: u64,
    /// Creation time in seconds since 1970.
    pub created: u64,
    /// The comment that the creator of the list has written.
    pub comment: &'l [u8],
}

/// A revoked key or set of certificates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RevokedEntry<'l> {
    /// The key with this SSH encoding.
    Key(&'l [u8]),
    /// The key with this SHA-1 hash.
    Sha1(&'l [u8; 20]),
    /// The key with this SHA-256 hash.
    Sha256(&'l [u8; 32]),
    /// A set of revoked certificates.
    Certificates {
        /// The key of the authority that signed the certificates. If it is empty, the entry applies
        /// to the certificates of every authority.
        authority: &'l [u8],
        /// The revoked certificates.
        certificates: CertificateSet<'l>,
    },
}

/// A set of certificates of one authority.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CertificateSet<'l> {
    /// A range of serial numbers.
    Serials {
        /// The first serial number. Zero is ignored, because it is the serial number of all
        /// certificates without a number.
        first: u64,
        /// The last serial number, not less than the first.
        last: u64,
    },
    /// The serial numbers whose bits are set.
    Bitmap {
        /// The serial number that the lowest bit of the last octet stands for.
        offset: u64,
        /// The bits, most significant octet first.
        octets: &'l [u8],
    },
    /// The certificates with this key ID.
    Id(&'l [u8]),
}

impl CertificateSet<'_> {
    /// Returns true if a certificate with this serial number and key ID is in the set. An
    /// unnumbered certificate has serial 0 and matches by its key ID only.
    pub fn contains(&self, serial: u64, id: &[u8]) -> bool {
        match *self {
            Self::Serials { first, last } => serial > 0 && (first..=last).contains(&serial),
            Self::Bitmap { offset, octets } => serial > 0 && has_bit(octets, serial.checked_sub(offset)),
            Self::Id(known) => known == id,
        }
    }
}

/// Returns true if `bit`, counted from the lowest bit of the last octet, is set.
fn has_bit(octets: &[u8], bit: Option<u64>) -> bool {
    let Some(bit) = bit else { return false };
    let octet = usize::try_from(bit / 8).ok().and_then(|from_end| octets.iter().rev().nth(from_end));
    octet.is_some_and(|octet| octet >> (bit % 8) & 1 == 1)
}

/// The octets at the start of a list.
const MAGIC: &[u8] = b"SSHKRL\n\0";
const VERSION: u32 = 1;

/// Section types of a revocation list (PROTOCOL.krl).
const CERTIFICATES: u8 = 1;
const EXPLICIT_KEYS: u8 = 2;
const SHA1: u8 = 3;
const SHA256_HASHES: u8 = 5;
const EXTENSION: u8 = 255;

/// Subsection types within a certificates section.
const SERIALS: u8 = 0x20;
const SERIAL_RANGE: u8 = 0x21;
const SERIAL_BITMAP: u8 = 0x22;
const KEY_IDS: u8 = 0x23;
const CERTIFICATES_EXTENSION: u8 = 0x39;

#[cfg(test)]
mod tests;
