//! Escapes text for HTML and SVG. Texts contain output of programs and can be hostile.

use std::fmt::Write;

/// Appends `text` so that it can stand between tags and in a quoted attribute.
///
/// Control characters, characters that change the direction of text, and code points that XML
/// forbids are replaced by U+FFFD. Line feeds and tabs remain.
pub(crate) fn push_escaped(target: &mut String, text: &str) {
    for character in text.chars() {
        match character {
            '&' => target.push_str("&amp;"),
            '<' => target.push_str("&lt;"),
            '>' => target.push_str("&gt;"),
            '"' => target.push_str("&quot;"),
            '\'' => target.push_str("&#39;"),
            _ => target.push(visible(character)),
        }
    }
}

/// Returns the escaped text.
pub(crate) fn escaped(text: &str) -> String {
    let mut target = String::with_capacity(text.len());
    push_escaped(&mut target, text);
    target
}

/// Returns the character, or U+FFFD in place of one that is invisible or not allowed.
pub(crate) fn visible(character: char) -> char {
    match character {
        '\n' | '\t' => character,
        '\u{200b}'..='\u{200f}'
        | '\u{2028}'..='\u{202e}'
        | '\u{2066}'..='\u{2069}'
        | '\u{feff}'
        | '\u{fffe}'
        | '\u{ffff}' => '\u{fffd}',
        _ if character.is_control() => '\u{fffd}',
        _ => character,
    }
}

/// Appends formatted text. Writing to a string does not fail.
macro_rules! push {
    ($target:expr, $($format:tt)*) => {
        $crate::escape::append(&mut $target, format_args!($($format)*))
    };
}
pub(crate) use push;

pub(crate) fn append(target: &mut String, text: std::fmt::Arguments<'_>) {
    let _ = target.write_fmt(text);
}

#[cfg(test)]
mod tests;
