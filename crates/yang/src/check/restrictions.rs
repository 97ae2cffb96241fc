//! The checks of types that do not consist of others.

use super::text::{is_identifier, is_value, is_xml_text};
use crate::{
    Bit, EnumValue, ErrorStatements, Interval, LengthRestriction, MAX_NAME, RangeRestriction, Type, TypeKind,
    TypeReason,
};

/// Checks the names, texts and restrictions of a type.
pub(super) fn check(value_type: &Type) -> Result<(), TypeReason> {
    if let Some(typedef) = &value_type.typedef {
        // The compiler does not know the module of each typedef.
        if !is_identifier(&typedef.name) || !(typedef.module.is_empty() || is_identifier(&typedef.module)) {
            return Err(TypeReason::InvalidName);
        }
    }
    match &value_type.kind {
        TypeKind::Integer { kind, range } => check_range(range.as_ref(), kind.bounds()),
        TypeKind::Decimal64 { fraction_digits, range } => {
            if !(1..=18).contains(fraction_digits) {
                return Err(TypeReason::InvalidFractionDigits);
            }
            check_range(range.as_ref(), Interval { min: i64::MIN.into(), max: i64::MAX.into() })
        }
        TypeKind::String { length, patterns } => {
            for pattern in patterns {
                check_texts(&pattern.error)?;
                if !is_value(&pattern.expression) {
                    return Err(TypeReason::InvalidText);
                }
            }
            check_length(length.as_ref())
        }
        TypeKind::Binary { length } => check_length(length.as_ref()),
        TypeKind::Enumeration { values } => check_enumeration(values),
        TypeKind::Bits { bits } => check_bits(bits),
        TypeKind::Boolean
        | TypeKind::Empty
        | TypeKind::InstanceIdentifier { .. }
        | TypeKind::Leafref { .. }
        | TypeKind::Identityref { .. }
        | TypeKind::Union { .. } => Ok(()),
    }
}

fn check_range(range: Option<&RangeRestriction>, bounds: Interval<i128>) -> Result<(), TypeReason> {
    let Some(range) = range else { return Ok(()) };
    check_texts(&range.error)?;
    check_intervals(&range.intervals, bounds)
}

fn check_length(length: Option<&LengthRestriction>) -> Result<(), TypeReason> {
    let Some(length) = length else { return Ok(()) };
    check_texts(&length.error)?;
    check_intervals(&length.intervals, Interval { min: 0, max: u64::MAX })
}

fn check_intervals<T: Ord + Copy>(intervals: &[Interval<T>], bounds: Interval<T>) -> Result<(), TypeReason> {
    let are_ascending = intervals.windows(2).all(|pair| match pair {
        [a, b] => a.max < b.min,
        _ => true,
    });
    let are_within =
        intervals.iter().all(|it| bounds.min <= it.min && it.min <= it.max && it.max <= bounds.max);
    if are_ascending && are_within && !intervals.is_empty() {
        Ok(())
    } else {
        Err(TypeReason::InvalidIntervals)
    }
}

/// Checks an enumeration. Its names have no spaces around them (RFC 7950 §9.6.4), because a value
/// could not have them.
fn check_enumeration(values: &[EnumValue]) -> Result<(), TypeReason> {
    let is_name =
        |name: &str| !name.is_empty() && name.len() <= MAX_NAME && is_xml_text(name) && name.trim() == name;
    if !values.iter().all(|value| is_name(&value.name)) {
        return Err(TypeReason::InvalidName);
    }
    let names = values.iter().map(|value| &value.name).collect();
    let numbers = values.iter().map(|value| value.value).collect();
    if values.is_empty() || has_duplicates::<&Box<str>>(names) || has_duplicates::<i32>(numbers) {
        return Err(TypeReason::InvalidEnumeration);
    }
    Ok(())
}

fn check_bits(bits: &[Bit]) -> Result<(), TypeReason> {
    if !bits.iter().all(|bit| is_identifier(&bit.name)) {
        return Err(TypeReason::InvalidName);
    }
    let are_ascending = bits.windows(2).all(|pair| match pair {
        [a, b] => a.position < b.position,
        _ => true,
    });
    if bits.is_empty() || !are_ascending || has_duplicates(bits.iter().map(|bit| &bit.name).collect()) {
        return Err(TypeReason::InvalidBits);
    }
    Ok(())
}

fn has_duplicates<T: Ord>(mut items: Vec<T>) -> bool {
    items.sort_unstable();
    items.windows(2).any(|pair| matches!(pair, [a, b] if a == b))
}

fn check_texts(error: &ErrorStatements) -> Result<(), TypeReason> {
    let mut texts = error.message.iter().chain(&error.app_tag);
    if texts.all(|text| is_value(text)) { Ok(()) } else { Err(TypeReason::InvalidText) }
}
