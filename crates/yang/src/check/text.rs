//! The forms of names and texts.

use crate::{MAX_NAME, MAX_STRING};

/// Returns whether a text is an identifier (RFC 7950 §6.2) of an acceptable length.
pub(super) fn is_identifier(text: &str) -> bool {
    let mut octets = text.bytes();
    let starts_well = octets.next().is_some_and(|first| first.is_ascii_alphabetic() || first == b'_');
    starts_well
        && text.len() <= MAX_NAME
        && octets.all(|octet| octet.is_ascii_alphanumeric() || matches!(octet, b'_' | b'-' | b'.'))
}

/// Returns whether a text is a date as revisions have it, or empty.
pub(super) fn is_revision(text: &str) -> bool {
    let is_date = || {
        text.len() == 10
            && text.bytes().enumerate().all(|(index, octet)| match index {
                4 | 7 => octet == b'-',
                _ => octet.is_ascii_digit(),
            })
    };
    text.is_empty() || is_date()
}

/// Returns whether XML can hold a text (XML 1.0 §2.2), so that a reply with it is well-formed.
pub(super) fn is_xml_text(text: &str) -> bool {
    text.chars().all(|character| {
        matches!(character, '\t' | '\n' | '\r' | ' '..='\u{d7ff}' | '\u{e000}'..='\u{fffd}' | '\u{10000}'..)
    })
}

/// Returns whether a text is short enough and XML can hold it.
pub(super) fn is_value(text: &str) -> bool {
    text.len() <= MAX_STRING && is_xml_text(text)
}
