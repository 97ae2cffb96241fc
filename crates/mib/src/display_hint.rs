//! The parts of a DISPLAY-HINT for strings (RFC 2579 §3.1).

/// One part of a DISPLAY-HINT, such as `1x:`.
#[derive(Clone, Copy)]
pub(crate) struct OctetPart {
    /// True if the first octet contains the repeat count of the part.
    pub(crate) repeated: bool,
    /// The number of octets in each number or piece of text, at most [`MAX_WIDTH`].
    pub(crate) width: usize,
    /// The form of the octets: `x` for hexadecimal, `d` for decimal, `o` for octal, `a` for ASCII
    /// or `t` for UTF-8.
    pub(crate) form: char,
    /// The character between this part and the next.
    pub(crate) separator: Option<char>,
    /// The character that replaces the last separator of a repeated part.
    pub(crate) terminator: Option<char>,
}

impl OctetPart {
    /// Removes the first part from a hint and returns it.
    pub(crate) fn take_first(hint: &mut &str) -> Self {
        let repeated = take_if(hint, |c| c == '*').is_some();
        let digits = hint.len() - hint.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        let (width, rest) = hint.split_at(digits);
        *hint = rest;
        // The text contains only digits, so parsing fails only if the number is too large.
        let width = if width.is_empty() { 1 } else { width.parse().unwrap_or(MAX_WIDTH).min(MAX_WIDTH) };
        let form = take_if(hint, |_| true).unwrap_or('x');
        let is_mark = |c: char| c != '*' && !c.is_ascii_digit();
        let separator = take_if(hint, is_mark);
        let terminator = if separator.is_some() { take_if(hint, is_mark) } else { None };
        Self { repeated, width, form, separator, terminator }
    }
}

fn take_if(hint: &mut &str, accept: impl Fn(char) -> bool) -> Option<char> {
    let mut characters = hint.chars();
    let first = characters.next().filter(|c| accept(*c))?;
    *hint = characters.as_str();
    Some(first)
}

/// The maximum length of a string (RFC 2578 §7.1.2).
const MAX_WIDTH: usize = 65_535;
