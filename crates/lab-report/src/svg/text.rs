//! Widths of texts, estimated: the fonts of the reader are unknown.

use std::borrow::Cow;

/// Estimates the width of a text in pixels, for a font size in pixels.
///
/// The estimate is that of a wide sans-serif font, so that texts do not overlap.
pub(super) fn width(text: &str, size: f64) -> f64 {
    text.chars().map(character_width).sum::<f64>() * size
}

/// Shortens a text with an ellipsis so that it fits into a width.
pub(super) fn fit(text: &str, size: f64, available: f64) -> Cow<'_, str> {
    if width(text, size) <= available {
        return Cow::Borrowed(text);
    }
    let mut used = character_width('…') * size;
    let mut short = String::new();
    for character in text.chars() {
        used += character_width(character) * size;
        if used > available {
            break;
        }
        short.push(character);
    }
    short.truncate(short.trim_end().len());
    short.push('…');
    Cow::Owned(short)
}

/// Width of a character in ems.
fn character_width(character: char) -> f64 {
    match character {
        'i' | 'j' | 'l' | '.' | ',' | ':' | ';' | '\'' | '|' | '!' => 0.32,
        'f' | 't' | 'r' | '(' | ')' | '[' | ']' | '/' | '-' | '·' => 0.42,
        ' ' | '\u{a0}' => 0.33,
        '\u{202f}' => 0.22,
        'm' | 'w' | 'M' | 'W' | '…' | '%' | '≈' | '→' | '←' => 0.96,
        '0'..='9' | 'a'..='z' | '–' | 'µ' => 0.64,
        'A'..='Z' => 0.72,
        '−' => 0.84,
        '\u{300}'..='\u{36f}' => 0.0,
        _ if character.is_ascii() => 0.66,
        _ if (character as u32) < 0x1100 => 0.72,
        _ => 1.1,
    }
}

#[cfg(test)]
mod tests;
