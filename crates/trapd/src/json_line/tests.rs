use portreeve_smi::{
    EngineId, OidRef, SecurityLevel, SecurityModel, TransportAddress, TransportDomain, Value,
};
use portreeve_snmp_message::VarBinds;

use super::*;
use crate::samples::{cold_start, encode, notification, trap_v1, variables};

const COLD_START: &[u32] = &[1, 3, 6, 1, 6, 3, 1, 1, 5, 1];

fn details<'a>() -> MessageDetails<'a> {
    MessageDetails {
        domain: TransportDomain::Udp,
        source: TransportAddress::Ip("192.0.2.7:40000".parse().unwrap()),
        security_model: SecurityModel::SNMP_V2C,
        security_name: b"community-1",
        security_level: SecurityLevel::NoAuthNoPriv,
        security_engine_id: None,
        context_engine_id: None,
        context_name: b"",
        sys_up_time: 123_456,
        snmp_trap_oid: COLD_START,
    }
}

fn line(notification: &Notification<'_>, details: &MessageDetails<'_>, with_community: bool) -> String {
    let mut out = String::new();
    let options = JsonOptions { with_community };
    write_json_line(&mut out, notification, details, &OutputFormat::default(), options);
    out
}

/// Returns the list of variables for one variable.
fn variable(name: &[u32], value: Value<'_>) -> String {
    let octets = encode(&[(name, value)]);
    let trap = notification(NotificationKind::Trap(variables(&octets)), MessageProcessingModel::V2c);
    let line = line(&trap, &details(), false);
    line.split_once("\"variables\":").unwrap().1.trim_end().strip_suffix('}').unwrap().to_owned()
}

#[test]
fn trap_is_one_object_in_one_line() {
    let octets = cold_start();
    let trap = notification(NotificationKind::Trap(variables(&octets)), MessageProcessingModel::V2c);
    let expected = concat!(
        r#"{"time":"2026-03-06T23:02:03Z","kind":"trap","version":"v2c","transport":"udp","#,
        r#""source":"192.0.2.7:40000","security-model":"v2c","security-name":"community-1","#,
        r#""security-level":"noAuthNoPriv","security-engine-id":null,"context-engine-id":null,"#,
        r#""context-name":"","uptime":123456,"trap-oid":".1.3.6.1.6.3.1.1.5.1","#,
        r#""trap-name":"SNMPv2-MIB::coldStart","v1":null,"variables":["#,
        r#"{"oid":".1.3.6.1.2.1.1.3.0","name":"SNMPv2-MIB::sysUpTime.0","type":"TimeTicks","value":123456},"#,
        r#"{"oid":".1.3.6.1.6.3.1.1.4.1.0","name":"SNMPv2-MIB::snmpTrapOID.0","type":"ObjectIdentifier","#,
        r#""value":".1.3.6.1.6.3.1.1.5.1"}]}"#,
        "\n"
    );
    assert_eq!(line(&trap, &details(), false), expected);
}

#[test]
fn inform_of_a_user_has_engine_ids() {
    let octets = cold_start();
    let kind = NotificationKind::Inform(variables(&octets));
    let mut inform = notification(kind, MessageProcessingModel::V3);
    let model = SecurityModel::USM;
    inform.security = Security::User { model, name: b"traps", context_name: b"c\xff" };
    let engine_id: EngineId = "0x8000000001020304".parse().unwrap();
    let details = MessageDetails {
        domain: TransportDomain::Tcp,
        source: TransportAddress::Local { uid: 1000 },
        security_model: model,
        security_name: b"traps",
        security_level: SecurityLevel::AuthPriv,
        security_engine_id: Some(engine_id),
        context_engine_id: Some(engine_id),
        context_name: b"c\xff",
        ..details()
    };
    let line = line(&inform, &details, true);
    let expected = concat!(
        r#""kind":"inform","version":"v3","transport":"tcp","source":"uid 1000","security-model":"usm","#,
        r#""security-name":"traps","security-level":"authPriv","security-engine-id":"0x8000000001020304","#,
        r#""context-engine-id":"0x8000000001020304","context-name":"0x63ff","uptime":123456,"#
    );
    assert!(line.contains(expected), "{line}");
}

