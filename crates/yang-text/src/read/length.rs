//! The length at which a value is refused before it is complete.

use portreeve_yang::{
    LengthRestriction, MAX_TYPE_DEPTH, ModuleNames, Schema, TypeId, TypeKind, ValueError, ValueReason,
};

use super::ReadReason;

/// Longest value of a type without a shorter length, in octets.
pub const MAX_VALUE: usize = 16 << 20;

/// Length up to which a value is read without a check, in octets.
pub(super) const FIRST_CHECK: usize = 64 << 10;

/// Returns a length in octets that no text of a value of the type exceeds, except for white space
/// around it.
pub(super) fn longest(schema: &Schema, value_type: TypeId) -> usize {
    longest_within(schema, value_type, 0)
}

/// Returns the error for a text that is longer than [`longest`] and not complete: the one that the
/// complete text would get, if the type limits the length.
pub(super) fn error(schema: &Schema, value_type: TypeId, text: &str) -> ReadReason {
    if text.len() > MAX_VALUE {
        return ReadReason::LongValue;
    }
    let invalid_length = ValueError { reason: ValueReason::InvalidLength, app_tag: None, message: None };
    let refused = schema.canonical(value_type, text, &ModuleNames::new(schema)).err();
    ReadReason::InvalidValue(refused.unwrap_or(invalid_length))
}

fn longest_within(schema: &Schema, value_type: TypeId, depth: usize) -> usize {
    if depth > MAX_TYPE_DEPTH {
        return MAX_VALUE;
    }
    match &schema.value_type(value_type).kind {
        TypeKind::String { length, .. } => units(length.as_ref(), MAX_CHARACTER),
        TypeKind::Binary { length } => units(length.as_ref(), MAX_BASE64),
        TypeKind::Union { members } => {
            let lengths = members.iter().map(|member| longest_within(schema, *member, depth + 1));
            lengths.max().unwrap_or(FIRST_CHECK)
        }
        TypeKind::Leafref { target, .. } => {
            let target = schema.type_of(*target);
            target.map_or(FIRST_CHECK, |target| longest_within(schema, target, depth + 1))
        }
        TypeKind::Bits { .. } | TypeKind::InstanceIdentifier { .. } => MAX_VALUE,
        _ => FIRST_CHECK,
    }
}

/// Returns the length of the longest text whose units have at most `octets` octets each.
fn units(length: Option<&LengthRestriction>, octets: u64) -> usize {
    let longest = length.and_then(|length| length.intervals.last()).map(|interval| interval.max);
    let octets = longest.and_then(|longest| longest.checked_mul(octets)?.checked_add(FIRST_CHECK as u64));
    octets.and_then(|octets| usize::try_from(octets).ok()).map_or(MAX_VALUE, |octets| octets.min(MAX_VALUE))
}

/// Octets of a character in UTF-8.
const MAX_CHARACTER: u64 = 4;

/// Octets of text for an octet in base64, with line ends.
const MAX_BASE64: u64 = 2;
