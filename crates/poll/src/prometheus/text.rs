//! Formats values as labels and sample numbers.

use std::{fmt::Write as _, net::IpAddr};

use portreeve_mib::{InetAddress, Syntax, index::IndexPart};
use portreeve_smi::{Value, controls_display, display_arcs};

/// Formats the value as a sample number, if it is numeric.
pub(super) fn number(value: Value<'_>) -> Option<String> {
    match value {
        Value::Integer(number) => Some(number.to_string()),
        Value::Counter32(number) | Value::Gauge32(number) | Value::TimeTicks(number) => {
            Some(number.to_string())
        }
        // Prometheus stores doubles, which are not exact beyond 53 bits. The number therefore wraps
        // at 53 bits, which Prometheus handles as a counter reset.
        Value::Counter64(number) => Some((number % (1 << 53)).to_string()),
        _ => None,
    }
}

/// Formats a value as a label: as text if the syntax is textual, otherwise in hexadecimal.
pub(super) fn label(syntax: Option<&Syntax>, value: Value<'_>) -> String {
    match value {
        Value::OctetString(octets) => octets_label(syntax, octets),
        Value::Opaque(octets) => hexadecimal("0x", "", octets),
        Value::ObjectId(oid) => display_arcs(&oid.to_buf()).to_string(),
        Value::IpAddress([a, b, c, d]) => format!("{a}.{b}.{c}.{d}"),
        other => number(other).unwrap_or_default(),
    }
}

/// Formats a part of an instance's index as a label.
pub(super) fn index(part: &IndexPart<'_>) -> String {
    use portreeve_mib::Base;
    if let Some(label) = part.inet_address().map(address_label).or_else(|| part.dns_name()) {
        return label;
    }
    let syntax = part.object.syntax();
    match (syntax.map(|syntax| syntax.base), part.octets(), part.arcs) {
        (Some(Base::IpAddress | Base::ObjectIdentifier), ..) | (_, None, _) => dotted(part.arcs),
        (Some(Base::OctetString | Base::Bits | Base::Opaque), Some(octets), _) => {
            octets_label(syntax, &octets)
        }
        (_, _, arcs) => dotted(arcs),
    }
}

/// Formats an address as snmp_exporter does, which prints all digits of an IPv6 address.
fn address_label(address: InetAddress) -> String {
    let mut label = match address.ip {
        IpAddr::V4(ip) => ip.to_string(),
        IpAddr::V6(ip) => ip.segments().map(|group| format!("{group:04X}")).join(":"),
    };
    if let Some(zone) = address.zone {
        let _ = write!(label, "%{zone}");
    }
    label
}

/// Formats arcs separated by dots.
pub(super) fn dotted(arcs: &[u32]) -> String {
    let mut text = String::new();
    for arc in arcs {
        let _ = write!(text, "{}{arc}", if text.is_empty() { "" } else { "." });
    }
    text
}

/// Writes a label's value in quotes.
pub(super) fn quote(line: &mut String, value: &str) {
    line.push('"');
    for letter in value.chars() {
        match letter {
            '"' => line.push_str("\\\""),
            '\\' => line.push_str("\\\\"),
            '\n' => line.push_str("\\n"),
            letter => line.push(letter),
        }
    }
    line.push('"');
}

fn octets_label(syntax: Option<&Syntax>, octets: &[u8]) -> String {
    match syntax.and_then(Syntax::hint) {
        Some(hint) if hint.ends_with(['a', 't']) => text_label(octets),
        Some("1x:") => hexadecimal("", ":", octets),
        _ => hexadecimal("0x", "", octets),
    }
}

/// Replaces octets that are not UTF-8, and characters that would control the terminal of a user who
/// reads the metrics with `curl`.
fn text_label(octets: &[u8]) -> String {
    let is_harmful = |letter: char| controls_display(letter) && !matches!(letter, '\t' | '\n' | '\r');
    String::from_utf8_lossy(octets).replace(is_harmful, "\u{fffd}")
}

fn hexadecimal(before: &str, between: &str, octets: &[u8]) -> String {
    let mut text = before.to_owned();
    for (index, octet) in octets.iter().enumerate() {
        let _ = write!(text, "{}{octet:02X}", if index == 0 { "" } else { between });
    }
    text
}
