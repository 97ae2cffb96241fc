//! Formats text from devices so that it cannot control the terminal.

use portreeve_smi::controls_display;

use super::{OctetForm, OutputFormat, raw};

/// Appends UTF-8 text; dots replace invalid UTF-8 and characters that control the display, unless
/// the format preserves them.
pub(super) fn write_text(format: &OutputFormat, out: &mut String, octets: &[u8]) {
    if format.octets == OctetForm::Raw {
        return raw::write(out, octets);
    }
    let preserves_octets = format.octets == OctetForm::NoControls;
    for chunk in octets.utf8_chunks() {
        let mut characters = chunk.valid().chars().peekable();
        while let Some(c) = characters.next() {
            let is_unchanged = match preserves_octets {
                true => !controls_display(c) || is_ascii_text(c),
                // This character would be converted to an octet.
                false => is_harmless(c, characters.peek().copied()) && !raw::is_placeholder(c),
            };
            match is_unchanged {
                true => raw::write_char(out, c),
                false => out.push('.'),
            }
        }
        for &octet in chunk.invalid() {
            match preserves_octets && !EIGHT_BIT_CONTROLS.contains(&octet) {
                true => raw::write_octet(out, octet),
                false => out.push('.'),
            }
        }
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
        let is_unchanged = match format.octets {
            // As in Net-SNMP's commands, a dot replaces every character that is not text.
            OctetForm::Raw | OctetForm::NoControls => is_ascii_text(c),
            OctetForm::Printable => c.is_ascii() && is_harmless(c, characters.peek().copied()),
        };
        out.push(if is_unchanged { c } else { '.' });
    }
}

/// Returns true for characters that C's isprint or isspace accept. A string that contains only such
/// characters is printed as text.
pub(super) fn is_text(octet: u8) -> bool {
    is_printable(octet) || (b'\t'..=b'\r').contains(&octet)
}

fn is_ascii_text(c: char) -> bool {
    c.is_ascii() && u8::try_from(c).is_ok_and(is_text)
}

fn is_printable(octet: u8) -> bool {
    octet == b' ' || octet.is_ascii_graphic()
}

/// Returns true if a character only moves the cursor forward or to the next line.
fn is_harmless(c: char, next: Option<char>) -> bool {
    !controls_display(c) || matches!(c, '\t' | '\n') || (c == '\r' && next == Some('\n'))
}

/// Control characters in the 8-bit character sets of ISO 8859.
const EIGHT_BIT_CONTROLS: std::ops::RangeInclusive<u8> = 0x80..=0x9f;
