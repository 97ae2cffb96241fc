//! Strings: by DISPLAY-HINT, as text, or in hexadecimal.

use super::{Format, StringForm, hint, raw};
use crate::Syntax;

/// Appends a string of a known type.
pub(super) fn write(format: &Format, out: &mut String, syntax: &Syntax, octets: &[u8]) {
    match syntax.hint() {
        Some(hint) => {
            if !format.is_quick() {
                *out += "STRING: ";
            }
            hint::write_octets(format, out, hint, octets);
        }
        None => write_plain(format, out, octets),
    }
}

/// Appends a string that nothing is known about.
pub(super) fn write_plain(format: &Format, out: &mut String, octets: &[u8]) {
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
pub(super) fn write_hex(format: &Format, out: &mut String, octets: &[u8]) {
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

/// Appends text in UTF-8, with a dot for whatever could steer a terminal or is no UTF-8.
pub(super) fn write_text(format: &Format, out: &mut String, octets: &[u8]) {
    if format.raw_octets {
        return raw::write(out, octets);
    }
    for chunk in octets.utf8_chunks() {
        let mut characters = chunk.valid().chars().peekable();
        while let Some(c) = characters.next() {
            out.push(if is_harmless(c, characters.peek().copied()) { c } else { '.' });
        }
        out.extend(chunk.invalid().iter().map(|_| '.'));
    }
}

/// Appends text in ASCII with its quotes and backslashes escaped.
fn write_escaped(format: &Format, out: &mut String, octets: &[u8]) {
    write_ascii(format, out, octets, |c| matches!(c, '"' | '\\'));
}

/// Appends text in ASCII, a backslash before each character that is to be escaped and a dot for what is no text.
fn write_ascii(format: &Format, out: &mut String, octets: &[u8], escaped: fn(char) -> bool) {
    let mut characters = octets.iter().copied().map(char::from).peekable();
    while let Some(c) = characters.next() {
        if escaped(c) {
            out.push('\\');
        }
        let as_it_is = match format.raw_octets {
            // C's commands show a dot here, too, for what moves no cursor.
            true => c.is_ascii() && u8::try_from(c).is_ok_and(is_text),
            false => c.is_ascii() && is_harmless(c, characters.peek().copied()),
        };
        out.push(if as_it_is { c } else { '.' });
    }
}

/// What C's isprint and isspace accept: a string of nothing else is shown as text.
fn is_text(octet: u8) -> bool {
    is_printable(octet) || (b'\t'..=b'\r').contains(&octet)
}

fn is_printable(octet: u8) -> bool {
    octet == b' ' || octet.is_ascii_graphic()
}

/// Whether a character moves the cursor forward or to the next line, and does nothing else.
fn is_harmless(c: char, next: Option<char>) -> bool {
    !c.is_control() || matches!(c, '\t' | '\n') || (c == '\r' && next == Some('\n'))
}
