//! Formats values by DISPLAY-HINT (RFC 2579 §3.1).

use super::{OutputFormat, text::write_text};
use crate::display_hint::OctetPart;

/// Appends a string in the format of its hint. The last part of the hint applies to all remaining
/// octets.
pub(super) fn write_octets(format: &OutputFormat, out: &mut String, hint: &str, octets: &[u8]) {
    let mut rest = octets;
    let mut hint = hint;
    let mut part = OctetPart::take_first(&mut hint);
    while !rest.is_empty() {
        let mut count = 1;
        if part.repeated {
            let Some((first, others)) = rest.split_first() else { return };
            count = usize::from(*first);
            rest = others;
        }
        for repetition in 1..=count {
            if rest.is_empty() {
                break;
            }
            let (chunk, others) = rest.split_at(part.width.min(rest.len()));
            rest = others;
            write_chunk(format, out, &part, chunk);
            // The terminator replaces the last separator.
            let mark = if repetition == count { part.terminator.or(part.separator) } else { part.separator };
            if !rest.is_empty() {
                out.extend(mark);
            }
        }
        if !hint.is_empty() {
            part = OctetPart::take_first(&mut hint);
        } else if part.width == 0 {
            // A last part of width 0 would be repeated forever.
            return;
        }
    }
}

/// Appends an integer in the format of its hint: `d`, `d-2`, `x`, `o` or `b`. A number of decimals
/// above 255 is ignored, because a hint from a file may contain any number.
pub(super) fn write_integer(out: &mut String, hint: &str, number: i64) {
    let (form, decimals) = hint.split_once('-').unwrap_or((hint, ""));
    *out += &match form {
        "x" => format!("{number:x}"),
        "o" => format!("{number:o}"),
        "b" => format!("{number:b}"),
        _ => match decimals.parse::<u8>() {
            Ok(decimals) => shifted(number, usize::from(decimals)),
            Err(_) => number.to_string(),
        },
    };
}

/// Moves the decimal point of a number to the left. Like Net-SNMP, prints no zero before the point.
fn shifted(number: i64, decimals: usize) -> String {
    let digits = format!("{:0>decimals$}", number.unsigned_abs());
    let (whole, fraction) = digits.split_at_checked(digits.len() - decimals).unwrap_or((&digits, ""));
    let sign = if number < 0 { "-" } else { "" };
    if fraction.is_empty() { format!("{sign}{whole}") } else { format!("{sign}{whole}.{fraction}") }
}

fn write_chunk(format: &OutputFormat, out: &mut String, part: &OctetPart, chunk: &[u8]) {
    if matches!(part.form, 'a' | 't') {
        write_text(format, out, chunk);
        return;
    }
    let number = chunk.iter().fold(0u64, |number, octet| (number << 8) | u64::from(*octet));
    *out += &match part.form {
        // Only single octets are padded to two digits, not numbers of several octets.
        'x' if format.two_digit_hex && part.width == 1 => format!("{number:02x}"),
        'x' => format!("{number:x}"),
        'o' => format!("{number:o}"),
        _ => number.to_string(),
    };
}
