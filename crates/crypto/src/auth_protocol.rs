//! The authentication protocols of USM: RFC 3414 §6 and §7, RFC 7860.

use std::fmt;
use std::str::FromStr;

use crate::protocol_name::{UnknownProtocolError, matches_name};

/// An authentication protocol: a hash, and the number of HMAC octets that a message contains.
#[derive(Clone, Copy, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub enum AuthProtocol {
    /// usmHMACMD5AuthProtocol (RFC 3414 §6).
    HmacMd5_96,
    /// usmHMACSHAAuthProtocol (RFC 3414 §7).
    HmacSha96,
    /// usmHMAC128SHA224AuthProtocol (RFC 7860).
    HmacSha224_128,
    /// usmHMAC192SHA256AuthProtocol (RFC 7860).
    HmacSha256_192,
    /// usmHMAC256SHA384AuthProtocol (RFC 7860).
    HmacSha384_256,
    /// usmHMAC384SHA512AuthProtocol (RFC 7860).
    HmacSha512_384,
}

impl AuthProtocol {
    /// Every protocol, from the weakest to the strongest.
    pub const ALL: [Self; 6] = [
        Self::HmacMd5_96,
        Self::HmacSha96,
        Self::HmacSha224_128,
        Self::HmacSha256_192,
        Self::HmacSha384_256,
        Self::HmacSha512_384,
    ];

    /// Returns the exact length of msgAuthenticationParameters in octets, 12 to 48.
    pub const fn mac_len(self) -> usize {
        match self {
            Self::HmacMd5_96 | Self::HmacSha96 => 12,
            Self::HmacSha224_128 => 16,
            Self::HmacSha256_192 => 24,
            Self::HmacSha384_256 => 32,
            Self::HmacSha512_384 => 48,
        }
    }

    /// Returns the length of a key in octets, 16 to 64: the length of the hash output.
    pub const fn key_len(self) -> usize {
        match self {
            Self::HmacMd5_96 => 16,
            Self::HmacSha96 => 20,
            Self::HmacSha224_128 => 28,
            Self::HmacSha256_192 => 32,
            Self::HmacSha384_256 => 48,
            Self::HmacSha512_384 => 64,
        }
    }

    /// Returns the name in Net-SNMP's spelling, as `-a` accepts it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::HmacMd5_96 => "MD5",
            Self::HmacSha96 => "SHA",
            Self::HmacSha224_128 => "SHA-224",
            Self::HmacSha256_192 => "SHA-256",
            Self::HmacSha384_256 => "SHA-384",
            Self::HmacSha512_384 => "SHA-512",
        }
    }

    /// Returns whether the protocol is used only if the configuration explicitly allows it, because
    /// collisions of its hash are known.
    pub const fn is_weak(self) -> bool {
        matches!(self, Self::HmacMd5_96 | Self::HmacSha96)
    }
}

/// Parses Net-SNMP's spelling. Dashes and case are ignored, and `SHA-1` is `SHA`.
impl FromStr for AuthProtocol {
    type Err = UnknownProtocolError;

    fn from_str(written: &str) -> Result<Self, UnknownProtocolError> {
        let found = ACCEPTED.iter().find(|(name, _)| matches_name(written, name));
        found
            .map(|&(_, protocol)| protocol)
            .ok_or(UnknownProtocolError { expected: "MD5, SHA, SHA-224, SHA-256, SHA-384, SHA-512" })
    }
}

impl fmt::Display for AuthProtocol {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

const ACCEPTED: [(&str, AuthProtocol); 7] = [
    ("MD5", AuthProtocol::HmacMd5_96),
    ("SHA", AuthProtocol::HmacSha96),
    ("SHA1", AuthProtocol::HmacSha96),
    ("SHA224", AuthProtocol::HmacSha224_128),
    ("SHA256", AuthProtocol::HmacSha256_192),
    ("SHA384", AuthProtocol::HmacSha384_256),
    ("SHA512", AuthProtocol::HmacSha512_384),
];

#[cfg(test)]
mod tests;
