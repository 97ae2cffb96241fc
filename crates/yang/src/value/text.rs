//! Strings and their length (RFC 7950 §9.4).

use crate::LengthRestriction;

use super::{Refusal, ValueReason};

/// The octets that are examined before the counters of 8 bits are added up.
const BLOCK: usize = 255;
/// The first octet of the characters from U+F000 on, among which are all noncharacters.
const FIRST_RARE: u8 = 0xef;

/// Checks the characters and the length of a string, in one pass over its octets.
pub(super) fn check_string<'s>(text: &str, length: Option<&'s LengthRestriction>) -> Result<(), Refusal<'s>> {
    let mut characters = 0u64;
    let mut has_control = false;
    let mut has_rare = false;
    // Blocks of plain octets, so that the compiler uses vector instructions.
    for block in text.as_bytes().chunks(BLOCK) {
        let mut starts = 0u8;
        let mut controls = 0u8;
        let mut rare = 0u8;
        for &octet in block {
            starts += u8::from(!(0x80..0xc0).contains(&octet));
            controls |= u8::from(octet < 0x20 && octet != b'\t' && octet != b'\n' && octet != b'\r');
            rare |= u8::from(octet >= FIRST_RARE);
        }
        characters += u64::from(starts);
        has_control |= controls != 0;
        has_rare |= rare != 0;
    }
    if has_control || (has_rare && text.chars().any(is_noncharacter)) {
        return Err(ValueReason::InvalidCharacter.into());
    }
    check_length(characters, length)
}

/// Checks a number of characters or octets.
pub(super) fn check_length<'s>(count: u64, length: Option<&'s LengthRestriction>) -> Result<(), Refusal<'s>> {
    match length {
        Some(length) if !length.permits(count) => {
            Err(Refusal { reason: ValueReason::InvalidLength, statements: Some(&length.error) })
        }
        _ => Ok(()),
    }
}

/// Returns true for the 66 code points that are never characters.
fn is_noncharacter(character: char) -> bool {
    matches!(character, '\u{fdd0}'..='\u{fdef}') || u32::from(character) & 0xfffe == 0xfffe
}
