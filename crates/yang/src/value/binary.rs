//! Octets in base64 (RFC 7950 §9.8, RFC 4648 §4).

use std::borrow::Cow;

use crate::LengthRestriction;

use super::{Refusal, ValueReason, XML_SPACE, text::check_length};

const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// Returns the canonical text: without white space, and with zeros in the bits that belong to no
/// octet.
///
/// White space is accepted anywhere, because clients insert line breaks into long values.
pub(super) fn canonical<'s, 't>(
    text: &'t str,
    length: Option<&'s LengthRestriction>,
) -> Result<Cow<'t, str>, Refusal<'s>> {
    let mut value = if text.contains(XML_SPACE) {
        Cow::Owned(text.chars().filter(|character| !XML_SPACE.contains(character)).collect())
    } else {
        Cow::Borrowed(text)
    };
    if !value.len().is_multiple_of(4) {
        return Err(ValueReason::NotBase64.into());
    }
    let digits = value.trim_end_matches('=');
    let padding = value.len() - digits.len();
    let is_digit = |octet: u8| octet.is_ascii_alphanumeric() || octet == b'+' || octet == b'/';
    if padding > 2 || !digits.bytes().all(is_digit) {
        return Err(ValueReason::NotBase64.into());
    }
    let octets = digits.len() / 4 * 3 + (digits.len() % 4).saturating_sub(1);
    check_length(u64::try_from(octets).unwrap_or(u64::MAX), length)?;
    if let Some((rest, last)) = last_digit(digits, padding) {
        value = Cow::Owned(format!("{rest}{last}{}", "=".repeat(padding)));
    }
    Ok(value)
}

/// Returns the digits with another last one, if bits of the last one belong to no octet and are not
/// zero.
fn last_digit(digits: &str, padding: usize) -> Option<(&str, char)> {
    let unused: usize = match padding {
        1 => 0b11,
        2 => 0b1111,
        _ => return None,
    };
    let (rest, last) = digits.split_at_checked(digits.len().checked_sub(1)?)?;
    let number = ALPHABET.iter().position(|digit| last.as_bytes() == [*digit])?;
    let zeroed = ALPHABET.get(number & !unused)?;
    (number & unused != 0).then_some((rest, char::from(*zeroed)))
}
