//! Integers: two's complement, most significant octet first.

use super::BerError;

/// Reads 1 to 4 octets as a signed integer.
#[inline]
pub fn decode_i32(content: &[u8]) -> Result<i32, BerError> {
    let (&first, rest) = content.split_first().ok_or(BerError::BadValue)?;
    if rest.len() > 3 {
        return Err(BerError::BadValue);
    }
    let sign_extended = i32::from(i8::from_be_bytes([first]));
    Ok(rest.iter().fold(sign_extended, |value, &octet| (value << 8) | i32::from(octet)))
}

/// Reads 1 to 5 octets as an unsigned integer below 2³².
///
/// Four octets with the top bit set are taken as unsigned, because widespread agents forget the leading zero.
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

/// Reads 1 to 9 octets as an unsigned integer below 2⁶⁴, as lenient as [`decode_u32`].
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

/// A negative number in fewer than all octets is no forgotten zero: it is negative.
fn reject_short_negative(digits: &[u8], full: usize) -> Result<(), BerError> {
    match digits.first() {
        Some(first) if first & 0x80 != 0 && digits.len() < full => Err(BerError::BadValue),
        _ => Ok(()),
    }
}

/// Content octets of a signed integer, 1 to 4.
pub fn i32_len(value: i32) -> usize {
    match value {
        -0x80..=0x7f => 1,
        -0x8000..=0x7fff => 2,
        -0x80_0000..=0x7f_ffff => 3,
        _ => 4,
    }
}

/// Content octets of an unsigned integer, 1 to 9: one more than its own where the top bit is set.
pub fn u64_len(value: u64) -> usize {
    let significant_bits = 64 - value.leading_zeros() as usize;
    significant_bits / 8 + 1
}
