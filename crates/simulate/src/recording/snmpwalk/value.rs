//! The text after the equals sign: a type and a value, or with `-OQ` only the value.

use portreeve_mib::{Object, typed_value};
use portreeve_smi::{Oid, OwnedValue};

use super::{super::SyntaxError, object_id, quoted};

/// Parses a value of an instance of `object`.
pub(super) fn read(object: Option<&Object>, written: &[u8]) -> Result<OwnedValue, SyntaxError> {
    // Net-SNMP prints this prefix if the type differs from the definition. The actual type and
    // value follow.
    let written = match written.strip_prefix(b"Wrong Type (should be ") {
        Some(rest) => after(rest, b"): ").ok_or(SyntaxError::Variable)?,
        None => written,
    };
    let typed = TYPES.iter().find_map(|(name, kind)| {
        let rest = written.strip_prefix(name.as_bytes())?;
        let rest = rest.strip_prefix(b":").map(|rest| rest.strip_prefix(b" ").unwrap_or(rest));
        Some((*kind, rest?))
    });
    match typed {
        Some((Kind::String, content)) => string(object, content),
        Some((kind, content)) => of_kind(kind, object, text(content)?),
        None => untyped(object, written),
    }
}

/// The type that Net-SNMP prints before the colon.
#[derive(Clone, Copy)]
enum Kind {
    Integer,
    Counter32,
    Gauge32,
    Counter64,
    TimeTicks,
    String,
    Hexadecimal,
    Bits,
    ObjectId,
    IpAddress,
    NetworkAddress,
    Opaque,
}

const TYPES: &[(&str, Kind)] = &[
    ("INTEGER", Kind::Integer),
    ("Counter32", Kind::Counter32),
    ("Gauge32", Kind::Gauge32),
    ("UInteger32", Kind::Gauge32),
    ("Counter64", Kind::Counter64),
    ("Timeticks", Kind::TimeTicks),
    ("STRING", Kind::String),
    ("Hex-STRING", Kind::Hexadecimal),
    ("BITS", Kind::Bits),
    ("OID", Kind::ObjectId),
    ("IpAddress", Kind::IpAddress),
    ("Network Address", Kind::NetworkAddress),
    ("Opaque", Kind::Opaque),
    ("OPAQUE", Kind::Opaque),
];

fn of_kind(kind: Kind, object: Option<&Object>, text: &str) -> Result<OwnedValue, SyntaxError> {
    Ok(match kind {
        Kind::Integer => OwnedValue::Integer(integer(object, text)?),
        Kind::Counter32 => OwnedValue::Counter32(number(text)?),
        Kind::Gauge32 => OwnedValue::Gauge32(number(text)?),
        Kind::Counter64 => OwnedValue::Counter64(number(text)?),
        Kind::TimeTicks => OwnedValue::TimeTicks(time_ticks(text).ok_or(SyntaxError::TimeTicks)?),
        Kind::String => string(object, text.as_bytes())?,
        Kind::Hexadecimal => OwnedValue::OctetString(hexadecimal(text).ok_or(SyntaxError::Hexadecimal)?),
        // After the octets, Net-SNMP prints the names of the bits.
        Kind::Bits => OwnedValue::OctetString(text.split_whitespace().map_while(octet).collect()),
        Kind::ObjectId => OwnedValue::ObjectId(identifier(text).ok_or(SyntaxError::ObjectId)?),
        Kind::IpAddress => OwnedValue::IpAddress(dotted(text).ok_or(SyntaxError::IpAddress)?),
        Kind::NetworkAddress => {
            let octets: Option<Vec<u8>> = text.trim().split(':').map(octet).collect();
            let octets = octets.and_then(|octets| octets.try_into().ok());
            OwnedValue::IpAddress(octets.ok_or(SyntaxError::IpAddress)?)
        }
        Kind::Opaque => opaque(text)?,
    })
}

/// Parses a string: literally if it is quoted, otherwise in the format of its definition.
fn string(object: Option<&Object>, written: &[u8]) -> Result<OwnedValue, SyntaxError> {
    if written.starts_with(b"\"") {
        return quoted::content(written).map(OwnedValue::OctetString).ok_or(SyntaxError::Quote);
    }
    match object.filter(|object| object.syntax().is_some_and(|syntax| syntax.hint().is_some())) {
        Some(object) => {
            typed_value::parse_unchecked(Some(object), 's', text(written)?).map_err(|_| SyntaxError::Octets)
        }
        None => Ok(OwnedValue::OctetString(written.to_vec())),
    }
}

/// Parses a number, or a label with the number in parentheses. A unit may follow.
fn integer(object: Option<&Object>, text: &str) -> Result<i32, SyntaxError> {
    let text = text.trim();
    let bracketed = text.rsplit_once('(').and_then(|(_, rest)| rest.split_once(')'));
    if let Some(number) = bracketed.and_then(|(number, _)| number.parse().ok()) {
        return Ok(number);
    }
    let word = text.split_whitespace().next().unwrap_or_default();
    let labeled = || object.and_then(Object::syntax)?.number(word);
    word.parse().ok().or_else(labeled).ok_or(SyntaxError::Number)
}

