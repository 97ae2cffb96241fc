//! SnmpEngineID: 5 to 32 octets that identify an engine (RFC 3411 §5).

use std::{fmt, str::FromStr};

/// The identifier of an engine, copied by value.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct EngineId {
    // Octets after the first `length` are always zero, so that the derived comparisons are correct.
    octets: [u8; Self::MAX_LEN],
    length: u8,
}

impl EngineId {
    /// The minimum length of an engine ID in octets.
    pub const MIN_LEN: usize = 5;
    /// The maximum length of an engine ID in octets.
    pub const MAX_LEN: usize = 32;

    /// The context engine ID that addresses the receiving engine without its own ID (RFC 5343
    /// §3.1).
    pub const LOCAL: Self = {
        let mut octets = [0; Self::MAX_LEN];
        octets[0] = 0x80;
        octets[4] = 6;
        Self { octets, length: 5 }
    };

    /// Creates an ID from 5 to 32 octets that are neither all zero nor all 255.
    ///
    /// # Errors
    /// [`EngineIdError`] for any other octets.
    pub fn new(octets: &[u8]) -> Result<Self, EngineIdError> {
        if octets.iter().all(|&octet| octet == 0) || octets.iter().all(|&octet| octet == 0xff) {
            return Err(EngineIdError);
        }
        Self::from_wire(octets)
    }

    /// Creates an ID from any 5 to 32 octets, as a peer may send them.
    ///
    /// # Errors
    /// [`EngineIdError`] for any other length.
    pub fn from_wire(octets: &[u8]) -> Result<Self, EngineIdError> {
        if octets.len() < Self::MIN_LEN {
            return Err(EngineIdError);
        }
        let mut id = Self { octets: [0; Self::MAX_LEN], length: 0 };
        id.octets.get_mut(..octets.len()).ok_or(EngineIdError)?.copy_from_slice(octets);
        id.length = u8::try_from(octets.len()).map_err(|_| EngineIdError)?;
        Ok(id)
    }

    /// Returns the 5 to 32 octets.
    pub fn as_bytes(&self) -> &[u8] {
        self.octets.get(..usize::from(self.length)).unwrap_or_default()
    }
}

impl FromStr for EngineId {
    type Err = EngineIdError;

    /// Parses pairs of hexadecimal digits, with or without a leading `0x`.
    fn from_str(text: &str) -> Result<Self, EngineIdError> {
        let digits = text.strip_prefix("0x").unwrap_or(text).as_bytes();
        if !digits.len().is_multiple_of(2) {
            return Err(EngineIdError);
        }
        let octets: Option<Vec<u8>> = digits
            .chunks_exact(2)
            .map(|pair| match pair {
                [high, low] => {
                    let high = char::from(*high).to_digit(16)?;
                    let low = char::from(*low).to_digit(16)?;
                    u8::try_from(high * 16 + low).ok()
                }
                _ => None,
            })
            .collect();
        Self::new(&octets.ok_or(EngineIdError)?)
    }
}

impl fmt::Display for EngineId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("0x")?;
        self.as_bytes().iter().try_for_each(|octet| write!(f, "{octet:02x}"))
    }
}

impl fmt::Debug for EngineId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// The octets are not a valid engine ID.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EngineIdError;

impl fmt::Display for EngineIdError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("expected an engine ID of 5 to 32 octets in hexadecimal, not all 00 and not all ff")
    }
}

impl std::error::Error for EngineIdError {}

#[cfg(test)]
mod tests;
