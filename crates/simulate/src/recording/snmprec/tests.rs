use portreeve_smi::OwnedValue::{self, *};

use super::*;

fn value(line: &str) -> Result<OwnedValue, SyntaxError> {
    instance(line.as_bytes()).map(|(_, value, _)| value)
}

#[test]
fn all_value_types_of_snmprec_lines_are_parsed() {
    for (line, expected) in [
        ("1.3|2|-5", Integer(-5)),
        ("1.3|2x|fffffffb", Integer(-5)),
        ("1.3|4|a|b ", OctetString(b"a|b ".to_vec())),
        ("1.3|4|", OctetString(vec![])),
        ("1.3|4x|00FFa0", OctetString(vec![0, 255, 160])),
        ("1.3|5|", Null),
        (".1.3|6|.1.3.6", ObjectId("1.3.6".parse().unwrap())),
        ("1.3|64|10.0.0.1", IpAddress([10, 0, 0, 1])),
        ("1.3|64x|0a000001", IpAddress([10, 0, 0, 1])),
        ("1.3|65|4294967295", Counter32(u32::MAX)),
        ("1.3|66|7 ", Gauge32(7)),
        ("1.3|67|8", TimeTicks(8)),
        ("1.3|68x|9f7804", Opaque(vec![0x9f, 0x78, 4])),
        ("1.3|70|18446744073709551615", Counter64(u64::MAX)),
    ] {
        assert_eq!(value(line), Ok(expected), "{line}");
    }
}

#[test]
fn invalid_snmprec_line_is_reported_with_expected_syntax() {
    for (line, expected) in [
        ("1.3", SyntaxError::Fields),
        ("1.3|4", SyntaxError::Fields),
        ("x|4|", SyntaxError::Name),
        ("1..3|4|", SyntaxError::Name),
        ("1.3|3|", SyntaxError::Tag),
        ("1.3||5", SyntaxError::Tag),
        ("1.3|3:delay|value=1", SyntaxError::Tag),
        ("1.3|2:sql|system", SyntaxError::Variation),
        ("1.3|:notification|host=127.0.0.1", SyntaxError::Variation),
        ("1.3|2|2147483648", SyntaxError::Number),
        ("1.3|65|-1", SyntaxError::Number),
        ("1.3|65x|ffffffffff", SyntaxError::Number),
        ("1.3|66x|", SyntaxError::Number),
        ("1.3|4x|abc", SyntaxError::Hexadecimal),
        ("1.3|4x|zz", SyntaxError::Hexadecimal),
        ("1.3|6|iso", SyntaxError::ObjectId),
        ("1.3|64|10.0.0", SyntaxError::IpAddress),
        ("1.3|64x|0a0000", SyntaxError::IpAddress),
    ] {
        assert_eq!(value(line), Err(expected), "{line}");
    }
}
