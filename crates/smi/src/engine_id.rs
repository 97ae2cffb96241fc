//! SnmpEngineID: 5 to 32 octets that name one engine (RFC 3411 §5).

use std::{fmt, str::FromStr};

/// An engine's identifier, copied by value.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct EngineId {
    // Octets past `length` are always zero, so that the derived comparisons hold.
    octets: [u8; Self::MAX_LEN],
    length: u8,
}

impl EngineId {
    /// Fewest octets.
    pub const MIN_LEN: usize = 5;
    /// Most octets.
    pub const MAX_LEN: usize = 32;

    /// The context engine ID that asks an engine for its own (RFC 5343 §3.1).
    pub const LOCAL: Self = {
        let mut octets = [0; Self::MAX_LEN];
        octets[0] = 0x80;
        octets[4] = 6;
        Self { octets, length: 5 }
    };

    /// Takes 5 to 32 octets, not all zero and not all 255.
    pub fn new(octets: &[u8]) -> Result<Self, EngineIdError> {
        if octets.iter().all(|&octet| octet == 0) || octets.iter().all(|&octet| octet == 0xff) {
            return Err(EngineIdError);
        }
        Self::from_wire(octets)
    }

    /// Takes any 5 to 32 octets: what a peer may send.
    pub fn from_wire(octets: &[u8]) -> Result<Self, EngineIdError> {
        if octets.len() < Self::MIN_LEN {
            return Err(EngineIdError);
        }
        let mut id = Self { octets: [0; Self::MAX_LEN], length: 0 };
        id.octets.get_mut(..octets.len()).ok_or(EngineIdError)?.copy_from_slice(octets);
        id.length = u8::try_from(octets.len()).map_err(|_| EngineIdError)?;
        Ok(id)
    }

    /// The octets, 5 to 32 of them.
    pub fn as_bytes(&self) -> &[u8] {
        self.octets.get(..usize::from(self.length)).unwrap_or_default()
    }
}

impl FromStr for EngineId {
    type Err = EngineIdError;

    /// Reads pairs of hexadecimal digits, with or without `0x`.
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

/// Octets that cannot be an engine ID.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EngineIdError;

impl fmt::Display for EngineIdError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an engine ID is 5 to 32 octets in hexadecimal, not all 00 and not all ff")
    }
}

impl std::error::Error for EngineIdError {}

#[cfg(test)]
mod tests;
