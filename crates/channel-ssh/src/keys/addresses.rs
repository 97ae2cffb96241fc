//! Address lists of `from=` and `source-address`: patterns with `*` and `?`, networks, and
//! exceptions with `!`.

use std::{fmt, net::IpAddr};

/// The addresses from which a key may be used. Host names in the list never match, because they are
/// not resolved.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AddressList(Vec<(bool, Pattern)>);

impl AddressList {
    /// Parses a comma-separated list.
    ///
    /// # Errors
    /// Fails for an empty or overlong list, and for a network with an invalid prefix.
    pub fn parse(text: &str) -> Result<Self, AddressListError> {
        let mut patterns = Vec::new();
        for word in text.split(',') {
            if patterns.len() == MAX_PATTERNS {
                return Err(AddressListError);
            }
            let word = word.trim();
            let (negated, word) = word.strip_prefix('!').map_or((false, word), |rest| (true, rest));
            patterns.push((negated, Pattern::parse(word)?));
        }
        Ok(Self(patterns))
    }

    /// Parses a list of networks and addresses, the format of certificates.
    ///
    /// # Errors
    /// Fails like [`parse`](Self::parse), and for wildcards, exceptions and host names.
    pub fn parse_networks(text: &str) -> Result<Self, AddressListError> {
        let list = Self::parse(text)?;
        let plain = list.0.iter().all(|(negated, pattern)| match pattern {
            Pattern::Network { .. } => !negated,
            Pattern::Text(text) => !negated && text.parse::<IpAddr>().is_ok(),
        });
        if plain { Ok(list) } else { Err(AddressListError) }
    }

    /// Returns true if at least one pattern matches the address and no exception does.
    pub fn contains(&self, address: IpAddr) -> bool {
        let address = address.to_canonical();
        let text = address.to_string();
        let mut found = false;
        for (negated, pattern) in &self.0 {
            if pattern.matches(address, &text) {
                if *negated {
                    return false;
                }
                found = true;
            }
        }
        found
    }
}

/// Error for an invalid address list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AddressListError;

impl fmt::Display for AddressListError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("invalid address list: expected a list such as 192.0.2.0/24,!192.0.2.7,2001:db8::*")
    }
}

impl std::error::Error for AddressListError {}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Pattern {
    Network { address: IpAddr, prefix: u32 },
    Text(String),
}

impl Pattern {
    fn parse(word: &str) -> Result<Self, AddressListError> {
        if word.is_empty() || word.len() > MAX_PATTERN_LEN {
            return Err(AddressListError);
        }
        let Some((address, prefix)) = word.split_once('/') else {
            return Ok(match word.parse::<IpAddr>() {
                Ok(address) => Self::Text(address.to_canonical().to_string()),
                Err(_) => Self::Text(word.to_ascii_lowercase()),
            });
        };
        let address: IpAddr = address.parse().map_err(|_| AddressListError)?;
        let prefix: u32 = prefix.parse().map_err(|_| AddressListError)?;
        // No bit after the prefix of a network may be set: programs interpret such bits
        // differently.
        if prefix > width(address) || bits(address) & !mask(address, prefix) != 0 {
            return Err(AddressListError);
        }
        Ok(Self::Network { address, prefix })
    }

    fn matches(&self, address: IpAddr, text: &str) -> bool {
        match self {
            Self::Network { address: network, prefix } => {
                network.is_ipv4() == address.is_ipv4()
                    && bits(address) & mask(address, *prefix) == bits(*network)
            }
            Self::Text(pattern) => matches_text(pattern.as_bytes(), text.as_bytes()),
        }
    }
}

/// Returns true if `text` matches `pattern` with `*` and `?`. The number of steps is at most the
/// product of both lengths.
pub(crate) fn matches_text(pattern: &[u8], text: &[u8]) -> bool {
    let (mut pattern_rest, mut text_rest) = (pattern, text);
    let mut retry: Option<(&[u8], &[u8])> = None;
    loop {
        match (pattern_rest.split_first(), text_rest.split_first()) {
            (Some((b'*', after)), _) => {
                retry = Some((after, text_rest));
                pattern_rest = after;
            }
            (Some((p, after)), Some((t, others))) if *p == b'?' || p == t => {
                (pattern_rest, text_rest) = (after, others)
            }
            (None, None) => return true,
            _ => match retry {
                Some((after, [_, others @ ..])) => {
                    retry = Some((after, others));
                    (pattern_rest, text_rest) = (after, others);
                }
                _ => return false,
            },
        }
    }
}

fn bits(address: IpAddr) -> u128 {
    match address {
        IpAddr::V4(v4) => v4.to_bits().into(),
        IpAddr::V6(v6) => v6.to_bits(),
    }
}

fn width(address: IpAddr) -> u32 {
    if address.is_ipv4() { 32 } else { 128 }
}

fn mask(address: IpAddr, prefix: u32) -> u128 {
    let host = width(address).saturating_sub(prefix);
    u128::MAX.checked_shl(host).unwrap_or(0)
}

/// Maximum number of patterns in a list.
const MAX_PATTERNS: usize = 256;
/// Maximum length of a pattern in bytes.
const MAX_PATTERN_LEN: usize = 256;

#[cfg(test)]
mod tests;
