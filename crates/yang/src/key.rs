//! The keys of list entries as octets, whose order is that of the entries.
//!
//! The order is that of the index of an SNMP table (RFC 2578 §7.7), so that GETNEXT and a look-up
//! by key use the same one: integers by value, strings by length and then by their octets, and the
//! first key leaf first. Lists with other keys have no such index, but a stable order as well.
//!
//! | type | octets |
//! |---|---|
//! | integers, decimal64 | the difference from the smallest value, big-endian, as wide as the type |
//! | enumeration | the same with the number of the name |
//! | boolean | 1 for true and 2 for false, as TruthValue of RFC 2579 |
//! | binary | the length and the octets |
//! | empty | none |
//! | string and all others | the length of the canonical text and its octets |
//!
//! A length below 255 is one octet; otherwise the octet 255 precedes its four octets. Each encoding
//! of a value shows its own end, so that the octets of different keys are different.

use std::fmt;

mod index;

pub use index::IndexMatch;

use crate::{IntegerKind, NodeId, Schema, TypeId, TypeKind};

/// The values of the keys of an entry are refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KeyError {
    /// The number of values differs from the number of key leafs.
    WrongNumber,
    /// A value is not canonical text of the type of its key leaf.
    NotCanonical,
    /// SNMP cannot show the entries of the list.
    NoIndex,
}

impl std::error::Error for KeyError {}

impl fmt::Display for KeyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::WrongNumber => "the number of values differs from the number of keys",
            Self::NotCanonical => "a value of a key is not canonical",
            Self::NoIndex => "the keys of the list cannot be the index of an SNMP table",
        })
    }
}

impl Schema {
    /// Returns the octets of an entry's key from the canonical values of its key leafs, in the
    /// order of the `key` statement.
    ///
    /// # Errors
    /// There are too few or too many values, or one is not of its type.
    pub fn encode_key<'a>(
        &self,
        list: NodeId,
        values: impl IntoIterator<Item = &'a str>,
    ) -> Result<Vec<u8>, KeyError> {
        let mut key = Vec::new();
        let mut values = values.into_iter();
        for leaf in self.keys(list) {
            let value = values.next().ok_or(KeyError::WrongNumber)?;
            let value_type = self.type_of(*leaf).ok_or(KeyError::NotCanonical)?;
            self.encode_key_value(value_type, value, &mut key)?;
        }
        if values.next().is_some() {
            return Err(KeyError::WrongNumber);
        }
        Ok(key)
    }

    /// Appends the octets of one canonical value to a key. For the entries of a leaf-list, they are
    /// the whole key.
    ///
    /// # Errors
    /// The value is not of the type. The key is unchanged then.
    pub fn encode_key_value(
        &self,
        value_type: TypeId,
        value: &str,
        key: &mut Vec<u8>,
    ) -> Result<(), KeyError> {
        match &self.value_type(self.real_type(value_type)).kind {
            TypeKind::Integer { kind, .. } => push_integer(*kind, parse_integer(value), key),
            TypeKind::Decimal64 { fraction_digits, .. } => {
                push_integer(IntegerKind::Int64, parse_decimal(value, *fraction_digits), key)
            }
            TypeKind::Enumeration { values } => {
                let found = values.iter().find(|name| *name.name == *value);
                push_integer(IntegerKind::Int32, found.map(|found| found.value.into()), key)
            }
            TypeKind::Boolean => {
                key.push(match value {
                    "true" => 1,
                    "false" => 2,
                    _ => return Err(KeyError::NotCanonical),
                });
                Ok(())
            }
            TypeKind::Binary { .. } => push_octets(&decode_base64(value).ok_or(KeyError::NotCanonical)?, key),
            TypeKind::Empty if value.is_empty() => Ok(()),
            TypeKind::Empty => Err(KeyError::NotCanonical),
            TypeKind::String { .. }
            | TypeKind::Bits { .. }
            | TypeKind::Identityref { .. }
            | TypeKind::Union { .. }
            | TypeKind::InstanceIdentifier { .. }
            | TypeKind::Leafref { .. } => push_octets(value.as_bytes(), key),
        }
    }
}

/// Appends the difference of a number from the smallest one of its type.
fn push_integer(kind: IntegerKind, number: Option<i128>, key: &mut Vec<u8>) -> Result<(), KeyError> {
    let bounds = kind.bounds();
    let number = number.filter(|number| (bounds.min..=bounds.max).contains(number));
    let offset = number.ok_or(KeyError::NotCanonical)? - bounds.min;
    let octets = offset.to_be_bytes();
    key.extend(octets.iter().skip(octets.len() - kind.width()));
    Ok(())
}

impl IntegerKind {
    /// Returns the number of octets that a number has in a key.
    fn width(self) -> usize {
        match self {
            Self::Int8 | Self::Uint8 => 1,
            Self::Int16 | Self::Uint16 => 2,
            Self::Int32 | Self::Uint32 => 4,
            Self::Int64 | Self::Uint64 => 8,
        }
    }
}

