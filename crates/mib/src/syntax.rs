//! The types of values: SMIv2's base types, with restrictions, and textual conventions (RFC 2578
//! §7.1, RFC 2579).

use portreeve_datastore::RefusalKind;
use portreeve_smi::{Value, ber::Tag};

use crate::object::Status;

/// The type of an object's values.
#[derive(Clone, Copy, Debug)]
pub struct Syntax {
    /// The SMIv2 base type.
    pub base: Base,
    /// The textual convention on which the type is based, if any.
    pub convention: Option<&'static Convention>,
    /// Restrictions that replace those of the convention. If the list is empty, those of the
    /// convention apply.
    pub own_limits: Limits,
    /// Labels that replace those of the convention. If the list is empty, those of the convention
    /// apply.
    pub own_labels: Labels,
}

impl Syntax {
    /// Creates a base type without restrictions.
    pub const fn base(base: Base) -> Self {
        Self { base, convention: None, own_limits: &[], own_labels: &[] }
    }

    /// Restricts a number's value or a string's length.
    pub const fn limited(self, limits: Limits) -> Self {
        Self { own_limits: limits, ..self }
    }

    /// Names the values of an INTEGER or the bits of BITS.
    pub const fn labeled(self, labels: Labels) -> Self {
        Self { own_labels: labels, ..self }
    }

    /// Returns the allowed values of a number, or lengths of a string; empty if there are no
    /// restrictions.
    pub fn limits(&self) -> Limits {
        match self.convention {
            Some(convention) if self.own_limits.is_empty() => convention.syntax.limits(),
            _ => self.own_limits,
        }
    }

    /// Returns the names of an INTEGER's values or of the bits of BITS; empty if there are none.
    pub fn labels(&self) -> Labels {
        match self.convention {
            Some(convention) if self.own_labels.is_empty() => convention.syntax.labels(),
            _ => self.own_labels,
        }
    }

    /// Returns the convention's DISPLAY-HINT (RFC 2579 §3.1).
    pub fn hint(&self) -> Option<&'static str> {
        self.convention.and_then(|convention| convention.hint)
    }

    /// Returns the label of a value.
    pub fn label(&self, value: i32) -> Option<&'static str> {
        self.labels().iter().find(|(_, number)| *number == value).map(|(label, _)| *label)
    }

    /// Returns the value of a label.
    pub fn number(&self, label: &str) -> Option<i32> {
        self.labels().iter().find(|(candidate, _)| *candidate == label).map(|(_, number)| *number)
    }

    /// Returns the length of strings of this type if it is fixed. Such strings are encoded in an
    /// index without their length (RFC 2578 §7.7).
    pub fn fixed_len(&self) -> Option<usize> {
        match (self.base, self.limits()) {
            (Base::IpAddress, _) => Some(4),
            (Base::OctetString, [(low, high)]) if low == high => usize::try_from(*low).ok(),
            _ => None,
        }
    }

    /// Checks a value for an instance.
    ///
    /// # Errors
    /// Returns the kind of the fault if the type, the length or the value is invalid.
    pub fn check(&self, value: &Value<'_>) -> Result<(), RefusalKind> {
        if value.tag() != self.base.tag() {
            return Err(RefusalKind::WrongType);
        }
        match *value {
            Value::Integer(number) if !self.labels().is_empty() => {
                self.label(number).map(drop).ok_or(RefusalKind::WrongValue)
            }
            Value::Integer(number) => self.check_limits(i64::from(number), RefusalKind::WrongValue),
            Value::Gauge32(number) => self.check_limits(i64::from(number), RefusalKind::WrongValue),
            Value::OctetString(octets) => {
                self.check_limits(i64::try_from(octets.len()).unwrap_or(i64::MAX), RefusalKind::WrongLength)
            }
            _ => Ok(()),
        }
    }

    fn check_limits(&self, number: i64, otherwise: RefusalKind) -> Result<(), RefusalKind> {
        let limits = self.limits();
        let within = limits.is_empty() || limits.iter().any(|(low, high)| (*low..=*high).contains(&number));
        if within { Ok(()) } else { Err(otherwise) }
    }
}

/// Inclusive ranges of a number's value or a string's length; a value must be in one of them.
pub type Limits = &'static [(i64, i64)];

/// Names of an INTEGER's values, or of the bits of BITS by position.
pub type Labels = &'static [(&'static str, i32)];

/// The base types of SMIv2.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names are SMIv2's")]
pub enum Base {
    /// INTEGER or Integer32.
    Integer32,
    Unsigned32,
    OctetString,
    ObjectIdentifier,
    Bits,
    IpAddress,
    Counter32,
    Gauge32,
    TimeTicks,
    Opaque,
    Counter64,
}

impl Base {
    /// Returns the name in SMIv2.
    pub fn name(self) -> &'static str {
        match self {
            Self::Integer32 => "Integer32",
            Self::Unsigned32 => "Unsigned32",
            Self::OctetString => "OCTET STRING",
            Self::ObjectIdentifier => "OBJECT IDENTIFIER",
            Self::Bits => "BITS",
            Self::IpAddress => "IpAddress",
            Self::Counter32 => "Counter32",
            Self::Gauge32 => "Gauge32",
            Self::TimeTicks => "TimeTicks",
            Self::Opaque => "Opaque",
            Self::Counter64 => "Counter64",
        }
    }

    /// Returns the BER tag of this type's values.
    pub fn tag(self) -> Tag {
        match self {
            Self::Integer32 => Tag::INTEGER,
            Self::OctetString | Self::Bits => Tag::OCTET_STRING,
            Self::ObjectIdentifier => Tag::OBJECT_IDENTIFIER,
            Self::IpAddress => Tag::IP_ADDRESS,
            Self::Counter32 => Tag::COUNTER32,
            Self::Gauge32 | Self::Unsigned32 => Tag::GAUGE32,
            Self::TimeTicks => Tag::TIME_TICKS,
            Self::Opaque => Tag::OPAQUE,
            Self::Counter64 => Tag::COUNTER64,
        }
    }
}

/// A TEXTUAL-CONVENTION: a named type with a display format.
#[derive(Clone, Copy)]
pub struct Convention {
    /// The name, such as `DisplayString`.
    pub name: &'static str,
    /// The type that the convention refines.
    pub syntax: Syntax,
    /// The DISPLAY-HINT clause (RFC 2579 §3.1).
    pub hint: Option<&'static str>,
    /// The STATUS clause.
    pub status: Status,
    /// A short description, written for this project.
    pub description: &'static str,
}

impl std::fmt::Debug for Convention {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name)
    }
}

#[cfg(test)]
mod tests;
