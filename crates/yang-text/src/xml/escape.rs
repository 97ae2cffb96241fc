//! Escapes texts so that a reader sees exactly the same characters.

/// Appends a text between tags. `>` is always escaped, so that `]]>` cannot occur, also if a text
/// is written in pieces.
pub(crate) fn append_text(text: &str, out: &mut Vec<u8>) {
    append(text, |octet| matches!(octet, b'<' | b'&' | b'>' | b'\r'), out);
}

/// Appends the value of an attribute, which is written in quotation marks.
pub(crate) fn append_value(text: &str, out: &mut Vec<u8>) {
    append(text, |octet| matches!(octet, b'<' | b'&' | b'>' | b'"' | b'\r' | b'\n' | b'\t'), out);
}

/// Appends `text` with the octets escaped for which `is_special` returns true.
fn append(text: &str, is_special: impl Fn(u8) -> bool, out: &mut Vec<u8>) {
    let octets = text.as_bytes();
    // Most texts need no escapes. The loop has no branch for single octets, so that the compiler
    // compares many at once.
    if !octets.iter().fold(false, |found, octet| found | is_special(*octet)) {
        out.extend_from_slice(octets);
        return;
    }
    let mut rest = octets;
    while let Some(length) = rest.iter().position(|octet| is_special(*octet)) {
        let (plain, special) = rest.split_at(length);
        out.extend_from_slice(plain);
        rest = match special.split_first() {
            Some((octet, rest)) => {
                out.extend_from_slice(escaped(*octet));
                rest
            }
            None => &[],
        };
    }
    out.extend_from_slice(rest);
}

/// Returns the reference to a special character. White space is a reference where a reader would
/// normalize it.
fn escaped(octet: u8) -> &'static [u8] {
    match octet {
        b'<' => b"&lt;",
        b'>' => b"&gt;",
        b'&' => b"&amp;",
        b'"' => b"&quot;",
        b'\t' => b"&#9;",
        b'\n' => b"&#10;",
        _ => b"&#13;",
    }
}
