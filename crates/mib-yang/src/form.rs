//! The SMI types of leafs (RFC 2578 §7.1, RFC 6643 §5).
//!
//! | YANG | SMI |
//! |---|---|
//! | int8, int16, int32, and int64 with a range of 32 bits | Integer32 or Unsigned32 |
//! | uint8, uint16, uint32, and uint64 with a range of 32 bits | Unsigned32 |
//! | uint64 | Counter64, read-only |
//! | the counters and time ticks of `ietf-yang-types` | Counter32, Counter64 (read-only) and TimeTicks |
//! | boolean | TruthValue |
//! | enumeration, bits | INTEGER and BITS with the same names and numbers |
//! | string | OCTET STRING in UTF-8 |
//! | binary | OCTET STRING |
//! | the object identifiers of `ietf-yang-types` | OBJECT IDENTIFIER |
//! | leafref | as the leaf that it refers to |
//!
//! All other types have no SMI type. A typedef counts only if the leaf names it directly.

use portreeve_mib::{Base, Syntax, modules::snmpv2_tc};
use portreeve_yang::{IntegerKind, Schema, Type, TypeId, TypeKind};

/// The form of a leaf's values in SNMP.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    Integer,
    Unsigned,
    Counter32,
    Counter64,
    TimeTicks,
    Boolean,
    Enumeration,
    Bits,
    Text,
    Octets,
    ObjectId,
    /// The status of a row, which the tree does not contain.
    RowStatus,
}

impl Form {
    /// Returns the form of the values of a type.
    ///
    /// # Errors
    /// Returns the reason why the type has none.
    pub(crate) fn of(schema: &Schema, value_type: TypeId) -> Result<Self, &'static str> {
        let own = schema.value_type(value_type);
        let real = schema.value_type(schema.real_type(value_type));
        let named = |names: &[&str]| {
            let is_one = |of: &Type| names.iter().any(|name| of.is_typedef(YANG_TYPES, name));
            is_one(own) || is_one(real)
        };
        Ok(match &real.kind {
            TypeKind::Integer { .. } if named(&["counter32", "zero-based-counter32"]) => Self::Counter32,
            TypeKind::Integer { .. } if named(&["timeticks", "timestamp"]) => Self::TimeTicks,
            TypeKind::Integer { kind, .. } => {
                let (min, max) = bounds(real).unwrap_or((i128::MIN, i128::MAX));
                let fits = |low: i128, high: i128| low <= min && max <= high;
                match kind {
                    IntegerKind::Int8 | IntegerKind::Int16 | IntegerKind::Int32 | IntegerKind::Int64
                        if fits(i32::MIN.into(), i32::MAX.into()) =>
                    {
                        Self::Integer
                    }
                    _ if fits(0, u32::MAX.into()) => Self::Unsigned,
                    IntegerKind::Uint64 => Self::Counter64,
                    _ => return Err("numbers of 64 bits with a sign have no SMI type"),
                }
            }
            TypeKind::Boolean => Self::Boolean,
            TypeKind::Enumeration { .. } => Self::Enumeration,
            TypeKind::Bits { bits } if bits.last().is_some_and(|last| last.position >= MAX_BITS) => {
                return Err("the bits have positions that BITS cannot have");
            }
            TypeKind::Bits { .. } => Self::Bits,
            TypeKind::String { .. } if named(&["object-identifier", "object-identifier-128"]) => {
                Self::ObjectId
            }
            TypeKind::String { .. } => Self::Text,
            TypeKind::Binary { .. } => Self::Octets,
            TypeKind::Decimal64 { .. } => return Err("the type decimal64 has no SMI type"),
            TypeKind::Union { .. } => return Err("the type union has no SMI type"),
            TypeKind::Identityref { .. } => return Err("the type identityref has no SMI type"),
            TypeKind::Empty => return Err("the type empty has no SMI type"),
            TypeKind::InstanceIdentifier { .. } => {
                return Err("the type instance-identifier has no SMI type");
            }
            // The real type is never a leafref.
            TypeKind::Leafref { .. } => return Err("the type leafref refers to itself"),
        })
    }

    /// Returns the SMI type.
    pub(crate) fn base(self) -> Base {
        match self {
            Self::Integer | Self::Boolean | Self::Enumeration | Self::RowStatus => Base::Integer32,
            Self::Unsigned => Base::Unsigned32,
            Self::Counter32 => Base::Counter32,
            Self::Counter64 => Base::Counter64,
            Self::TimeTicks => Base::TimeTicks,
            Self::Bits => Base::Bits,
            Self::Text | Self::Octets => Base::OctetString,
            Self::ObjectId => Base::ObjectIdentifier,
        }
    }

    /// Returns false for counters, which no SET can change (RFC 2578 §7.1.6, §7.1.10).
    pub(crate) fn is_settable(self) -> bool {
        !matches!(self, Self::Counter32 | Self::Counter64)
    }

    /// Returns the SMI type with its restrictions and names, which are never freed.
    pub(crate) fn syntax(self, schema: &Schema, value_type: TypeId) -> Syntax {
        let real = schema.value_type(schema.real_type(value_type));
        let plain = Syntax::base(self.base());
        match (self, &real.kind) {
            (Self::Boolean, _) => Syntax { convention: Some(&snmpv2_tc::TRUTH_VALUE), ..plain },
            (Self::RowStatus, _) => Syntax { convention: Some(&snmpv2_tc::ROW_STATUS), ..plain },
            (Self::Integer | Self::Unsigned, TypeKind::Integer { range: Some(range), .. }) => {
                let interval = |number: i128| i64::try_from(number).unwrap_or_default();
                let limits = range.intervals.iter().map(|it| (interval(it.min), interval(it.max)));
                plain.limited(leak(limits.collect()))
            }
            (Self::Octets, TypeKind::Binary { length: Some(length) }) => {
                let number = |number: u64| i64::try_from(number).unwrap_or(i64::MAX);
                let limits = length.intervals.iter().map(|it| (number(it.min), number(it.max)));
                plain.limited(leak(limits.collect()))
            }
            (_, TypeKind::Enumeration { values }) => {
                plain.labeled(leak(values.iter().map(|it| (leak_text(&it.name), it.value)).collect()))
            }
            (_, TypeKind::Bits { bits }) => {
                let label = |position: u32| i32::try_from(position).unwrap_or(i32::MAX);
                plain.labeled(leak(bits.iter().map(|it| (leak_text(&it.name), label(it.position))).collect()))
            }
            _ => plain,
        }
    }
}

/// Returns the smallest and the greatest value of an integer type.
fn bounds(value_type: &Type) -> Option<(i128, i128)> {
    let TypeKind::Integer { kind, range } = &value_type.kind else { return None };
    let all = kind.bounds();
    let intervals = range.as_ref().map_or(&[][..], |range| &range.intervals);
    Some((
        intervals.first().map_or(all.min, |first| first.min),
        intervals.last().map_or(all.max, |last| last.max),
    ))
}

/// Returns a copy that is never freed.
pub(crate) fn leak<T>(items: Vec<T>) -> &'static [T] {
    Box::leak(items.into_boxed_slice())
}

/// Returns a copy that is never freed.
pub(crate) fn leak_text(text: &str) -> &'static str {
    Box::leak(Box::from(text))
}

/// The module with the types that RFC 6643 §5 maps to SMI types.
const YANG_TYPES: &str = "ietf-yang-types";

/// The number of bits in the longest OCTET STRING (RFC 2578 §7.1.4).
const MAX_BITS: u32 = 65_535 * 8;

#[cfg(test)]
mod tests;
