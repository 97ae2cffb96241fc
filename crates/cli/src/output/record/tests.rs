use portreeve_mib::format::OutputFormat;

use super::*;

const SYS_DESCR: &[u32] = &[1, 3, 6, 1, 2, 1, 1, 1, 0];
const IF_ADMIN_STATUS: &[u32] = &[1, 3, 6, 1, 2, 1, 2, 2, 1, 7, 3];

fn written(data: DataFormat, name: &[u32], value: &Value<'_>) -> String {
    let mut out = String::new();
    push_variable(&mut out, data, OutputFormat::default(), name, value);
    out
}

#[test]
fn review_l5_csv_text_that_looks_like_a_formula_is_prefixed_with_quote() {
    for text in ["=cmd|'/c calc'!A0", "+1+1", "-1+1", "@SUM(A1)"] {
        let line = written(DataFormat::Csv, SYS_DESCR, &Value::OctetString(text.as_bytes()));
        assert!(line.contains(&format!(",'{text},")), "{line}");
        let json = written(DataFormat::Json, SYS_DESCR, &Value::OctetString(text.as_bytes()));
        assert!(json.contains(&format!("\"{text}\"")), "{json}");
    }
    assert!(written(DataFormat::Csv, SYS_DESCR, &Value::Integer(-5)).ends_with(",Integer32,-5,"));
    assert!(written(DataFormat::Csv, SYS_DESCR, &Value::OctetString(b"-5")).ends_with(",OctetString,-5,"));
}

#[test]
fn review_l4_text_with_display_controls_is_written_in_hexadecimal() {
    for data in [DataFormat::Json, DataFormat::Csv] {
        for text in ["a\u{202e}b", "a\rb", "a\u{85}b", "a\u{1b}b"] {
            let line = written(data, SYS_DESCR, &Value::OctetString(text.as_bytes()));
            assert!(line.contains("0x61"), "{line:?}");
        }
    }
}

#[test]
fn variable_is_written_as_json_object_or_csv_line() {
    let value = Value::OctetString(b"say \"hi\", you");
    assert_eq!(
        written(DataFormat::Json, SYS_DESCR, &value),
        r#"{"oid":".1.3.6.1.2.1.1.1.0","name":"SNMPv2-MIB::sysDescr.0","type":"OctetString","value":"say \"hi\", you"}"#
    );
    assert_eq!(
        written(DataFormat::Csv, SYS_DESCR, &value),
        ".1.3.6.1.2.1.1.1.0,SNMPv2-MIB::sysDescr.0,OctetString,\"say \"\"hi\"\", you\","
    );
    assert!(
        written(DataFormat::Json, IF_ADMIN_STATUS, &Value::Integer(1))
            .ends_with(r#""value":1,"label":"up"}"#)
    );
    assert!(written(DataFormat::Csv, IF_ADMIN_STATUS, &Value::Integer(1)).ends_with("Integer32,1,up"));
    assert!(
        written(DataFormat::Json, SYS_DESCR, &Value::NoSuchObject)
            .ends_with(r#""noSuchObject","value":null}"#)
    );
}

#[test]
fn octets_that_are_not_text_are_written_as_hex_string_in_json() {
    assert_eq!(json_value(&Value::OctetString(&[0x1b, b'[', b'2', b'J'])), "\"0x1b5b324a\"");
    assert_eq!(json_value(&Value::OctetString(&[0xff, 0])), "\"0xff00\"");
    assert_eq!(json_value(&Value::OctetString("ä\n\t".as_bytes())), "\"ä\\n\\u0009\"");
    assert_eq!(json_value(&Value::Counter64(u64::MAX)), u64::MAX.to_string());
}
