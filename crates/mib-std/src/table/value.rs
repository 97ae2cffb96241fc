//! Converts values, and checks requirements that the definitions of the objects do not express.

use portreeve_channel::Fingerprint;
use portreeve_datastore::{Refusal, RefusalKind};
use portreeve_lcd::{Name, RowAction, StorageType, is_tag_delimiter};
use portreeve_smi::{EngineId, Oid, Value};

/// Accepts any value.
pub(crate) fn accept_any(_: &Value<'_>) -> Result<(), Refusal> {
    Ok(())
}

/// Checks that an SnmpAdminString is UTF-8 (RFC 3411 §5).
pub(crate) fn admin_string(value: &Value<'_>) -> Result<(), Refusal> {
    accept_if(octets(value)?, "the text is not UTF-8", |octets| std::str::from_utf8(octets).is_ok())
}

/// Checks that an SnmpTagValue contains no delimiters (RFC 3413 §4.1).
pub(crate) fn tag(value: &Value<'_>) -> Result<(), Refusal> {
    admin_string(value)?;
    accept_if(octets(value)?, "the tag contains a delimiter", |octets| {
        !octets.iter().any(|octet| is_tag_delimiter(*octet))
    })
}

/// Checks that an SnmpTagList has single delimiters between tags (RFC 3413 §4.1).
pub(crate) fn tag_list(value: &Value<'_>) -> Result<(), Refusal> {
    admin_string(value)?;
    accept_if(octets(value)?, "the tags are not separated by single delimiters", |octets| {
        octets.is_empty() || octets.split(|octet| is_tag_delimiter(*octet)).all(|tag| !tag.is_empty())
    })
}

/// Checks that an SnmpEngineID is not all zeros and not all ones (RFC 3411 §5).
pub(crate) fn engine_id(value: &Value<'_>) -> Result<(), Refusal> {
    accept_if(octets(value)?, "the engine ID is invalid", |octets| EngineId::new(octets).is_ok())
}

/// Checks that an SnmpTLSFingerprint uses a supported hash algorithm (RFC 6353 §7).
pub(crate) fn fingerprint(value: &Value<'_>) -> Result<(), Refusal> {
    let text = "the fingerprint is malformed, or its hash algorithm is not supported";
    accept_if(octets(value)?, text, |octets| Fingerprint::from_octets(octets).is_ok())
}

/// Checks an SnmpTLSFingerprint like [`fingerprint`], but accepts an empty one.
pub(crate) fn fingerprint_or_none(value: &Value<'_>) -> Result<(), Refusal> {
    if octets(value)?.is_empty() { Ok(()) } else { fingerprint(value) }
}

/// Checks that a manager may choose this StorageType.
pub(crate) fn storage(value: &Value<'_>) -> Result<(), Refusal> {
    accept_if(integer(value)?, "managers cannot choose this storage type", |number| {
        StorageType::from_number(number).is_some_and(|kind| kind != StorageType::Other)
    })
}

/// Checks that a manager may write this RowStatus.
pub(crate) fn row_action(value: &Value<'_>) -> Result<(), Refusal> {
    accept_if(integer(value)?, "managers cannot write this row status", |number| {
        RowAction::from_number(number).is_some()
    })
}

/// Returns the octets of an OCTET STRING.
pub(crate) fn octets<'a>(value: &Value<'a>) -> Result<&'a [u8], Refusal> {
    match *value {
        Value::OctetString(octets) => Ok(octets),
        _ => Err(RefusalKind::WrongType.into()),
    }
}

/// Returns an OCTET STRING as a name.
pub(crate) fn name(value: &Value<'_>) -> Result<Name, Refusal> {
    octets(value).map(Name::from)
}

/// Returns the number in an INTEGER.
pub(crate) fn integer(value: &Value<'_>) -> Result<i32, Refusal> {
    match *value {
        Value::Integer(number) => Ok(number),
        _ => Err(RefusalKind::WrongType.into()),
    }
}

/// Returns the number in an INTEGER. A negative number is an error.
pub(crate) fn unsigned(value: &Value<'_>) -> Result<u32, Refusal> {
    u32::try_from(integer(value)?).map_err(|_| RefusalKind::WrongValue.into())
}

/// Returns the enumeration value with the number in an INTEGER.
pub(crate) fn choice<T>(value: &Value<'_>, from_number: fn(i32) -> Option<T>) -> Result<T, Refusal> {
    from_number(integer(value)?).ok_or(RefusalKind::WrongValue.into())
}

/// Returns the identifier in an OBJECT IDENTIFIER.
pub(crate) fn oid(value: &Value<'_>) -> Result<Oid, Refusal> {
    match value {
        Value::ObjectId(oid) => Oid::new(&oid.to_buf()).map_err(|_| RefusalKind::WrongValue.into()),
        _ => Err(RefusalKind::WrongType.into()),
    }
}

fn accept_if<T>(value: T, otherwise: &'static str, is_good: impl Fn(T) -> bool) -> Result<(), Refusal> {
    if is_good(value) { Ok(()) } else { Err(Refusal::new(RefusalKind::WrongValue, otherwise)) }
}

#[cfg(test)]
mod tests;
