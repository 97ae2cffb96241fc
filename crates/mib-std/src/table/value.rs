//! Converts values, and checks requirements that the definitions of the objects do not express.

use portreeve_channel::Fingerprint;
use portreeve_lcd::{Name, RowAction, StorageType, is_tag_delimiter};
use portreeve_smi::{EngineId, ErrorStatus, Oid, Value};

/// Accepts any value.
pub(crate) fn accept_any(_: &Value<'_>) -> Result<(), ErrorStatus> {
    Ok(())
}

/// Checks that an SnmpAdminString is UTF-8 (RFC 3411 §5).
pub(crate) fn admin_string(value: &Value<'_>) -> Result<(), ErrorStatus> {
    accept_if(octets(value)?, |octets| std::str::from_utf8(octets).is_ok())
}

/// Checks that an SnmpTagValue contains no delimiters (RFC 3413 §4.1).
pub(crate) fn tag(value: &Value<'_>) -> Result<(), ErrorStatus> {
    admin_string(value)?;
    accept_if(octets(value)?, |octets| !octets.iter().any(|octet| is_tag_delimiter(*octet)))
}

/// Checks that an SnmpTagList has single delimiters between tags (RFC 3413 §4.1).
pub(crate) fn tag_list(value: &Value<'_>) -> Result<(), ErrorStatus> {
    admin_string(value)?;
    accept_if(octets(value)?, |octets| {
        octets.is_empty() || octets.split(|octet| is_tag_delimiter(*octet)).all(|tag| !tag.is_empty())
    })
}

/// Checks that an SnmpEngineID is not all zeros and not all ones (RFC 3411 §5).
pub(crate) fn engine_id(value: &Value<'_>) -> Result<(), ErrorStatus> {
    accept_if(octets(value)?, |octets| EngineId::new(octets).is_ok())
}

/// Checks that an SnmpTLSFingerprint uses a supported hash algorithm (RFC 6353 §7).
pub(crate) fn fingerprint(value: &Value<'_>) -> Result<(), ErrorStatus> {
    accept_if(octets(value)?, |octets| Fingerprint::from_octets(octets).is_ok())
}

/// Checks an SnmpTLSFingerprint like [`fingerprint`], but accepts an empty one.
pub(crate) fn fingerprint_or_none(value: &Value<'_>) -> Result<(), ErrorStatus> {
    if octets(value)?.is_empty() { Ok(()) } else { fingerprint(value) }
}

/// Checks that a manager may choose this StorageType.
pub(crate) fn storage(value: &Value<'_>) -> Result<(), ErrorStatus> {
    accept_if(integer(value)?, |number| {
        StorageType::from_number(number).is_some_and(|kind| kind != StorageType::Other)
    })
}

/// Checks that a manager may write this RowStatus.
pub(crate) fn row_action(value: &Value<'_>) -> Result<(), ErrorStatus> {
    accept_if(integer(value)?, |number| RowAction::from_number(number).is_some())
}

/// Returns the octets of an OCTET STRING.
pub(crate) fn octets<'a>(value: &Value<'a>) -> Result<&'a [u8], ErrorStatus> {
    match *value {
        Value::OctetString(octets) => Ok(octets),
        _ => Err(ErrorStatus::WrongType),
    }
}

/// Returns an OCTET STRING as a name.
pub(crate) fn name(value: &Value<'_>) -> Result<Name, ErrorStatus> {
    octets(value).map(Name::from)
}

/// Returns the number in an INTEGER.
pub(crate) fn integer(value: &Value<'_>) -> Result<i32, ErrorStatus> {
    match *value {
        Value::Integer(number) => Ok(number),
        _ => Err(ErrorStatus::WrongType),
    }
}

/// Returns the number in an INTEGER. A negative number is an error.
pub(crate) fn unsigned(value: &Value<'_>) -> Result<u32, ErrorStatus> {
    u32::try_from(integer(value)?).map_err(|_| ErrorStatus::WrongValue)
}

/// Returns the enumeration value with the number in an INTEGER.
pub(crate) fn choice<T>(value: &Value<'_>, from_number: fn(i32) -> Option<T>) -> Result<T, ErrorStatus> {
    from_number(integer(value)?).ok_or(ErrorStatus::WrongValue)
}

/// Returns the identifier in an OBJECT IDENTIFIER.
pub(crate) fn oid(value: &Value<'_>) -> Result<Oid, ErrorStatus> {
    match value {
        Value::ObjectId(oid) => Oid::new(&oid.to_buf()).map_err(|_| ErrorStatus::WrongValue),
        _ => Err(ErrorStatus::WrongType),
    }
}

fn accept_if<T>(value: T, is_good: impl Fn(T) -> bool) -> Result<(), ErrorStatus> {
    if is_good(value) { Ok(()) } else { Err(ErrorStatus::WrongValue) }
}

#[cfg(test)]
mod tests;
