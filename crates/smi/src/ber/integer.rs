//! Integers: two's complement, most significant octet first.

use super::BerError;

/// Decodes 1 to 4 octets as a signed integer.
///
/// # Errors
/// [`BerError::BadValue`] for any other length.
#[inline]
pub fn decode_i32(content: &[u8]) -> Result<i32, BerError> {
    let (&first, rest) = content.split_first().ok_or(BerError::BadValue)?;
    if rest.len() > 3 {
        return Err(BerError::BadValue);
    }
    let sign_extended = i32::from(i8::from_be_bytes([first]));
    Ok(rest.iter().fold(sign_extended, |value, &octet| (value << 8) | i32::from(octet)))
}

/// Decodes 1 to 5 octets as an unsigned integer below 2³².
///
/// Four octets with the top bit set are accepted as unsigned, because widespread agents omit the
/// leading zero.
///
/// # Errors
/// [`BerError::BadValue`] if the number is negative or out of range.
#[inline]
pub fn decode_u32(content: &[u8]) -> Result<u32, BerError> {
    match *content {
        [a, b, c, d] | [0, a, b, c, d] => Ok(u32::from_be_bytes([a, b, c, d])),
        [] | [_, _, _, _, _, ..] => Err(BerError::BadValue),
        ref digits => {
            reject_short_negative(digits, 4)?;
            Ok(digits.iter().fold(0, |value, &octet| (value << 8) | u32::from(octet)))
        }
    }
}

/// Decodes 1 to 9 octets as an unsigned integer below 2⁶⁴, as leniently as [`decode_u32`].
///
/// # Errors
/// [`BerError::BadValue`] if the number is negative or out of range.
#[inline]
pub fn decode_u64(content: &[u8]) -> Result<u64, BerError> {
    let digits = match content {
        [0, digits @ ..] if digits.len() == 8 => digits,
        [] => return Err(BerError::BadValue),
        digits if digits.len() <= 8 => digits,
        _ => return Err(BerError::BadValue),
    };
    reject_short_negative(digits, 8)?;
    Ok(digits.iter().fold(0, |value, &octet| (value << 8) | u64::from(octet)))
}

/// Rejects a number with the top bit set in fewer than `full` octets: such a number is negative,
/// and not an unsigned number whose leading zero was omitted.
fn reject_short_negative(digits: &[u8], full: usize) -> Result<(), BerError> {
    match digits.first() {
        Some(first) if first & 0x80 != 0 && digits.len() < full => Err(BerError::BadValue),
        _ => Ok(()),
    }
}

/// Returns the number of content octets of a signed integer, 1 to 4.
pub fn i32_len(value: i32) -> usize {
    match value {
        -0x80..=0x7f => 1,
        -0x8000..=0x7fff => 2,
        -0x80_0000..=0x7f_ffff => 3,
        _ => 4,
    }
}

/// Returns the number of content octets of an unsigned integer, 1 to 9. A leading zero is added if
/// the top bit is set.
pub fn u64_len(value: u64) -> usize {
    let significant_bits = 64 - value.leading_zeros() as usize;
    significant_bits / 8 + 1
}
