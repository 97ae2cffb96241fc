//! Appends numbers and object identifiers. Receivers of notifications print millions of them, and
//! the standard formatting takes several times as long.

/// Appends an unsigned number in decimal.
pub fn push_number(out: &mut String, number: u64) {
    // Most arcs have one digit.
    if let Some(digit) = u32::try_from(number).ok().and_then(|number| char::from_digit(number, 10)) {
        return out.push(digit);
    }
    let mut digits = [0; MAX_DIGITS];
    let (mut rest, mut start) = (number, digits.len());
    for digit in digits.iter_mut().rev() {
        // A remainder of division by 10 fits in an octet.
        *digit = b'0' + (rest % 10) as u8;
        rest /= 10;
        start -= 1;
        if rest == 0 {
            break;
        }
    }
    let digits = digits.get(start..).unwrap_or_default();
    // All digits are ASCII.
    out.push_str(str::from_utf8(digits).unwrap_or_default());
}

/// Appends a number with a minus sign if it is negative.
pub(super) fn push_signed(out: &mut String, number: i64) {
    if number < 0 {
        out.push('-');
    }
    push_number(out, number.unsigned_abs());
}

/// Appends a number with at least two digits.
pub(super) fn push_two_digits(out: &mut String, number: u32) {
    if number < 10 {
        out.push('0');
    }
    push_number(out, number.into());
}

/// Appends arcs in dotted decimal, each with a dot before it.
pub(super) fn push_arcs(out: &mut String, arcs: &[u32]) {
    for arc in arcs {
        out.push('.');
        push_number(out, (*arc).into());
    }
}

/// The number of digits of the largest number.
const MAX_DIGITS: usize = 20;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_printed_in_decimal() {
        for number in [0, 1, 9, 10, 99, 100, 4_294_967_295, u64::MAX - 1, u64::MAX] {
            let mut out = String::from("n");
            push_number(&mut out, number);
            assert_eq!(out, format!("n{number}"));
        }
        for number in [0, -1, 7, i64::MAX, i64::MIN] {
            let mut out = String::new();
            push_signed(&mut out, number);
            assert_eq!(out, number.to_string());
        }
        for (number, text) in [(0, "00"), (9, "09"), (10, "10"), (100, "100")] {
            let mut out = String::new();
            push_two_digits(&mut out, number);
            assert_eq!(out, text);
        }
    }

    #[test]
    fn each_arc_has_a_dot_before_it() {
        for (arcs, text) in [(&[][..], ""), (&[0], ".0"), (&[1, 3, u32::MAX], ".1.3.4294967295")] {
            let mut out = String::new();
            push_arcs(&mut out, arcs);
            assert_eq!(out, text);
        }
    }
}
