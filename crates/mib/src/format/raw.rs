//! Stores octets that are not valid UTF-8 in a `String`.
//!
//! An octet that is not part of valid UTF-8 is replaced by a private-use placeholder character, and
//! converted back when the text is written. If a device sends such a character itself, its octets
//! are replaced one by one, so that the conversion is unambiguous.

use std::borrow::Cow;

/// Appends octets in a form that [`octets_of`] converts back.
pub(super) fn write(out: &mut String, octets: &[u8]) {
    for chunk in octets.utf8_chunks() {
        chunk.valid().chars().for_each(|character| write_char(out, character));
        chunk.invalid().iter().for_each(|octet| write_octet(out, *octet));
    }
}

/// Appends a character in a form that [`octets_of`] converts back.
pub(super) fn write_char(out: &mut String, character: char) {
    if is_placeholder(character) {
        character.encode_utf8(&mut [0; 4]).bytes().for_each(|octet| write_octet(out, octet));
    } else {
        out.push(character);
    }
}

/// Appends the placeholder of an octet that is not part of valid UTF-8.
pub(super) fn write_octet(out: &mut String, octet: u8) {
    // The conversion cannot fail, because the range contains no surrogates.
    out.extend(char::from_u32(PLACEHOLDER_BASE + u32::from(octet)));
}

/// Returns the octets of a text that contains strings of devices.
pub fn octets_of(text: &str) -> Cow<'_, [u8]> {
    // All placeholders begin with this octet. The search for it is fast.
    if !text.as_bytes().contains(&FIRST_OCTET) {
        return Cow::Borrowed(text.as_bytes());
    }
    let mut octets = Vec::with_capacity(text.len());
    for character in text.chars() {
        match u8::try_from(u32::from(character).wrapping_sub(PLACEHOLDER_BASE)) {
            Ok(octet) if is_placeholder(character) => octets.push(octet),
            _ => octets.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes()),
        }
    }
    Cow::Owned(octets)
}

/// Returns true for the characters that [`octets_of`] converts to octets.
pub(super) fn is_placeholder(character: char) -> bool {
    PLACEHOLDERS.contains(&u32::from(character))
}

/// The placeholder for octet 0, near the end of the private-use planes.
const PLACEHOLDER_BASE: u32 = 0x10_fe00;
/// The first octet of each placeholder in UTF-8.
const FIRST_OCTET: u8 = 0xf4;
/// The placeholders that are used. An octet below 0x80 needs no placeholder.
const PLACEHOLDERS: std::ops::RangeInclusive<u32> = PLACEHOLDER_BASE + 0x80..=PLACEHOLDER_BASE + 0xff;

#[cfg(test)]
mod tests;
