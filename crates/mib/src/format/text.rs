//! Somebody else's text, on its way to a terminal that it must not steer.

use super::{OutputFormat, raw};

/// Appends text in UTF-8, with a dot for whatever could steer a terminal or is no UTF-8.
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

/// Appends text in ASCII with its quotes and backslashes escaped.
pub(super) fn write_escaped(format: &OutputFormat, out: &mut String, octets: &[u8]) {
    write_ascii(format, out, octets, |c| matches!(c, '"' | '\\'));
}

/// Appends text in ASCII, a backslash before each character that is to be escaped and a dot for what is no text.
pub(super) fn write_ascii(format: &OutputFormat, out: &mut String, octets: &[u8], escaped: fn(char) -> bool) {
    let mut characters = octets.iter().copied().map(char::from).peekable();
    while let Some(c) = characters.next() {
        if escaped(c) {
            out.push('\\');
        }
        let is_unchanged = match format.raw_octets {
            // C's commands show a dot here, too, for what moves no cursor.
            true => c.is_ascii() && u8::try_from(c).is_ok_and(is_text),
            false => c.is_ascii() && is_harmless(c, characters.peek().copied()),
        };
        out.push(if is_unchanged { c } else { '.' });
    }
}

/// What C's isprint and isspace accept: a string of nothing else is shown as text.
pub(super) fn is_text(octet: u8) -> bool {
    is_printable(octet) || (b'\t'..=b'\r').contains(&octet)
}

fn is_printable(octet: u8) -> bool {
    octet == b' ' || octet.is_ascii_graphic()
}

/// Whether a character moves the cursor forward or to the next line, and does nothing else.
fn is_harmless(c: char, next: Option<char>) -> bool {
    !c.is_control() || matches!(c, '\t' | '\n') || (c == '\r' && next == Some('\n'))
}
