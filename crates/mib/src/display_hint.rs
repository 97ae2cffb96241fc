//! The parts of a DISPLAY-HINT for strings (RFC 2579 §3.1), split as by Net-SNMP.

/// One part of a DISPLAY-HINT, such as `1x:`.
#[derive(Clone, Copy)]
pub(crate) struct OctetPart {
    /// True if the first octet contains the repeat count of the part.
    pub(crate) repeated: bool,
    /// The number of octets in each number or piece of text, at most [`MAX_WIDTH`]. It is 0 only if
    /// the part is text that adds its separator and is followed by another part, such as `0a[`.
    pub(crate) width: usize,
    /// The form of the octets: `x` for hexadecimal, `d` for decimal, `o` for octal, `a` for ASCII
    /// or `t` for UTF-8. Any other character is an error in the hint.
    pub(crate) form: char,
    /// The character after each number or piece of text, except after the last octet.
    pub(crate) separator: Option<char>,
    /// The character after the last separator of a repeated part.
    pub(crate) terminator: Option<char>,
}

impl OctetPart {
    /// The part that an empty hint stands for.
    pub(crate) const DECIMAL: Self =
        Self { repeated: false, width: 1, form: 'd', separator: None, terminator: None };

    /// Removes the first part from a hint and returns it.
    pub(crate) fn take_first(hint: &mut &str) -> Self {
        let repeated = take_if(hint, |c| c == '*').is_some();
        let digits = hint.len() - hint.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        let (width, rest) = hint.split_at(digits);
        *hint = rest;
        // The text contains only digits, so parsing fails only if the number is too large.
        let width = if width.is_empty() { 0 } else { width.parse().unwrap_or(MAX_WIDTH).min(MAX_WIDTH) };
        let form = take_if(hint, |_| true).unwrap_or_default();
        let is_mark = |c: char| c != '*' && !c.is_ascii_digit();
        let separator = take_if(hint, is_mark);
        let terminator = if separator.is_some() { take_if(hint, is_mark) } else { None };
        let is_literal = !repeated && matches!(form, 'a' | 't') && digits > 0 && !hint.is_empty();
        let width = if is_literal { width } else { width.max(1) };
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
