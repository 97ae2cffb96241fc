//! Formats values by DISPLAY-HINT (RFC 2579 §3.1).

use super::{
    OutputFormat,
    text::{write_escaped, write_text},
};
use crate::display_hint::OctetPart;

/// Appends a string in the format of its hint. The last part of the hint applies to all remaining
/// octets.
///
/// Like Net-SNMP, reads the repeat count of a part only once, and prints the terminator of a
/// repeated part after the separator, not instead of it.
///
/// # Errors
/// [`InvalidHintError`] if the hint has an unknown form. The output is then incomplete.
pub(super) fn write_octets(
    format: &OutputFormat,
    out: &mut String,
    hint: &str,
    octets: &[u8],
) -> Result<(), InvalidHintError> {
    let (mut rest, mut hint) = (octets, hint);
    let mut part = OctetPart::DECIMAL;
    while !rest.is_empty() {
        let mut count = 1;
        if !hint.is_empty() {
            part = OctetPart::take_first(&mut hint);
            if let Some((first, others)) = rest.split_first().filter(|_| part.repeated) {
                count = usize::from(*first);
                rest = others;
            }
        }
        for _ in 0..count {
            if rest.is_empty() {
                break;
            }
            let (chunk, others) = rest.split_at(part.width.min(rest.len()));
            rest = others;
            write_chunk(format, out, &part, hint.is_empty(), chunk)?;
            if !rest.is_empty() {
                out.extend(part.separator);
            }
        }
        if !rest.is_empty() {
            out.extend(part.terminator);
        }
    }
    Ok(())
}

/// A DISPLAY-HINT with an unknown form.
#[derive(Debug)]
pub(super) struct InvalidHintError;

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

fn write_chunk(
    format: &OutputFormat,
    out: &mut String,
    part: &OctetPart,
    is_last_part: bool,
    chunk: &[u8],
) -> Result<(), InvalidHintError> {
    let number = || chunk.iter().fold(0u64, |number, octet| (number << 8) | u64::from(*octet));
    // Only single octets are padded to two digits, not numbers of several octets. Without a
    // separator, the boundaries of unpadded octets would be lost.
    let is_ambiguous = is_last_part && part.separator.is_none();
    match part.form {
        // Net-SNMP copies text unchanged unless it contains a NUL.
        'a' | 't' if chunk.contains(&0) => write_escaped(format, out, chunk),
        'a' | 't' => write_text(format, out, chunk),
        'x' if part.width == 1 && (format.two_digit_hex || is_ambiguous) => {
            *out += &format!("{:02x}", number());
        }
        'x' => *out += &format!("{:x}", number()),
        'o' => *out += &format!("{:o}", number()),
        'd' => *out += &number().to_string(),
        _ => return Err(InvalidHintError),
    }
    Ok(())
}
