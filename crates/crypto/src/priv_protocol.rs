//! The privacy protocols of USM: RFC 3414 §8, RFC 3826, and the drafts in common use.

use std::fmt;
use std::str::FromStr;

use crate::AuthProtocol;
use crate::protocol_name::{UnknownProtocolError, matches_name};

/// A privacy protocol: a cipher, its mode, and the way in which a short key is extended to the key
/// length of the cipher.
#[derive(Clone, Copy, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub enum PrivProtocol {
    /// usmDESPrivProtocol: DES in CBC mode (RFC 3414 §8).
    Des,
    /// 3DES-EDE in CBC mode with Reeder's key extension (draft-reeder-snmpv3-usm-3desede-00).
    TripleDes,
    /// usmAesCfb128Protocol: AES-128 in CFB mode (RFC 3826).
    Aes128,
    /// AES-192 in CFB mode with Blumenthal's key extension (draft-blumenthal-aes-usm-04).
    Aes192,
    /// AES-256 in CFB mode with Blumenthal's key extension (draft-blumenthal-aes-usm-04).
    Aes256,
    /// AES-192 in CFB mode with Reeder's key extension, as used by Cisco agents.
    Aes192Reeder,
    /// AES-256 in CFB mode with Reeder's key extension, as used by Cisco agents.
    Aes256Reeder,
}

impl PrivProtocol {
    /// Every protocol.
    pub const ALL: [Self; 7] = [
        Self::Des,
        Self::TripleDes,
        Self::Aes128,
        Self::Aes192,
        Self::Aes256,
        Self::Aes192Reeder,
        Self::Aes256Reeder,
    ];

    /// The length in octets of the salt in msgPrivacyParameters, which is the same for every
    /// protocol.
    pub const SALT_LEN: usize = 8;

    /// Returns the length of a key in octets, 16 to 32. For DES and 3DES, the last eight octets are
    /// the pre-IV.
    pub const fn key_len(self) -> usize {
        match self {
            Self::Des | Self::Aes128 => 16,
            Self::Aes192 | Self::Aes192Reeder => 24,
            Self::TripleDes | Self::Aes256 | Self::Aes256Reeder => 32,
        }
    }

    /// Returns the length to which `len` octets of plaintext are padded before encryption: a
    /// multiple of eight for DES and 3DES, `len` itself for AES. The padding may be any octets.
    pub const fn padded_len(self, len: usize) -> usize {
        match self {
            Self::Des | Self::TripleDes => len.next_multiple_of(CBC_BLOCK_LEN),
            _ => len,
        }
    }

    /// Returns the same cipher with the other one of the two common key extensions. Returns `None`
    /// if only one extension exists for the cipher, or if the hash of `auth` is so long that the
    /// key is not extended.
    pub const fn with_other_extension(self, auth: AuthProtocol) -> Option<Self> {
        if auth.key_len() >= self.key_len() {
            return None;
        }
        match self {
            Self::Aes192 => Some(Self::Aes192Reeder),
            Self::Aes256 => Some(Self::Aes256Reeder),
            Self::Aes192Reeder => Some(Self::Aes192),
            Self::Aes256Reeder => Some(Self::Aes256),
            Self::Des | Self::TripleDes | Self::Aes128 => None,
        }
    }

    /// Returns the name in Net-SNMP's spelling, as `-x` accepts it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Des => "DES",
            Self::TripleDes => "3DES",
            Self::Aes128 => "AES",
            Self::Aes192 => "AES-192",
            Self::Aes256 => "AES-256",
            Self::Aes192Reeder => "AES-192-C",
            Self::Aes256Reeder => "AES-256-C",
        }
    }

    /// Returns whether the protocol is used only if the configuration explicitly allows it. DES is
    /// weak because its keys have only 56 bits. 3DES is weak because with busy traffic, its 64-bit
    /// blocks begin to repeat within a day under the same key.
    pub const fn is_weak(self) -> bool {
        matches!(self, Self::Des | Self::TripleDes)
    }
}

/// Parses Net-SNMP's spelling. Dashes and case are ignored, and `AES-128` is `AES`.
impl FromStr for PrivProtocol {
    type Err = UnknownProtocolError;

    fn from_str(written: &str) -> Result<Self, UnknownProtocolError> {
        let found = ACCEPTED.iter().find(|(name, _)| matches_name(written, name));
        found.map(|&(_, protocol)| protocol).ok_or(UnknownProtocolError {
            expected: "DES, 3DES, AES, AES-192, AES-256, AES-192-C, AES-256-C",
        })
    }
}

impl fmt::Display for PrivProtocol {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The length of a block of DES and 3DES in octets.
pub(crate) const CBC_BLOCK_LEN: usize = 8;

const ACCEPTED: [(&str, PrivProtocol); 9] = [
    ("DES", PrivProtocol::Des),
    ("3DES", PrivProtocol::TripleDes),
    ("3DESEDE", PrivProtocol::TripleDes),
    ("AES", PrivProtocol::Aes128),
    ("AES128", PrivProtocol::Aes128),
    ("AES192", PrivProtocol::Aes192),
    ("AES256", PrivProtocol::Aes256),
    ("AES192C", PrivProtocol::Aes192Reeder),
    ("AES256C", PrivProtocol::Aes256Reeder),
];

#[cfg(test)]
mod tests;
