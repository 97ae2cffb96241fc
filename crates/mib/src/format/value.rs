//! Formats the values of variables.

use portreeve_smi::Value;

use super::{
    OutputFormat, hint, name,
    number::{push_number, push_signed, push_two_digits},
    octets,
};
use crate::{Base, Object, Syntax};

pub(super) fn write(format: &OutputFormat, out: &mut String, object: Option<&Object>, value: &Value<'_>) {
    let leaf = object.and_then(Object::leaf);
    let Some(leaf) = leaf.filter(|_| !value.is_exception() && *value != Value::Null) else {
        return write_untyped(format, out, value);
    };
    if value.tag() != leaf.syntax.base.tag() {
        if !format.quick_equals {
            *out += &format!("Wrong Type (should be {}): ", expected_type(leaf.syntax.base));
        }
        return write_untyped(format, out, value);
    }
    write_typed(format, out, &leaf.syntax, value);
    if !leaf.units.is_empty() && !format.no_units {
        *out += " ";
        *out += leaf.units;
    }
}

fn write_typed(format: &OutputFormat, out: &mut String, syntax: &Syntax, value: &Value<'_>) {
    match *value {
        Value::Integer(number) => {
            let prefix = if format.is_quick() { "" } else { "INTEGER: " };
            *out += prefix;
            match (syntax.label(number), syntax.hint()) {
                (Some(label), _) if !format.plain_enumerations && format.is_quick() => *out += label,
                (Some(label), _) if !format.plain_enumerations => {
                    *out += label;
                    *out += "(";
                    push_signed(out, number.into());
                    *out += ")";
                }
                (_, Some(hint)) => hint::write_integer(out, hint, i64::from(number)),
                _ => push_signed(out, number.into()),
            }
        }
        Value::Gauge32(number) if syntax.hint().is_some() => {
            *out += if format.is_quick() { "" } else { "Gauge32: " };
            hint::write_integer(out, syntax.hint().unwrap_or_default(), i64::from(number));
        }
        Value::OctetString(bits) if syntax.base == Base::Bits => write_bits(format, out, syntax, bits),
        Value::OctetString(text) => octets::write(format, out, syntax, text),
        _ => write_untyped(format, out, value),
    }
}

fn write_untyped(format: &OutputFormat, out: &mut String, value: &Value<'_>) {
    let start_with = |out: &mut String, kind: &str| *out += if format.is_quick() { "" } else { kind };
    match *value {
        Value::Integer(number) => {
            start_with(out, "INTEGER: ");
            push_signed(out, number.into());
        }
        Value::Counter32(number) => {
            start_with(out, "Counter32: ");
            push_number(out, number.into());
        }
        Value::Gauge32(number) => {
            start_with(out, "Gauge32: ");
            push_number(out, number.into());
        }
        Value::Counter64(number) => {
            start_with(out, "Counter64: ");
            push_number(out, number);
        }
        Value::TimeTicks(ticks) if format.plain_time_ticks => push_number(out, ticks.into()),
        Value::TimeTicks(ticks) => write_up_time(format, out, ticks),
        Value::IpAddress([a, b, c, d]) => {
            start_with(out, "IpAddress: ");
            *out += &format!("{a}.{b}.{c}.{d}");
        }
        Value::ObjectId(oid) => {
            start_with(out, "OID: ");
            name::write(format, out, &oid.to_buf());
        }
        Value::OctetString(text) => octets::write_plain(format, out, text),
        Value::Opaque(content) => write_opaque(format, out, content),
        Value::Null => *out += "NULL",
        Value::NoSuchObject => *out += "No Such Object available on this agent at this OID",
        Value::NoSuchInstance => *out += "No Such Instance currently exists at this OID",
        Value::EndOfMibView => {
            *out += "No more variables left in this MIB View (It is past the end of the MIB tree)";
        }
    }
}

fn write_up_time(format: &OutputFormat, out: &mut String, ticks: u32) {
    let (days, hours, minutes) = (ticks / 8_640_000, ticks / 360_000 % 24, ticks / 6_000 % 60);
    let (seconds, hundredths) = (ticks / 100 % 60, ticks % 100);
    if format.is_quick() {
        push_number(out, days.into());
        *out += ":";
    } else {
        *out += "Timeticks: (";
        push_number(out, ticks.into());
        *out += ") ";
        if days > 0 {
            push_number(out, days.into());
            *out += if days == 1 { " day, " } else { " days, " };
        }
    }
    push_number(out, hours.into());
    for (separator, part) in [(":", minutes), (":", seconds), (".", hundredths)] {
        *out += separator;
        push_two_digits(out, part);
    }
}

fn write_bits(format: &OutputFormat, out: &mut String, syntax: &Syntax, bits: &[u8]) {
    if format.is_quick() {
        *out += "\"";
        octets::write_hex(format, out, bits);
        *out += "\"";
        return;
    }
    *out += "BITS: ";
    octets::write_hex(format, out, bits);
    let set = bits.iter().enumerate().flat_map(|(position, octet)| {
        (0..8).filter(move |bit| octet & (0x80 >> bit) != 0).map(move |bit| position * 8 + bit)
    });
    for bit in set {
        let label = i32::try_from(bit).ok().and_then(|bit| syntax.label(bit));
        *out += &match label {
            Some(label) if !format.plain_enumerations => format!("{label}({bit}) "),
            _ => format!("{bit} "),
        };
    }
}

/// Formats opaque content. Only numbers are decoded, in the encodings that Net-SNMP uses; a double
/// is also printed as "Float".
fn write_opaque(format: &OutputFormat, out: &mut String, content: &[u8]) {
    let number = match *content {
        [0x9f, 0x78, 4, a, b, c, d] => Some(("Float", format!("{:.6}", f32::from_be_bytes([a, b, c, d])))),
        [0x9f, 0x79, 8, a, b, c, d, e, f, g, h] => {
            Some(("Float", format!("{:.6}", f64::from_be_bytes([a, b, c, d, e, f, g, h]))))
        }
        [0x9f, 0x7a, _, ref octets @ ..] => signed(octets).map(|number| ("Int64", number.to_string())),
        [0x9f, 0x7b, _, ref octets @ ..] => unsigned(octets).map(|number| ("UInt64", number.to_string())),
        _ => None,
    };
    match number {
        Some((kind, number)) if !format.is_quick() => *out += &format!("Opaque: {kind}: {number}"),
        Some((_, number)) => *out += &number,
        None => {
            *out += if format.is_quick() { "" } else { "OPAQUE: " };
            octets::write_hex(format, out, content);
        }
    }
}

fn signed(octets: &[u8]) -> Option<i64> {
    let sign = if *octets.first()? & 0x80 == 0 { 0 } else { -1 };
    (octets.len() <= 8).then(|| octets.iter().fold(sign, |number, octet| (number << 8) | i64::from(*octet)))
}

fn unsigned(octets: &[u8]) -> Option<u64> {
    let octets = octets.strip_prefix(&[0]).unwrap_or(octets);
    (octets.len() <= 8).then(|| octets.iter().fold(0, |number, octet| (number << 8) | u64::from(*octet)))
}

/// Returns the type name that Net-SNMP prints if a value has a different type than its definition.
fn expected_type(base: Base) -> &'static str {
    match base {
        Base::Integer32 => "INTEGER",
        Base::Gauge32 | Base::Unsigned32 => "Gauge32 or Unsigned32",
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
