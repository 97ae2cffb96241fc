//! OpenSSH's binary lists of revoked keys and certificates (PROTOCOL.krl), read and written.
//!
//! ```text
//! octets ── read ──▶ Head, and each Entry in turn        Head, entries ── write ──▶ octets
//! ```
//! Knows no cryptography: keys are octets as SSH encodes them, and whoever reads a list decides what an entry makes void.
//! Reading keeps nothing, so that a list costs its reader no more memory than it wants.

mod fields;
mod read;
mod write;

pub use read::{read, strip_magic};
pub use write::write;

/// What a list says of itself.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ListHeader<'l> {
    /// Its number: a newer list of the same authority has a higher one.
    pub number: u64,
    /// When it was made, in seconds since 1970.
    pub created: u64,
    /// What its maker says of it.
    pub comment: &'l [u8],
}

/// Something that counts no more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RevokedEntry<'l> {
    /// A key, as SSH encodes it.
    Key(&'l [u8]),
    /// The key with this SHA-1.
    Sha1(&'l [u8; 20]),
    /// The key with this SHA-256.
    Sha256(&'l [u8; 32]),
    /// Certificates.
    Certificates {
        /// Of the authority with this key; of every authority where it is empty.
        authority: &'l [u8],
        /// Which.
        certificates: CertificateSet<'l>,
    },
}

/// Certificates of one authority.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CertificateSet<'l> {
    /// With serial numbers from the first to the last.
    Serials {
        /// The first. Zero is no number: authorities that count nothing write it.
        first: u64,
        /// The last, not below the first.
        last: u64,
    },
    /// With the serial numbers whose bits are set.
    Bitmap {
        /// The number of the last octet's lowest bit.
        offset: u64,
        /// Most significant octet first.
        octets: &'l [u8],
    },
    /// With this key ID.
    Id(&'l [u8]),
}

impl CertificateSet<'_> {
    /// Whether a certificate with this serial number and key ID is among them. One without a number, which says 0, is only
    /// found by its key ID.
    pub fn contains(&self, serial: u64, id: &[u8]) -> bool {
        match *self {
            Self::Serials { first, last } => serial > 0 && (first..=last).contains(&serial),
            Self::Bitmap { offset, octets } => serial > 0 && has_bit(octets, serial.checked_sub(offset)),
            Self::Id(known) => known == id,
        }
    }
}

/// Whether this bit is set, counted from the last octet's lowest.
fn has_bit(octets: &[u8], bit: Option<u64>) -> bool {
    let Some(bit) = bit else { return false };
    let octet = usize::try_from(bit / 8).ok().and_then(|from_end| octets.iter().rev().nth(from_end));
    octet.is_some_and(|octet| octet >> (bit % 8) & 1 == 1)
}

/// The word that a list begins with.
const MAGIC: &[u8] = b"SSHKRL\n\0";
const VERSION: u32 = 1;

/// Kinds of sections.
const CERTIFICATES: u8 = 1;
const EXPLICIT_KEYS: u8 = 2;
const SHA1: u8 = 3;
const SHA256_HASHES: u8 = 5;
const EXTENSION: u8 = 255;

/// Kinds of what stands in a section of certificates.
const SERIALS: u8 = 0x20;
const SERIAL_RANGE: u8 = 0x21;
const SERIAL_BITMAP: u8 = 0x22;
const KEY_IDS: u8 = 0x23;
const CERTIFICATES_EXTENSION: u8 = 0x39;

#[cfg(test)]
mod tests;
