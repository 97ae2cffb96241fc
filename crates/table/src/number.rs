//! Numbers as cells of a table.

/// Formats a whole number with spaces between thousands.
#[must_use]
pub fn grouped(number: f64) -> String {
    let digits = format!("{number:.0}");
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(' ');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::grouped;

    #[test]
    fn digits_of_large_numbers_are_grouped_with_spaces() {
        let cases =
            [(0.0, "0"), (999.4, "999"), (1000.0, "1 000"), (281_700.0, "281 700"), (1e6, "1 000 000")];
        for (number, text) in cases {
            assert_eq!(grouped(number), text);
        }
    }
}
