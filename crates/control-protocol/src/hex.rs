//! Octets as hexadecimal digits, because values of messages contain no NUL.

/// Returns two digits for each octet.
pub(crate) fn encode(octets: &[u8]) -> Vec<u8> {
    let digit = |value: u8| char::from_digit(value.into(), 16).map_or(b'0', |digit| digit as u8);
    octets.iter().flat_map(|octet| [digit(octet >> 4), digit(octet & 0xf)]).collect()
}

/// Returns the octets; `None` if these are not pairs of digits.
pub(crate) fn decode(digits: &[u8]) -> Option<Vec<u8>> {
    let value = |digit: u8| char::from(digit).to_digit(16).and_then(|value| u8::try_from(value).ok());
    let (pairs, rest) = digits.as_chunks::<2>();
    let octets = pairs.iter().map(|[high, low]| Some(value(*high)? << 4 | value(*low)?));
    octets.collect::<Option<_>>().filter(|_| rest.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn octets_are_unchanged_after_encoding_and_decoding() {
        let all: Vec<u8> = (0..=u8::MAX).collect();
        assert_eq!(decode(&encode(&all)), Some(all));
        assert_eq!(encode(&[0, 0xaf]), b"00af");
    }

    #[test]
    fn text_that_is_not_hexadecimal_is_rejected() {
        for text in [&b"0"[..], b"0g", b"+1", b"00 ", b"\xff\xff"] {
            assert_eq!(decode(text), None, "{text:?}");
        }
    }
}
