//! Parses strings in the format of their DISPLAY-HINT (RFC 2579 §3.1).

use crate::display_hint::OctetPart;

/// Returns the octets that `text` represents; `None` if it does not have the format of the hint.
pub(super) fn parse(hint: &str, text: &str) -> Option<Vec<u8>> {
    let mut octets = Vec::new();
    let mut rest = text;
    let mut hint = hint;
    let mut part = OctetPart::take_first(&mut hint);
    while !rest.is_empty() {
        let before = rest.len();
        match part.form {
            // A repeated part cannot be parsed, because the text does not contain its repeat count.
            _ if part.repeated => return None,
            'a' | 't' => {
                let (chunk, others) = rest.split_at(boundary(rest, part.width));
                octets.extend_from_slice(chunk.as_bytes());
                rest = others;
            }
            'x' | 'd' | 'o' => octets.extend(number(&mut rest, part.form, part.width)?),
            _ => return None,
        }
        if let Some(separator) = part.separator.filter(|_| !rest.is_empty()) {
            rest = rest.strip_prefix(separator)?;
            // A separator must be followed by more text.
            if rest.is_empty() {
                return None;
            }
        }
        if hint.is_empty() {
            if rest.len() == before {
                return None;
            }
        } else {
            part = OctetPart::take_first(&mut hint);
        }
    }
    Some(octets)
}

/// Removes a number from the text and returns it in `width` octets.
fn number(rest: &mut &str, form: char, width: usize) -> Option<Vec<u8>> {
    let radix = match form {
        'x' => 16,
        'o' => 8,
        _ => 10,
    };
    // Without a separator, two hexadecimal digits are one octet.
    let max_digits = if form == 'x' { 2 * width } else { usize::MAX };
    let digits = rest.chars().take(max_digits).take_while(|c| c.is_digit(radix)).count();
    let (digits, others) = rest.split_at_checked(digits)?;
    *rest = others;
    let number = u64::from_str_radix(digits, radix).ok()?;
    let octets = number.to_be_bytes();
    let (zeros, content) = octets.split_at_checked(octets.len().checked_sub(width)?)?;
    zeros.iter().all(|zero| *zero == 0).then(|| content.to_vec())
}

/// Returns the last character boundary within the first `width` octets.
fn boundary(text: &str, width: usize) -> usize {
    (0..=width.min(text.len())).rev().find(|place| text.is_char_boundary(*place)).unwrap_or_default()
}
