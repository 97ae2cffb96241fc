//! Fingerprints of keys and certificates: as hexadecimal text, such as `sha256:AB:CD:…`, or as the
//! octets of SnmpTLSFingerprint (RFC 6353 §7).

use std::{fmt, str::FromStr};

/// The hash of a key or a certificate, with its hash algorithm.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Fingerprint {
    algorithm: HashAlgorithm,
    hash: Vec<u8>,
}

impl Fingerprint {
    /// Creates a fingerprint from a hash.
    ///
    /// # Errors
    /// If `hash` does not have the length of the algorithm's hashes.
    pub fn new(algorithm: HashAlgorithm, hash: &[u8]) -> Result<Self, FingerprintError> {
        if hash.len() != algorithm.length() {
            return Err(FingerprintError::Length { algorithm, octets: hash.len() });
        }
        Ok(Self { algorithm, hash: hash.to_vec() })
    }

    /// Creates a fingerprint from a hash that the algorithm has just produced, so its length is
    /// correct.
    pub fn from_hash(algorithm: HashAlgorithm, hash: &[u8]) -> Self {
        debug_assert_eq!(hash.len(), algorithm.length());
        Self { algorithm, hash: hash.to_vec() }
    }

    /// Decodes an SnmpTLSFingerprint: the hash algorithm's number (RFC 5246 §7.4.1.4.1), then the
    /// hash.
    ///
    /// # Errors
    /// If the algorithm is not supported, or the hash does not have the length of the algorithm's
    /// hashes.
    pub fn from_octets(octets: &[u8]) -> Result<Self, FingerprintError> {
        let (number, hash) = octets.split_first().ok_or(FingerprintError::Unreadable)?;
        let algorithm = HashAlgorithm::ALL
            .into_iter()
            .find(|algorithm| algorithm.number() == *number)
            .ok_or(FingerprintError::UnknownAlgorithm)?;
        Self::new(algorithm, hash)
    }

    /// Encodes the fingerprint as SnmpTLSFingerprint.
    pub fn to_octets(&self) -> Vec<u8> {
        let mut octets = Vec::with_capacity(1 + self.hash.len());
        octets.push(self.algorithm.number());
        octets.extend_from_slice(&self.hash);
        octets
    }

    /// Returns the hash algorithm of the fingerprint.
    pub fn algorithm(&self) -> HashAlgorithm {
        self.algorithm
    }

    /// Returns the octets of the hash.
    pub fn hash(&self) -> &[u8] {
        &self.hash
    }
}

impl FromStr for Fingerprint {
    type Err = FingerprintError;

    /// Parses `sha256:AB:CD:…`: hexadecimal digits in either case, with or without colons. Without
    /// an algorithm name, the length of the hash determines the algorithm.
    fn from_str(text: &str) -> Result<Self, FingerprintError> {
        let named = HashAlgorithm::ALL.into_iter().find_map(|algorithm| {
            let (name, rest) = text.split_once(':')?;
            let name = name.replace('-', "");
            name.eq_ignore_ascii_case(algorithm.name()).then_some((algorithm, rest))
        });
        let hash = hexadecimal(named.map_or(text, |(_, rest)| rest)).ok_or(FingerprintError::Unreadable)?;
        let algorithm = match named {
            Some((algorithm, _)) => algorithm,
            None => HashAlgorithm::ALL
                .into_iter()
                .find(|algorithm| algorithm.length() == hash.len())
                .ok_or(FingerprintError::Unreadable)?,
        };
        Self::new(algorithm, &hash)
    }
}

impl fmt::Display for Fingerprint {
    /// Formats the fingerprint as `sha256:AB:CD:…`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.algorithm.name())?;
        self.hash.iter().try_for_each(|octet| write!(f, ":{octet:02X}"))
    }
}

/// Hash algorithms of fingerprints. SHA-1 is accepted, because other tools print it, but never
/// generated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum HashAlgorithm {
    /// SHA-1.
    Sha1,
    /// SHA-224.
    Sha224,
    /// SHA-256.
    Sha256,
    /// SHA-384.
    Sha384,
    /// SHA-512.
    Sha512,
}

impl HashAlgorithm {
    /// All hash algorithms.
    pub const ALL: [Self; 5] = [Self::Sha1, Self::Sha224, Self::Sha256, Self::Sha384, Self::Sha512];

    /// The name in front of a fingerprint.
    pub fn name(self) -> &'static str {
        match self {
            Self::Sha1 => "sha1",
            Self::Sha224 => "sha224",
            Self::Sha256 => "sha256",
            Self::Sha384 => "sha384",
            Self::Sha512 => "sha512",
        }
    }

    /// The length of a hash in octets.
    pub fn length(self) -> usize {
        match self {
            Self::Sha1 => 20,
            Self::Sha224 => 28,
            Self::Sha256 => 32,
            Self::Sha384 => 48,
            Self::Sha512 => 64,
        }
    }

    /// The HashAlgorithm number in TLS (RFC 5246 §7.4.1.4.1).
    fn number(self) -> u8 {
        match self {
            Self::Sha1 => 2,
            Self::Sha224 => 3,
            Self::Sha256 => 4,
            Self::Sha384 => 5,
            Self::Sha512 => 6,
        }
    }
}

/// The reason why a text or octets are not a fingerprint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FingerprintError {
    /// The text is not hexadecimal, or its length is not that of a known hash.
    Unreadable,
    /// A hash algorithm that is not supported.
    UnknownAlgorithm,
    /// The length of the hash does not fit its algorithm.
    Length {
        /// The hash algorithm of the fingerprint.
        algorithm: HashAlgorithm,
        /// The length of the hash in octets.
        octets: usize,
    },
}

impl fmt::Display for FingerprintError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unreadable => f.write_str("not a fingerprint; expected sha256: and 64 hexadecimal digits"),
            Self::UnknownAlgorithm => {
                f.write_str("unsupported hash algorithm; expected sha1, or sha224 to sha512")
            }
            Self::Length { algorithm, octets } => {
                write!(
                    f,
                    "wrong length: {octets} octets, but {} hashes have {}",
                    algorithm.name(),
                    algorithm.length()
                )
            }
        }
    }
}

impl std::error::Error for FingerprintError {}

/// Decodes pairs of hexadecimal digits, optionally separated by colons.
fn hexadecimal(text: &str) -> Option<Vec<u8>> {
    let digits: Vec<u32> = text
        .chars()
        .filter(|letter| *letter != ':')
        .map(|letter| letter.to_digit(16))
        .collect::<Option<_>>()?;
    if digits.is_empty() || !digits.len().is_multiple_of(2) {
        return None;
    }
    digits
        .chunks(2)
        .map(|pair| match pair {
            [high, low] => u8::try_from(high << 4 | low).ok(),
            _ => None,
        })
        .collect()
}

#[cfg(test)]
mod tests;
