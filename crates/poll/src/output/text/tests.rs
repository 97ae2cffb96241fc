use portreeve_smi::Value;

use super::{Field, push_csv, push_json, value};

fn both(value: Field<'_>) -> (String, String) {
    let (mut one, mut other) = (String::new(), String::new());
    push_json(&mut one, [(&"value", &value)].into_iter());
    push_csv(&mut other, &[Field::Nothing, value.clone()]);
    (one, other)
}

#[test]
fn text_with_quotes_and_newlines_is_quoted_in_json_and_csv() {
    let (push_json, push_csv) = both(Field::Text("a \"b\",\n\\".into()));
    assert_eq!(push_json, "{\"value\":\"a \\\"b\\\",\\n\\\\\"}\n");
    assert_eq!(push_csv, ",\"a \"\"b\"\",\n\\\"\n");
}

#[test]
fn json_numbers_beyond_53_bits_are_strings() {
    assert_eq!(both(value(Value::Counter64(1 << 53)).1).0, "{\"value\":\"9007199254740992\"}\n");
    assert_eq!(both(value(Value::Counter64((1 << 53) - 1)).1).0, "{\"value\":9007199254740991}\n");
}

#[test]
fn review_l5_csv_text_that_looks_like_a_formula_is_prefixed_with_quote() {
    for text in ["=1+1", "+1+1", "-1+1", "@SUM(A1)", "\t=1", " =1"] {
        let (_, csv) = both(Field::Text(text.into()));
        assert!(csv.starts_with(",'") || csv.starts_with(",\"'"), "{csv}");
    }
    assert_eq!(both(value(Value::Integer(-5)).1).1, ",-5\n");
}

#[test]
fn review_l4_text_with_display_controls_is_written_in_hexadecimal() {
    assert_eq!(both(value(Value::OctetString("a\u{202e}b".as_bytes())).1).1, ",0x61e280ae62\n");
}

#[test]
fn octets_that_are_not_text_are_written_in_hexadecimal() {
    assert_eq!(both(value(Value::OctetString(&[0, 255])).1).1, ",0x00ff\n");
    assert_eq!(both(value(Value::OctetString(b"\x1b[2J")).1).1, ",0x1b5b324a\n");
}