/// Parses a number, which a unit may follow.
fn number<N: std::str::FromStr>(text: &str) -> Result<N, SyntaxError> {
    text.split_whitespace().next().and_then(|word| word.parse().ok()).ok_or(SyntaxError::Number)
}

/// Parses `(42) 0:00:00.42`, `42`, or days, hours, minutes and seconds with hundredths.
fn time_ticks(text: &str) -> Option<u32> {
    let text = text.trim();
    if let Some(rest) = text.strip_prefix('(') {
        return rest.split_once(')')?.0.parse().ok();
    }
    text.parse().ok().or_else(|| clock(text))
}

/// Parses `1:02:03:04.05`: days, hours, minutes, seconds, hundredths.
fn clock(text: &str) -> Option<u32> {
    let (rest, hundredths) = text.split_once('.')?;
    let fields: Option<Vec<u64>> = rest.split(':').map(|field| field.parse().ok()).collect();
    let [days, hours, minutes, seconds] = fields?[..] else { return None };
    let hundredths: u64 = hundredths.parse().ok().filter(|hundredths| *hundredths < 100)?;
    let of = |number: u64, unit: u64| number.checked_mul(unit);
    let sum = [of(days, 8_640_000)?, of(hours, 360_000)?, of(minutes, 6_000)?, of(seconds, 100)?, hundredths];
    let ticks = sum.iter().try_fold(0u64, |sum, part| sum.checked_add(*part))?;
    u32::try_from(ticks).ok()
}

fn opaque(text: &str) -> Result<OwnedValue, SyntaxError> {
    for (name, letter) in [("Float: ", 'F'), ("Double: ", 'D'), ("Int64: ", 'I'), ("UInt64: ", 'U')] {
        if let Some(number) = text.strip_prefix(name) {
            let value = typed_value::parse_unchecked(None, letter, number.trim());
            return value.map_err(|_| SyntaxError::Number);
        }
    }
    hexadecimal(text).map(OwnedValue::Opaque).ok_or(SyntaxError::Hexadecimal)
}

/// Parses a value that is printed without a type. Its definition determines the type or, if there
/// is none, its syntax.
fn untyped(object: Option<&Object>, written: &[u8]) -> Result<OwnedValue, SyntaxError> {
    if written.starts_with(b"\"") {
        let octets = quoted::content(written).ok_or(SyntaxError::Quote)?;
        // Net-SNMP prints a string that is not printable in hexadecimal, with a space after each
        // octet.
        let hexadecimal =
            std::str::from_utf8(&octets).ok().filter(|text| text.ends_with(' ')).and_then(hexadecimal);
        return Ok(OwnedValue::OctetString(hexadecimal.unwrap_or(octets)));
    }
    let Ok(text) = text(written) else { return Ok(OwnedValue::OctetString(written.to_vec())) };
    if text == "NULL" {
        return Ok(OwnedValue::Null);
    }
    if object.is_some_and(|object| object.syntax().is_some()) {
        if let Some(ticks) = clock(text) {
            return Ok(OwnedValue::TimeTicks(ticks));
        }
        let word = text.split_whitespace().next().unwrap_or_default();
        let by_definition = |text| typed_value::parse_unchecked(object, '=', text);
        return by_definition(text).or_else(|_| by_definition(word)).map_err(|_| SyntaxError::Variable);
    }
    Ok(guess(text))
}

fn guess(text: &str) -> OwnedValue {
    if let Ok(number) = text.parse() {
        OwnedValue::Integer(number)
    } else if let Ok(number) = text.parse() {
        OwnedValue::Gauge32(number)
    } else if let Ok(number) = text.parse() {
        OwnedValue::Counter64(number)
    } else if let Some(ticks) = clock(text) {
        OwnedValue::TimeTicks(ticks)
    } else if let Some(address) = dotted(text) {
        OwnedValue::IpAddress(address)
    } else if let Some(oid) = Some(text).filter(|text| text.contains('.')).and_then(identifier) {
        OwnedValue::ObjectId(oid)
    } else {
        OwnedValue::OctetString(text.as_bytes().to_vec())
    }
}

fn identifier(text: &str) -> Option<Oid> {
    object_id(text.trim())
}

fn dotted(text: &str) -> Option<[u8; 4]> {
    text.trim().parse::<std::net::Ipv4Addr>().ok().map(|address| address.octets())
}

fn hexadecimal(text: &str) -> Option<Vec<u8>> {
    text.split_whitespace().map(octet).collect()
}

/// Parses one or two hexadecimal digits.
fn octet(word: &str) -> Option<u8> {
    let digits = word.len() <= 2 && word.bytes().all(|octet| octet.is_ascii_hexdigit());
    digits.then(|| u8::from_str_radix(word, 16).ok()).flatten()
}

fn after<'a>(text: &'a [u8], end: &[u8]) -> Option<&'a [u8]> {
    let at = text.windows(end.len()).position(|window| window == end)?;
    text.get(at + end.len()..)
}

fn text(octets: &[u8]) -> Result<&str, SyntaxError> {
    std::str::from_utf8(octets).map_err(|_| SyntaxError::Octets)
}
