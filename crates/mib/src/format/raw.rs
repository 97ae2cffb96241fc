//! Octets that are no text, inside of a `String`.
//!
//! An octet that is no part of UTF-8 is put in as a character that nobody uses, and taken out again when the text is
//! written. What a device sends in place of such a character is put in octet by octet, so that none is mistaken.

use std::borrow::Cow;

/// Appends octets so that [`octets_of`] brings them back.
pub(super) fn write(out: &mut String, octets: &[u8]) {
    for chunk in octets.utf8_chunks() {
        for character in chunk.valid().chars() {
            if is_placeholder(character) {
                character.encode_utf8(&mut [0; 4]).bytes().for_each(|octet| push(out, octet));
            } else {
                out.push(character);
            }
        }
        chunk.invalid().iter().for_each(|octet| push(out, *octet));
    }
}

/// The octets of a text that was formatted with [`super::Format::raw_octets`].
pub fn octets_of(text: &str) -> Cow<'_, [u8]> {
    if !text.contains(is_placeholder) {
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

fn push(out: &mut String, octet: u8) {
    // The range holds no surrogates.
    out.extend(char::from_u32(PLACEHOLDER_BASE + u32::from(octet)));
}

fn is_placeholder(character: char) -> bool {
    PLACEHOLDERS.contains(&u32::from(character))
}

/// What an octet is added to: near the end of the private use planes.
const PLACEHOLDER_BASE: u32 = 0x10_fe00;
/// Only octets from 0x80 on need one.
const PLACEHOLDERS: std::ops::RangeInclusive<u32> = PLACEHOLDER_BASE + 0x80..=PLACEHOLDER_BASE + 0xff;

#[cfg(test)]
mod tests;
