//! Formats strings: by DISPLAY-HINT, as text, or in hexadecimal.

use super::{
    OutputFormat, StringForm, hint,
    text::{is_text, write_ascii, write_escaped},
};
use crate::Syntax;

/// Appends a string of a known type.
pub(super) fn write(format: &OutputFormat, out: &mut String, syntax: &Syntax, octets: &[u8]) {
    let Some(hint) = syntax.hint() else { return write_plain(format, out, octets) };
    let start = out.len();
    if !format.is_quick() {
        *out += "STRING: ";
    }
    if hint::write_octets(format, out, hint, octets).is_err() {
        out.truncate(start);
        *out += &format!("(Bad hint ignored: {hint}) ");
        write_plain(format, out, octets);
    }
}

/// Appends a string of an unknown type.
pub(super) fn write_plain(format: &OutputFormat, out: &mut String, octets: &[u8]) {
    if octets.is_empty() {
        *out += "\"\"";
        return;
    }
    let hex = match format.strings {
        StringForm::Guess => !octets.iter().all(|octet| is_text(*octet)),
        StringForm::Text => false,
        StringForm::Hex => true,
    };
    match (hex, format.is_quick()) {
        (true, true) => {
            *out += "\"";
            write_hex(format, out, octets);
            *out += "\"";
        }
        (true, false) => {
            *out += "Hex-STRING: ";
            write_hex(format, out, octets);
        }
        (false, quick) => {
            *out += if quick { "\"" } else { "STRING: \"" };
            write_escaped(format, out, octets);
            *out += "\"";
        }
    }
}

/// Appends octets in hexadecimal, sixteen to a line.
pub(super) fn write_hex(format: &OutputFormat, out: &mut String, octets: &[u8]) {
    for (number, line) in octets.chunks(16).enumerate() {
        if number > 0 {
            *out += "\n";
        }
        line.iter().for_each(|octet| *out += &format!("{octet:02X} "));
        if format.text_beside_hex {
            *out += "  [";
            write_ascii(format, out, line, |_| false);
            *out += "]";
        }
    }
}
