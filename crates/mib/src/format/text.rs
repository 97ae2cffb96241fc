//! Formats text from devices so that it cannot control the terminal.

use portreeve_smi::controls_display;

use super::{OutputFormat, raw};

/// Appends UTF-8 text; dots replace invalid UTF-8 and characters that control the display.
pub(super) fn write_text(format: &OutputFormat, out: &mut String, octets: &[u8]) {
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

/// Appends ASCII text; quotes and backslashes are escaped.
pub(super) fn write_escaped(format: &OutputFormat, out: &mut String, octets: &[u8]) {
    write_ascii(format, out, octets, |c| matches!(c, '"' | '\\'));
}

/// Appends ASCII text; a backslash precedes each character to escape, and dots replace unprintable
/// characters.
pub(super) fn write_ascii(format: &OutputFormat, out: &mut String, octets: &[u8], escaped: fn(char) -> bool) {
    let mut characters = octets.iter().copied().map(char::from).peekable();
    while let Some(c) = characters.next() {
        if escaped(c) {
            out.push('\\');
        }
        let is_unchanged = match format.raw_octets {
            // As in Net-SNMP's commands, a dot replaces every character that is not text.
            true => c.is_ascii() && u8::try_from(c).is_ok_and(is_text),
            false => c.is_ascii() && is_harmless(c, characters.peek().copied()),
        };
        out.push(if is_unchanged { c } else { '.' });
    }
}

/// Returns true for characters that C's isprint or isspace accept. A string that contains only such
/// characters is printed as text.
pub(super) fn is_text(octet: u8) -> bool {
    is_printable(octet) || (b'\t'..=b'\r').contains(&octet)
}

fn is_printable(octet: u8) -> bool {
    octet == b' ' || octet.is_ascii_graphic()
}

/// Returns true if a character only moves the cursor forward or to the next line.
fn is_harmless(c: char, next: Option<char>) -> bool {
    !controls_display(c) || matches!(c, '\t' | '\n') || (c == '\r' && next == Some('\n'))
}
