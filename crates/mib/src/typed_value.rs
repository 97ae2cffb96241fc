//! Parses values that users type for a SET: a type letter and text, in the format of Net-SNMP's
//! `snmpset`.
//!
//! `i` INTEGER, `u` unsigned, `t` TimeTicks, `a` IpAddress, `o` OBJECT IDENTIFIER, `s` string, `x`
//! hexadecimal and `d` decimal octets, `b` bits, `n` NULL, `c` Counter32, `C` Counter64, `F`, `D`,
//! `I` and `U` numbers wrapped in an Opaque, and `=` for the type of the definition.

mod hint;
mod octets;

use std::fmt;

use portreeve_smi::{Oid, OwnedValue, Value, ber::Tag};

use crate::{
    Base, Object, Syntax,
    names::{BUILT_IN, NameError, Names},
};

/// Calls [`Names::parse_value`] on the built-in definitions.
///
/// # Errors
/// Returns an error if the text is not a valid value of the type.
pub fn parse(object: Option<&Object>, letter: char, text: &str) -> Result<OwnedValue, TypedValueError> {
    BUILT_IN.parse_value(object, letter, text)
}

/// Calls [`Names::parse_value_unchecked`] on the built-in definitions.
///
/// # Errors
/// Returns an error if the text is not a value of the type.
pub fn parse_unchecked(
    object: Option<&Object>,
    letter: char,
    text: &str,
) -> Result<OwnedValue, TypedValueError> {
    BUILT_IN.parse_value_unchecked(object, letter, text)
}

impl Names {
    /// Parses a value for an instance of `object`; `None` if the object is unknown. If the value is
    /// an object identifier, it may be a name of these definitions.
    ///
    /// The definition provides the names of enumerated values and the DISPLAY-HINT of strings.
    /// Values that violate the definition are rejected here; [`Names::parse_value_unchecked`]
    /// leaves the check to the agent.
    ///
    /// # Errors
    /// Returns an error if the text is not a valid value of the type.
    pub fn parse_value(
        &self,
        object: Option<&Object>,
        letter: char,
        text: &str,
    ) -> Result<OwnedValue, TypedValueError> {
        let syntax = object.and_then(Object::syntax);
        if let Some(syntax) = syntax {
            check_type(syntax, letter)?;
        }
        let value = parse_typed(self, syntax, letter, text)?;
        check(syntax, value, letter, text)
    }

    /// Parses a value like [`Names::parse_value`], but does not check it against the definition.
    ///
    /// # Errors
    /// Returns an error if the text is not a value of the type.
    pub fn parse_value_unchecked(
        &self,
        object: Option<&Object>,
        letter: char,
        text: &str,
    ) -> Result<OwnedValue, TypedValueError> {
        parse_typed(self, object.and_then(Object::syntax), letter, text)
    }
}

/// The reason a typed value is invalid. The messages are Net-SNMP's, for output after the name and
/// a colon.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TypedValueError {
    /// No type has this letter.
    UnknownLetter(char),
    /// The letter is `=`, but the object has no definition.
    UnknownType,
    /// The object has a different type.
    WrongType {
        /// The type of the definition.
        expected: &'static str,
        /// The type of the letter.
        given: &'static str,
    },
    /// The text does not have the format of the type.
    Malformed(String),
    /// The text is not the name of an object.
    Name(NameError),
    /// The definition does not allow the value.
    OutOfRange(String),
}

impl fmt::Display for TypedValueError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::UnknownLetter(letter) => write!(f, "Bad object type: {letter}"),
            Self::UnknownType => f.write_str("Bad variable type (\"=\")"),
            Self::WrongType { expected, given } => {
                write!(f, "Bad variable type (Type of attribute is {expected}, not {given})")
            }
            Self::Name(error) => error.fmt(f),
            Self::Malformed(text) => write!(f, "Bad value notation ({text})"),
            Self::OutOfRange(text) => write!(f, "Value out of range ({text})"),
        }
    }
}

impl std::error::Error for TypedValueError {}

/// Checks that a letter denotes the definition's type. The letter for NULL is always accepted; the
/// agent decides.
fn check_type(syntax: &Syntax, letter: char) -> Result<(), TypedValueError> {
    match type_of(letter) {
        Some((tag, given)) if tag != syntax.base.tag() => {
            Err(TypedValueError::WrongType { expected: type_name(syntax.base), given })
        }
        _ => Ok(()),
    }
}

/// Checks that the definition allows a value.
fn check(
    syntax: Option<&Syntax>,
    value: OwnedValue,
    letter: char,
    text: &str,
) -> Result<OwnedValue, TypedValueError> {
    let Some(syntax) = syntax.filter(|_| value != OwnedValue::Null) else { return Ok(value) };
    // A value without a label is accepted, because the agent may have a newer definition.
    let labeled = !syntax.labels().is_empty();
    if !labeled && syntax.check(&value.as_value()).is_err() {
        return Err(match value {
            OwnedValue::OctetString(_) => {
                length_error(syntax, matches!(letter, 's' | '=') && syntax.hint().is_some())
            }
            _ => TypedValueError::OutOfRange(text.into()),
        });
    }
    Ok(value)
}

/// Returns the error for a string whose length the definition does not allow.
fn length_error(syntax: &Syntax, by_hint: bool) -> TypedValueError {
    let what = if by_hint { "Value does not match DISPLAY-HINT" } else { "Bad string length" };
    let lengths = syntax.limits().iter().map(|(low, high)| match low == high {
        true => format!("({low})"),
        false => format!("({low}..{high})"),
    });
    TypedValueError::OutOfRange(format!("{what} :: {{{}}}", lengths.collect::<Vec<_>>().join(", ")))
}