#[test]
fn community_is_written_only_on_request() {
    let trap = notification(NotificationKind::Trap(VarBinds::default()), MessageProcessingModel::V2c);
    assert!(!line(&trap, &details(), false).contains("public"));
    let with = line(&trap, &details(), true);
    assert!(
        with.contains(r#""security-level":"noAuthNoPriv","community":"public","security-engine-id""#),
        "{with}"
    );
}

#[test]
fn v1_trap_has_its_own_fields() {
    let trap = trap_v1(6, -17, 123_456, VarBinds::default());
    let line = line(&trap, &details(), false);
    let expected = concat!(
        r#""v1":{"enterprise":".1.3.6.1.4.1.8072.9","agent-address":"192.0.2.7","generic":6,"specific":-17},"#,
        r#""variables":[]}"#
    );
    assert!(line.ends_with(&format!("{expected}\n")), "{line}");
    assert!(line.contains(r#""kind":"trap","version":"v1","#), "{line}");
}

#[test]
fn values_have_their_type_and_form() {
    const OTHER: &[u32] = &[1, 3, 6, 1, 4, 1, 99999, 1];
    let name = r#"{"oid":".1.3.6.1.4.1.99999.1","name":"SNMPv2-SMI::enterprises.99999.1","#;
    for (value, expected) in [
        (Value::Integer(-5), r#""type":"Integer32","value":-5"#),
        (Value::Counter32(u32::MAX), r#""type":"Counter32","value":4294967295"#),
        (Value::Gauge32(7), r#""type":"Gauge32","value":7"#),
        (Value::Counter64(u64::MAX), r#""type":"Counter64","value":18446744073709551615"#),
        (Value::IpAddress([192, 0, 2, 1]), r#""type":"IpAddress","value":"192.0.2.1""#),
        (Value::ObjectId(OidRef::Arcs(&[1, 3])), r#""type":"ObjectIdentifier","value":".1.3""#),
        (Value::Null, r#""type":"Null","value":null"#),
        (Value::NoSuchInstance, r#""type":"noSuchInstance","value":null"#),
        (Value::OctetString(b""), r#""type":"OctetString","value":"""#),
        (
            Value::OctetString("a\tÄ\r\n\"\\".as_bytes()),
            r#""type":"OctetString","value":"a\u0009Ä\u000d\n\"\\""#,
        ),
        (Value::OctetString(b"a\0"), r#""type":"OctetString","value":"0x6100","encoding":"hex""#),
        (Value::OctetString(b"\xff\x0f"), r#""type":"OctetString","value":"0xff0f","encoding":"hex""#),
        (Value::OctetString(b"0x61"), r#""type":"OctetString","value":"0x61""#),
        (
            Value::OctetString("\u{202e}".as_bytes()),
            r#""type":"OctetString","value":"0xe280ae","encoding":"hex""#,
        ),
        (Value::Opaque(b"\x9f\x78"), r#""type":"Opaque","value":"0x9f78","encoding":"hex""#),
    ] {
        assert_eq!(variable(OTHER, value), format!("[{name}{expected}}}]"));
    }
}

#[test]
fn enumerated_value_has_its_label() {
    let snmp_enable_authen_traps: &[u32] = &[1, 3, 6, 1, 2, 1, 11, 30, 0];
    let found = variable(snmp_enable_authen_traps, Value::Integer(1));
    assert!(found.ends_with(r#""type":"Integer32","value":1,"label":"enabled"}]"#), "{found}");
    assert!(!variable(snmp_enable_authen_traps, Value::Integer(9)).contains("label"));
}

#[test]
fn line_break_of_a_peer_does_not_end_the_line() {
    let octets = encode(&[(&[1, 3, 6, 1, 2, 1, 1, 5, 0], Value::OctetString(b"a\nb\x85\xe2\x80\xa8"))]);
    let trap = notification(NotificationKind::Trap(variables(&octets)), MessageProcessingModel::V2c);
    let details = MessageDetails { security_name: b"x\n\"},", context_name: b"\n", ..details() };
    let line = line(&trap, &details, false);
    assert_eq!(line.find('\n'), Some(line.len() - 1), "{line}");
    assert!(line.contains(r#""security-name":"x\n\"},","#), "{line}");
}