/// Parses the canonical form of an integer (RFC 7950 §9.2.2).
fn parse_integer(text: &str) -> Option<i128> {
    let digits = text.strip_prefix('-').unwrap_or(text);
    let is_canonical = digits == "0" && digits == text || !digits.starts_with(['0', '+']);
    if is_canonical { text.parse().ok() } else { None }
}

/// Parses the canonical form of a decimal number (RFC 7950 §9.3.2), multiplied by 10 to the power
/// of `fraction_digits`.
fn parse_decimal(text: &str, fraction_digits: u8) -> Option<i128> {
    let (whole, fraction) = text.split_once('.')?;
    let (is_negative, whole) = match whole.strip_prefix('-') {
        Some(whole) => (true, whole),
        None => (false, whole),
    };
    let width = usize::from(fraction_digits);
    let is_number =
        |text: &str| !text.is_empty() && text.len() <= 19 && text.bytes().all(|it| it.is_ascii_digit());
    let is_canonical = is_number(whole)
        && is_number(fraction)
        && fraction.len() <= width
        && (whole == "0" || !whole.starts_with('0'))
        && (fraction == "0" || !fraction.ends_with('0'));
    if !is_canonical {
        return None;
    }
    let number: i128 = format!("{whole}{fraction:0<width$}").parse().ok()?;
    match is_negative {
        true if number == 0 => None,
        true => Some(-number),
        false => Some(number),
    }
}

/// Decodes base64 in its canonical form: with padding, without spaces and unused bits.
pub fn decode_base64(text: &str) -> Option<Vec<u8>> {
    let mut octets = Vec::with_capacity(text.len() / 4 * 3);
    let (groups, rest) = text.as_bytes().as_chunks::<4>();
    if !rest.is_empty() {
        return None;
    }
    for (index, group) in groups.iter().enumerate() {
        let padding = group.iter().rev().take_while(|digit| **digit == b'=').count();
        if padding > 2 || padding > 0 && index + 1 < groups.len() {
            return None;
        }
        let mut bits = 0u32;
        for digit in group.iter().take(4 - padding) {
            bits = bits << 6 | base64_digit(*digit)?;
        }
        bits <<= 6 * padding;
        let [_, decoded @ ..] = bits.to_be_bytes();
        let (decoded, unused) = decoded.split_at_checked(3 - padding)?;
        if unused.iter().any(|octet| *octet != 0) {
            return None;
        }
        octets.extend(decoded);
    }
    Some(octets)
}

fn base64_digit(digit: u8) -> Option<u32> {
    let value = match digit {
        b'A'..=b'Z' => digit - b'A',
        b'a'..=b'z' => digit - b'a' + 26,
        b'0'..=b'9' => digit - b'0' + 52,
        b'+' => 62,
        b'/' => 63,
        _ => return None,
    };
    Some(value.into())
}

/// Returns octets in the canonical form of base64.
pub fn base64(octets: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::with_capacity(octets.len().div_ceil(3) * 4);
    for group in octets.chunks(3) {
        let bits =
            group.iter().fold(0u32, |bits, octet| bits << 8 | u32::from(*octet)) << (8 * (3 - group.len()));
        for digit in 0..4 {
            let value = bits >> (18 - 6 * digit) & 0x3f;
            let letter = if digit <= group.len() { DIGITS.get(value as usize) } else { None };
            text.push(letter.map_or('=', |letter| char::from(*letter)));
        }
    }
    text
}

/// Returns the canonical form of a decimal number that is multiplied by 10 to the power of
/// `fraction_digits`.
fn decimal_text(number: i128, fraction_digits: u8) -> String {
    let width = usize::from(fraction_digits);
    let digits = format!("{:0>1$}", number.unsigned_abs(), width + 1);
    let (whole, fraction) = digits.split_at_checked(digits.len() - width).unwrap_or((&digits, ""));
    let fraction = fraction.trim_end_matches('0');
    let sign = if number < 0 { "-" } else { "" };
    format!("{sign}{whole}.{}", if fraction.is_empty() { "0" } else { fraction })
}

/// Appends a length and octets. No value has 2³² octets, because no message has.
fn push_octets(octets: &[u8], key: &mut Vec<u8>) -> Result<(), KeyError> {
    encode_length(u32::try_from(octets.len()).map_err(|_| KeyError::NotCanonical)?, key);
    key.extend(octets);
    Ok(())
}

fn encode_length(length: u32, key: &mut Vec<u8>) {
    match u8::try_from(length) {
        Ok(length) if length < LONG => key.push(length),
        _ => {
            key.push(LONG);
            key.extend(length.to_be_bytes());
        }
    }
}

/// The octet in the place of a length that precedes a length of four octets.
const LONG: u8 = u8::MAX;

#[cfg(test)]
mod tests;