fn parse_typed(
    names: &Names,
    syntax: Option<&Syntax>,
    letter: char,
    text: &str,
) -> Result<OwnedValue, TypedValueError> {
    let malformed = || TypedValueError::Malformed(text.into());
    let out_of_range = || TypedValueError::OutOfRange(text.into());
    Ok(match letter {
        '=' => {
            return parse_typed(names, syntax, letter_of(syntax.ok_or(TypedValueError::UnknownType)?), text);
        }
        'i' => {
            let label = syntax.and_then(|syntax| syntax.number(text));
            OwnedValue::Integer(label.map_or_else(|| text.parse(), Ok).map_err(|_| out_of_range())?)
        }
        'u' => OwnedValue::Gauge32(text.parse().map_err(|_| out_of_range())?),
        'c' => OwnedValue::Counter32(text.parse().map_err(|_| out_of_range())?),
        'C' => OwnedValue::Counter64(text.parse().map_err(|_| out_of_range())?),
        't' => OwnedValue::TimeTicks(text.parse().map_err(|_| malformed())?),
        'a' => OwnedValue::IpAddress(text.parse::<std::net::Ipv4Addr>().map_err(|_| malformed())?.octets()),
        'n' => OwnedValue::Null,
        'o' => {
            let oid = names.parse(text).map_err(TypedValueError::Name)?;
            OwnedValue::ObjectId(Oid::new(&oid).map_err(|_| malformed())?)
        }
        's' => OwnedValue::OctetString(match syntax.and_then(Syntax::hint) {
            Some(hint) => hint::parse(hint, text).ok_or_else(|| hint_error(syntax, text))?,
            None => text.as_bytes().to_vec(),
        }),
        'x' => OwnedValue::OctetString(octets::hexadecimal(text).ok_or_else(malformed)?),
        'd' => OwnedValue::OctetString(octets::decimal(text).ok_or_else(malformed)?),
        'b' => OwnedValue::OctetString(octets::bits(syntax, text).ok_or_else(out_of_range)?),
        'F' => OwnedValue::Opaque(octets::wrapped(
            0x78,
            &text.parse::<f32>().map_err(|_| malformed())?.to_be_bytes(),
        )),
        'D' => OwnedValue::Opaque(octets::wrapped(
            0x79,
            &text.parse::<f64>().map_err(|_| malformed())?.to_be_bytes(),
        )),
        'I' => OwnedValue::Opaque(octets::wrapped_integer(
            0x7a,
            i128::from(text.parse::<i64>().map_err(|_| malformed())?),
        )),
        'U' => OwnedValue::Opaque(octets::wrapped_integer(
            0x7b,
            i128::from(text.parse::<u64>().map_err(|_| malformed())?),
        )),
        _ => return Err(TypedValueError::UnknownLetter(letter)),
    })
}

/// Returns the error for text that does not have the format of the hint.
fn hint_error(syntax: Option<&Syntax>, text: &str) -> TypedValueError {
    let unparsed = Value::OctetString(text.as_bytes());
    match syntax {
        Some(syntax) if syntax.check(&unparsed).is_err() => length_error(syntax, false),
        _ => TypedValueError::OutOfRange(text.into()),
    }
}

/// Returns the letter of a definition's type.
fn letter_of(syntax: &Syntax) -> char {
    match syntax.base {
        Base::Integer32 => 'i',
        Base::Unsigned32 | Base::Gauge32 => 'u',
        Base::OctetString => 's',
        Base::ObjectIdentifier => 'o',
        Base::Bits => 'b',
        Base::IpAddress => 'a',
        Base::Counter32 => 'c',
        Base::TimeTicks => 't',
        Base::Opaque => 'x',
        Base::Counter64 => 'C',
    }
}

fn type_name(base: Base) -> &'static str {
    match base {
        Base::Integer32 => "INTEGER",
        Base::Unsigned32 => "Unsigned32",
        Base::Gauge32 => "Gauge32",
        Base::OctetString => "OCTET STRING",
        Base::ObjectIdentifier => "OBJECT IDENTIFIER",
        Base::Bits => "BITS",
        Base::IpAddress => "IpAddress",
        Base::Counter32 => "Counter32",
        Base::TimeTicks => "Timeticks",
        Base::Opaque => "Opaque",
        Base::Counter64 => "Counter64",
    }
}

/// Returns the type that a letter denotes, and the name of this type in error messages. Returns
/// `None` for letters that every object accepts.
fn type_of(letter: char) -> Option<(Tag, &'static str)> {
    Some(match letter {
        'i' => (Tag::INTEGER, "INTEGER"),
        's' | 'x' | 'd' | 'b' => (Tag::OCTET_STRING, "OCTET STRING"),
        'o' => (Tag::OBJECT_IDENTIFIER, "OBJECT IDENTIFIER"),
        'a' => (Tag::IP_ADDRESS, "IpAddress"),
        'c' => (Tag::COUNTER32, "Counter32"),
        'u' => (Tag::GAUGE32, "Unsigned32"),
        't' => (Tag::TIME_TICKS, "Timeticks"),
        'C' => (Tag::COUNTER64, "Counter64"),
        'F' | 'D' | 'I' | 'U' => (Tag::OPAQUE, "Opaque"),
        _ => return None,
    })
}

#[cfg(test)]
mod tests;
