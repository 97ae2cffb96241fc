//! Checks of values beyond what definitions say, and taking values apart.

use portreeve_channel::Fingerprint;
use portreeve_lcd::{Name, RowAction, StorageType, is_tag_delimiter};
use portreeve_smi::{EngineId, ErrorStatus, Oid, Value};

/// Everything goes.
pub(crate) fn accept_any(_: &Value<'_>) -> Result<(), ErrorStatus> {
    Ok(())
}

/// SnmpAdminString: UTF-8 (RFC 3411 §5).
pub(crate) fn admin_string(value: &Value<'_>) -> Result<(), ErrorStatus> {
    accept_if(octets(value)?, |octets| std::str::from_utf8(octets).is_ok())
}

/// SnmpTagValue: no delimiters (RFC 3413 §4.1).
pub(crate) fn tag(value: &Value<'_>) -> Result<(), ErrorStatus> {
    admin_string(value)?;
    accept_if(octets(value)?, |octets| !octets.iter().any(|octet| is_tag_delimiter(*octet)))
}

/// SnmpTagList: delimiters only between two tags, and one at a time (RFC 3413 §4.1).
pub(crate) fn tag_list(value: &Value<'_>) -> Result<(), ErrorStatus> {
    admin_string(value)?;
    accept_if(octets(value)?, |octets| {
        octets.is_empty() || octets.split(|octet| is_tag_delimiter(*octet)).all(|tag| !tag.is_empty())
    })
}

/// SnmpEngineID: not all zero, not all ones (RFC 3411 §5).
pub(crate) fn engine_id(value: &Value<'_>) -> Result<(), ErrorStatus> {
    accept_if(octets(value)?, |octets| EngineId::new(octets).is_ok())
}

/// SnmpTLSFingerprint of a hash that we know (RFC 6353 §7).
pub(crate) fn fingerprint(value: &Value<'_>) -> Result<(), ErrorStatus> {
    accept_if(octets(value)?, |octets| Fingerprint::from_octets(octets).is_ok())
}

/// The same, or nothing.
pub(crate) fn fingerprint_or_none(value: &Value<'_>) -> Result<(), ErrorStatus> {
    if octets(value)?.is_empty() { Ok(()) } else { fingerprint(value) }
}

/// StorageType: what a manager may choose.
pub(crate) fn storage(value: &Value<'_>) -> Result<(), ErrorStatus> {
    accept_if(integer(value)?, |number| {
        StorageType::from_number(number).is_some_and(|kind| kind != StorageType::Other)
    })
}

/// RowStatus: what a manager may write.
pub(crate) fn row_action(value: &Value<'_>) -> Result<(), ErrorStatus> {
    accept_if(integer(value)?, |number| RowAction::from_number(number).is_some())
}

/// The octets of an OCTET STRING.
pub(crate) fn octets<'a>(value: &Value<'a>) -> Result<&'a [u8], ErrorStatus> {
    match *value {
        Value::OctetString(octets) => Ok(octets),
        _ => Err(ErrorStatus::WrongType),
    }
}

/// The octets of a name.
pub(crate) fn name(value: &Value<'_>) -> Result<Name, ErrorStatus> {
    octets(value).map(Name::from)
}

/// An INTEGER.
pub(crate) fn integer(value: &Value<'_>) -> Result<i32, ErrorStatus> {
    match *value {
        Value::Integer(number) => Ok(number),
        _ => Err(ErrorStatus::WrongType),
    }
}

/// An INTEGER that is never negative.
pub(crate) fn unsigned(value: &Value<'_>) -> Result<u32, ErrorStatus> {
    u32::try_from(integer(value)?).map_err(|_| ErrorStatus::WrongValue)
}

/// One of several values, by its number.
pub(crate) fn choice<T>(value: &Value<'_>, from_number: fn(i32) -> Option<T>) -> Result<T, ErrorStatus> {
    from_number(integer(value)?).ok_or(ErrorStatus::WrongValue)
}

/// An OBJECT IDENTIFIER.
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
