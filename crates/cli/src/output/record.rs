//! Variables as JSON, JSON lines and CSV.
//!
//! The fields are stable. `oid` has a leading dot. `name` is in the format of `-O`. `type` is the
//! name in SMIv2. `value` is a number, a string, or null for an exception. Octets that are not text
//! are written as `0x` and hexadecimal digits.

use portreeve_json::csv_field;
pub(crate) use portreeve_json::quoted;
use portreeve_mib::{Object, format::OutputFormat};
use portreeve_smi::{Value, controls_display, display_arcs};

/// The format of variables and rows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum DataFormat {
    /// Lines in the format of Net-SNMP.
    #[default]
    Lines,
    /// One JSON array.
    Json,
    /// One JSON object per line.
    JsonLines,
    /// Comma-separated values with a header line (RFC 4180, but lines end with a line feed).
    Csv,
}

/// Appends a variable, without a separator.
pub(super) fn push_variable(
    out: &mut String,
    data: DataFormat,
    format: OutputFormat,
    name: &[u32],
    value: &Value<'_>,
) {
    let mut formatted_name = String::new();
    format.name(&mut formatted_name, name);
    let oid = format!(".{}", display_arcs(name));
    let object = format.definitions.resolve(name).map(|found| found.object);
    if data == DataFormat::Csv {
        let fields = [
            oid,
            formatted_name,
            type_of(value).to_owned(),
            plain_value(value),
            label(object, value).to_owned(),
        ];
        *out += &csv_line(fields.iter().map(String::as_str));
        return;
    }
    *out += &format!(
        "{{\"oid\":{},\"name\":{},\"type\":\"{}\",\"value\":{}",
        quoted(&oid),
        quoted(&formatted_name),
        type_of(value),
        json_value(value)
    );
    let label = label(object, value);
    if !label.is_empty() {
        *out += &format!(",\"label\":{}", quoted(label));
    }
    *out += "}";
}

/// Joins fields with commas. Fields are quoted if necessary. A field that a spreadsheet would
/// execute as a formula is prefixed with an apostrophe.
pub(crate) fn csv_line<'a>(fields: impl Iterator<Item = &'a str>) -> String {
    fields.map(csv_field).collect::<Vec<_>>().join(",")
}

/// Formats a value as JSON.
pub(crate) fn json_value(value: &Value<'_>) -> String {
    match value {
        Value::Integer(_)
        | Value::Counter32(_)
        | Value::Gauge32(_)
        | Value::TimeTicks(_)
        | Value::Counter64(_) => plain_value(value),
        Value::Null | Value::NoSuchObject | Value::NoSuchInstance | Value::EndOfMibView => "null".to_owned(),
        _ => quoted(&plain_value(value)),
    }
}

/// Formats a value without quotes; empty for an exception.
pub(crate) fn plain_value(value: &Value<'_>) -> String {
    match *value {
        Value::Integer(number) => number.to_string(),
        Value::Counter32(number) | Value::Gauge32(number) | Value::TimeTicks(number) => number.to_string(),
        Value::Counter64(number) => number.to_string(),
        Value::OctetString(octets) | Value::Opaque(octets) => text_or_hex(octets),
        Value::ObjectId(oid) => format!(".{}", display_arcs(&oid.to_buf())),
        Value::IpAddress([a, b, c, d]) => format!("{a}.{b}.{c}.{d}"),
        Value::Null | Value::NoSuchObject | Value::NoSuchInstance | Value::EndOfMibView => String::new(),
    }
}

fn text_or_hex(octets: &[u8]) -> String {
    let is_line_layout = |character: char| matches!(character, '\t' | '\n');
    let is_text = |text: &&str| {
        !text
            .replace("\r\n", "\n")
            .contains(|character| controls_display(character) && !is_line_layout(character))
    };
    match std::str::from_utf8(octets).ok().filter(is_text) {
        Some(text) => text.to_owned(),
        None => octets.iter().fold("0x".to_owned(), |digits, octet| digits + &format!("{octet:02x}")),
    }
}

fn label(object: Option<&'static Object>, value: &Value<'_>) -> &'static str {
    let Value::Integer(number) = value else { return "" };
    object.and_then(Object::syntax).and_then(|syntax| syntax.label(*number)).unwrap_or_default()
}

fn type_of(value: &Value<'_>) -> &'static str {
    match value {
        Value::Integer(_) => "Integer32",
        Value::OctetString(_) => "OctetString",
        Value::Null => "Null",
        Value::ObjectId(_) => "ObjectIdentifier",
        Value::IpAddress(_) => "IpAddress",
        Value::Counter32(_) => "Counter32",
        Value::Gauge32(_) => "Gauge32",
        Value::TimeTicks(_) => "TimeTicks",
        Value::Opaque(_) => "Opaque",
        Value::Counter64(_) => "Counter64",
        Value::NoSuchObject => "noSuchObject",
        Value::NoSuchInstance => "noSuchInstance",
        Value::EndOfMibView => "endOfMibView",
    }
}

#[cfg(test)]
mod tests;
