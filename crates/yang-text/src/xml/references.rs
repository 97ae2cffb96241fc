//! References to characters and to the five entities of XML (XML 1.0 §4.1, §4.6).

use super::XmlErrorReason;
use super::text::is_character;

/// Longest reference with `&` and `;`, in octets.
pub(crate) const MAX_REFERENCE: usize = 16;

/// Returns the character to which `reference`, without `&` and `;`, refers.
pub(crate) fn resolve(reference: &[u8]) -> Result<char, XmlErrorReason> {
    let number = match reference {
        b"amp" => return Ok('&'),
        b"lt" => return Ok('<'),
        b"gt" => return Ok('>'),
        b"quot" => return Ok('"'),
        b"apos" => return Ok('\''),
        [b'#', b'x', digits @ ..] => number(digits, 16),
        [b'#', digits @ ..] => number(digits, 10),
        _ => None,
    }
    .ok_or(XmlErrorReason::InvalidReference)?;
    char::from_u32(number).filter(|c| is_character(*c)).ok_or(XmlErrorReason::InvalidCharacter)
}

/// Returns the number with these digits, or the largest one if it is too large.
fn number(digits: &[u8], radix: u32) -> Option<u32> {
    (!digits.is_empty()).then_some(())?;
    digits.iter().try_fold(0_u32, |number, digit| {
        let digit = char::from(*digit).to_digit(radix)?;
        Some(number.saturating_mul(radix).saturating_add(digit))
    })
}
