use portreeve_smi::Value;

use super::{Field, csv, json, value};

fn both(value: Field<'_>) -> (String, String) {
    let (mut one, mut other) = (String::new(), String::new());
    json(&mut one, [(&"value", &value)].into_iter());
    csv(&mut other, &[Field::Nothing, value.clone()]);
    (one, other)
}

#[test]
fn quotes_and_ends_of_lines_cannot_break_a_line() {
    let (json, csv) = both(Field::Text("a \"b\",\n\\".into()));
    assert_eq!(json, "{\"value\":\"a \\\"b\\\",\\n\\\\\"}\n");
    assert_eq!(csv, ",\"a \"\"b\"\",\n\\\"\n");
}

#[test]
fn numbers_that_readers_of_json_would_round_are_strings() {
    assert_eq!(both(value(Value::Counter64(1 << 53)).1).0, "{\"value\":\"9007199254740992\"}\n");
    assert_eq!(both(value(Value::Counter64((1 << 53) - 1)).1).0, "{\"value\":9007199254740991}\n");
}

#[test]
fn octets_that_are_no_text_are_hexadecimal() {
    assert_eq!(both(value(Value::OctetString(&[0, 255])).1).1, ",0x00ff\n");
    assert_eq!(both(value(Value::OctetString(b"\x1b[2J")).1).1, ",0x1b5b324a\n");
}
