//! Integers and decimal numbers (RFC 7950 §9.2, §9.3).
//!
//! As in libyang, XML white space around a number is ignored.

use std::borrow::Cow;

use crate::{IntegerKind, Interval, RangeRestriction};

use super::{Refusal, ValueReason, XML_SPACE};

/// The notations in which an integer can be written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Notation {
    /// Decimal; leading zeros are ignored.
    Decimal,
    /// Hexadecimal after `0x`, octal after `0`, and decimal.
    Any,
}

/// Returns the canonical text of an integer.
pub(super) fn integer<'s, 't>(
    kind: IntegerKind,
    range: Option<&'s RangeRestriction>,
    text: &'t str,
    notation: Notation,
) -> Result<Cow<'t, str>, Refusal<'s>> {
    let trimmed = text.trim_matches(XML_SPACE);
    let (sign, digits) = split_sign(trimmed);
    let (digits, radix) = match notation {
        Notation::Decimal => (digits, 10),
        Notation::Any => split_radix(digits),
    };
    let number = sign.apply(parse_digits(digits, radix)?);
    check_range(number, kind.bounds(), range)?;
    let is_canonical = trimmed.len() == text.len()
        && radix == 10
        && (digits == "0" || !digits.starts_with('0'))
        && (sign == Sign::None || (sign == Sign::Minus && number != 0));
    Ok(if is_canonical { text.into() } else { number.to_string().into() })
}

/// Returns the canonical text of a decimal number.
pub(super) fn decimal64<'s, 't>(
    fraction_digits: u8,
    range: Option<&'s RangeRestriction>,
    text: &'t str,
) -> Result<Cow<'t, str>, Refusal<'s>> {
    let trimmed = text.trim_matches(XML_SPACE);
    let (sign, digits) = split_sign(trimmed);
    let (whole, fraction) = match digits.split_once('.') {
        Some((_, "")) => return Err(ValueReason::NotANumber.into()),
        Some((whole, fraction)) => (whole, fraction),
        None => (digits, ""),
    };
    let is_digits = |text: &str| text.bytes().all(|octet| octet.is_ascii_digit());
    if whole.is_empty() || !is_digits(whole) || !is_digits(fraction) {
        return Err(ValueReason::NotANumber.into());
    }
    let significant = fraction.trim_end_matches('0');
    let missing = usize::from(fraction_digits).checked_sub(significant.len());
    let missing = missing.ok_or(ValueReason::TooManyFractionDigits)?;
    let whole_number = parse_digits(whole, 10)?;
    let fraction_number = if significant.is_empty() { 0 } else { parse_digits(significant, 10)? };
    let scaled = whole_number
        .saturating_mul(power_of_ten(usize::from(fraction_digits)))
        .saturating_add(fraction_number.saturating_mul(power_of_ten(missing)));
    let number = sign.apply(scaled);
    check_range(number, IntegerKind::Int64.bounds(), range)?;
    let is_canonical = trimmed.len() == text.len()
        && (whole == "0" || !whole.starts_with('0'))
        && (fraction == "0" || (!fraction.is_empty() && significant.len() == fraction.len()))
        && (sign == Sign::None || (sign == Sign::Minus && number != 0));
    if is_canonical {
        return Ok(text.into());
    }
    let minus = if number < 0 { "-" } else { "" };
    let fraction = if significant.is_empty() { "0" } else { significant };
    Ok(format!("{minus}{whole_number}.{fraction}").into())
}

fn check_range<'s>(
    number: i128,
    bounds: Interval<i128>,
    range: Option<&'s RangeRestriction>,
) -> Result<(), Refusal<'s>> {
    let is_permitted = match range {
        // Within the bounds of the type, because a range can only exclude some of its values.
        Some(range) => range.permits(number),
        None => (bounds.min..=bounds.max).contains(&number),
    };
    if is_permitted {
        return Ok(());
    }
    Err(Refusal { reason: ValueReason::OutOfRange, statements: range.map(|range| &range.error) })
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Sign {
    None,
    Plus,
    Minus,
}

impl Sign {
    fn apply(self, number: i128) -> i128 {
        if self == Self::Minus { -number } else { number }
    }
}

fn split_sign(text: &str) -> (Sign, &str) {
    if let Some(digits) = text.strip_prefix('-') {
        (Sign::Minus, digits)
    } else if let Some(digits) = text.strip_prefix('+') {
        (Sign::Plus, digits)
    } else {
        (Sign::None, text)
    }
}

fn split_radix(digits: &str) -> (&str, u32) {
    if let Some(digits) = digits.strip_prefix("0x") {
        (digits, 16)
    } else if digits.len() > 1 && digits.starts_with('0') {
        (digits, 8)
    } else {
        (digits, 10)
    }
}

/// Returns a number that is not negative. A number beyond all types becomes a greater one.
fn parse_digits(digits: &str, radix: u32) -> Result<i128, ValueReason> {
    if digits.is_empty() {
        return Err(ValueReason::NotANumber);
    }
    digits.chars().try_fold(0i128, |number, digit| {
        let digit = digit.to_digit(radix).ok_or(ValueReason::NotANumber)?;
        Ok(number.saturating_mul(radix.into()).saturating_add(digit.into()))
    })
}

fn power_of_ten(exponent: usize) -> i128 {
    u32::try_from(exponent).ok().and_then(|exponent| 10i128.checked_pow(exponent)).unwrap_or(i128::MAX)
}
