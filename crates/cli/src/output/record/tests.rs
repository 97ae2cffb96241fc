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
fn variable_is_written_as_json_and_csv() {
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
fn binary_and_control_octets_are_written_in_hex() {
    assert_eq!(json_value(&Value::OctetString(&[0x1b, b'[', b'2', b'J'])), "\"0x1b5b324a\"");
    assert_eq!(json_value(&Value::OctetString(&[0xff, 0])), "\"0xff00\"");
    assert_eq!(json_value(&Value::OctetString("ä\n\t".as_bytes())), "\"ä\\n\\u0009\"");
    assert_eq!(json_value(&Value::Counter64(u64::MAX)), u64::MAX.to_string());
}
