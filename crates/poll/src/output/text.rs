//! Formats fields as JSON and CSV.

use std::{borrow::Cow, fmt::Write as _};

use portreeve_json::{csv_field, push_quoted};
use portreeve_smi::{Value, controls_display, display_arcs};

/// One field of a line.
#[derive(Clone, Debug)]
pub(super) enum Field<'f> {
    Nothing,
    /// An integer.
    Number(i128),
    /// Written without quotes: a decimal fraction or a truth value.
    Raw(Cow<'f, str>),
    /// Quoted if the format requires it.
    Text(Cow<'f, str>),
}

/// Returns the name of a value's type, and the value as a field.
pub(super) fn value(value: Value<'_>) -> (&'static str, Field<'_>) {
    match value {
        Value::Integer(number) => ("Integer32", Field::Number(number.into())),
        Value::Counter32(number) => ("Counter32", Field::Number(number.into())),
        Value::Gauge32(number) => ("Gauge32", Field::Number(number.into())),
        Value::TimeTicks(number) => ("TimeTicks", Field::Number(number.into())),
        Value::Counter64(number) => ("Counter64", Field::Number(number.into())),
        Value::OctetString(octets) => ("OctetString", Field::Text(octet_text(octets))),
        Value::Opaque(octets) => ("Opaque", Field::Text(hexadecimal(octets).into())),
        Value::ObjectId(oid) => {
            ("ObjectIdentifier", Field::Text(display_arcs(&oid.to_buf()).to_string().into()))
        }
        Value::IpAddress([a, b, c, d]) => ("IpAddress", Field::Text(format!("{a}.{b}.{c}.{d}").into())),
        Value::Null => ("Null", Field::Nothing),
        Value::NoSuchObject => ("noSuchObject", Field::Nothing),
        Value::NoSuchInstance => ("noSuchInstance", Field::Nothing),
        Value::EndOfMibView => ("endOfMibView", Field::Nothing),
    }
}

pub(super) fn push_json<'f>(line: &mut String, fields: impl Iterator<Item = (&'f &'f str, &'f Field<'f>)>) {
    let mut before = '{';
    for (name, field) in fields.filter(|(_, field)| !matches!(field, Field::Nothing)) {
        line.push(before);
        before = ',';
        let _ = write!(line, "\"{name}\":");
        match field {
            Field::Nothing => {}
            // Many JSON parsers round numbers beyond 53 bits, but not strings.
            Field::Number(number) if number.unsigned_abs() >> 53 != 0 => {
                let _ = write!(line, "\"{number}\"");
            }
            Field::Number(number) => {
                let _ = write!(line, "{number}");
            }
            Field::Raw(text) => line.push_str(text),
            Field::Text(text) => push_quoted(line, text),
        }
    }
    line.push_str("}\n");
}

pub(super) fn push_csv(line: &mut String, fields: &[Field<'_>]) {
    let mut before = "";
    for field in fields {
        line.push_str(before);
        before = ",";
        match field {
            Field::Nothing => {}
            Field::Number(number) => {
                let _ = write!(line, "{number}");
            }
            Field::Raw(text) => line.push_str(text),
            Field::Text(text) => line.push_str(&csv_field(text)),
        }
    }
    line.push('\n');
}

/// Returns the octets as text if they are UTF-8 without characters that control the display, except
/// line ends and tabs, and as hexadecimal digits otherwise.
fn octet_text(octets: &[u8]) -> Cow<'_, str> {
    match std::str::from_utf8(octets) {
        Ok(text) if !text.contains(|c: char| controls_display(c) && !matches!(c, '\n' | '\r' | '\t')) => {
            text.into()
        }
        _ => hexadecimal(octets).into(),
    }
}

fn hexadecimal(octets: &[u8]) -> String {
    let mut text = String::with_capacity(2 + octets.len() * 2);
    text.push_str("0x");
    for octet in octets {
        let _ = write!(text, "{octet:02x}");
    }
    text
}

#[cfg(test)]
mod tests;
