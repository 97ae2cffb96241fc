use portreeve_smi::{MessageProcessingModel, SecurityModel, Value};
use portreeve_snmp_message::VarBinds;

use super::*;
use crate::{
    Notification, NotificationKind, Security,
    samples::{cold_start, encode, notification, numeric, trap_v1, variables},
};

#[track_caller]
fn written(format: &str, notification: &Notification<'_>) -> String {
    let mut out = String::new();
    LineFormat::parse(format).unwrap().write(&mut out, notification, &numeric());
    out
}

/// All fields that do not depend on the time. The expected lines are those of snmptrapd 5.9.3.
const ALL: &str =
    "a=%a|A=%A|b=%b|B=%B|E=%E|N=%N|P=%P|q=%q|s=%s|S=%S|T=%T|#T=%#T|u=%u|v=%v|#v=%#v|w=%w|W=%W|pct=%%";

#[test]
fn fields_of_a_v1_trap_are_those_of_net_snmp() {
    let octets = encode(&[
        (&[1, 3, 6, 1, 2, 1, 1, 5, 0], Value::OctetString(b"hello")),
        (&[1, 3, 6, 1, 2, 1, 2, 2, 1, 1, 3], Value::Integer(3)),
    ]);
    let trap = trap_v1(6, 17, 12_345_678, variables(&octets));
    let expected = "a=192.0.2.7|A=192.0.2.7|b=UDP: [127.0.0.1]:58026->[127.0.0.1]:17162|\
                    B=UDP: [127.0.0.1]:58026->[127.0.0.1]:17162|E=|N=.1.3.6.1.4.1.8072.9|\
                    P=TRAP, SNMP v1, community public|q=.17|s=0|S=1|T=12345678|#T=1 day, 10:17:36.78|u=public|\
                    v=.1.3.6.1.2.1.1.5.0 = STRING: hello\t.1.3.6.1.2.1.2.2.1.1.3 = INTEGER: 3|\
                    #v=, .1.3.6.1.2.1.1.5.0 = STRING: hello, .1.3.6.1.2.1.2.2.1.1.3 = INTEGER: 3|\
                    w=6|W=Enterprise Specific|pct=%";
    assert_eq!(written(ALL, &trap), expected);
}

#[test]
fn generic_traps_have_their_names_and_no_dot_before_the_specific_number() {
    let names =
        ["Cold Start", "Warm Start", "Link Down", "Link Up", "Authentication Failure", "EGP Neighbor Loss"];
    for (generic, name) in (0..).zip(names) {
        let trap = trap_v1(generic, 0, 123_456, VarBinds::default());
        assert_eq!(written("%w|%W|%q|%#T|%v", &trap), format!("{generic}|{name}|0|0:20:34.56|"));
    }
    assert_eq!(written("%W", &trap_v1(7, 0, 0, VarBinds::default())), "Unknown Type");
    assert_eq!(written("%W", &trap_v1(-1, 0, 0, VarBinds::default())), "Unknown Type");
}

#[test]
fn fields_of_v2_notifications_are_those_of_net_snmp() {
    let octets = cold_start();
    let trap = notification(NotificationKind::Trap(variables(&octets)), MessageProcessingModel::V2c);
    let list = ".1.3.6.1.2.1.1.3.0 = Timeticks: (123456) 0:20:34.56\t\
                .1.3.6.1.6.3.1.1.4.1.0 = OID: .1.3.6.1.6.3.1.1.5.1";
    let fields = "%a|%N|%P|%q|%s|%S|%T|%#T|%w|%W|%v";
    let expected =
        format!("0.0.0.0|.|TRAP2, SNMP v2c, community public|0|1|2|0|0:00:00.00|0|Cold Start|{list}");
    assert_eq!(written(fields, &trap), expected);
    let inform = notification(NotificationKind::Inform(variables(&octets)), MessageProcessingModel::V2c);
    assert_eq!(written("%P", &inform), "INFORM, SNMP v2c, community public");
}

#[test]
fn user_and_context_of_snmpv3_are_those_of_net_snmp() {
    let mut trap = notification(NotificationKind::Trap(VarBinds::default()), MessageProcessingModel::V3);
    trap.security = Security::User { model: SecurityModel::USM, name: b"traps", context_name: b"ctx" };
    trap.context_engine_id =
        &[0x80, 0, 0x1f, 0x88, 0x80, 0xdf, 0x4f, 0xbe, 0x0a, 0x66, 0x94, 4, 0x6b, 0, 0, 0, 0];
    let expected = "80 00 1F 88 80 DF 4F BE 0A 66 94 04 6B 00 00 00 \n00 |TRAP2, SNMP v3, user traps, context ctx|3|3|traps";
    assert_eq!(written("%E|%P|%s|%S|%u", &trap), expected);
}

#[test]
fn fields_are_padded_and_shortened_as_by_printf() {
    let trap = trap_v1(6, 17, 360_000, VarBinds::default());
    for (format, expected) in [
        ("%8q|", "     .17|"),
        ("%-8q|", ".17     |"),
        ("%08q|", "00000.17|"),
        ("%-08q|", ".17     |"),
        ("%20W|", " Enterprise Specific|"),
        ("%-20W|", "Enterprise Specific |"),
        ("%.4W|", "Ente|"),
        ("%4W|", "Enterprise Specific|"),
        ("%02.2H|", "01|"),
        ("%8.3H|", "     001|"),
        ("%.0W|", "|"),
        ("%.W|", "|"),
    ] {
        assert_eq!(written(format, &trap), expected, "{format}");
    }
}

#[test]
fn time_of_receipt_is_local_or_in_utc() {
    let trap = trap_v1(0, 0, 0, VarBinds::default());
    assert_eq!(written("%.4y-%.2m-%.2l %.2h:%.2j:%.2k", &trap), "2026-03-07 01:02:03");
    assert_eq!(written("%#.4y-%#.2m-%#.2l %#.2h:%#.2j:%#.2k %t", &trap), "2026-03-06 23:02:03 1772841723");
}

#[test]
fn parts_of_the_uptime_are_those_of_the_trap() {
    let trap = trap_v1(0, 0, ((3 * 24 + 4) * 3600 + 5 * 60 + 6) * 100 + 7, VarBinds::default());
    assert_eq!(written("%L|%H|%J|%K|%M|%Y|%#T", &trap), "3|4|5|6|0|0|3 days, 4:05:06.07");
    let trap = trap_v1(0, 0, u32::MAX, VarBinds::default());
    assert_eq!(written("%#T", &trap), "497 days, 2:27:52.95");
}

#[test]
fn separator_applies_to_the_fields_after_it() {
    let octets = encode(&[(&[1, 3, 1], Value::Integer(1)), (&[1, 3, 2], Value::Integer(2))]);
    let trap = trap_v1(0, 0, 0, variables(&octets));
    let (first, second) = (".1.3.1 = INTEGER: 1", ".1.3.2 = INTEGER: 2");
    assert_eq!(
        written("%v%V; %v%V\\%\\n%v", &trap),
        format!("{first}\t{second}{first}; {second}{first}%\n{second}")
    );
    assert_eq!(written("%V;%#v", &trap), format!(";{first};{second}"));
}

/// A sender must not control the terminal.
#[test]
fn control_characters_of_the_sender_are_replaced() {
    let mut trap = trap_v1(0, 0, 0, VarBinds::default());
    trap.security = Security::Community(b"a\x1b[2J\n\xe2\x80\xae");
    trap.source.host = "host\x1b]0;";
    trap.source.agent_host = Some("agent\n");
    assert_eq!(written("%u|%P|%B|%A", &trap), "a.[2J..|TRAP, SNMP v1, community a.[2J..|host.]0;|agent.");
}

#[test]
fn escapes_are_replaced() {
    let trap = trap_v1(0, 0, 0, VarBinds::default());
    assert_eq!(written(r#"\a\b\f\n\r\t\v\\\?\%\'\"é%%"#, &trap), "\x07\x08\x0c\n\r\t\x0b\\?%'\"é%");
    assert_eq!(written("", &trap), "");
}

#[test]
fn errors_have_a_position_and_a_cure() {
    for (format, expected) in [
        (
            "ab%z",
            "character 4: unknown field %z: expected one of aAbBEhHjJkKlLmMNPqsStTuvVwWyY, or %% for a percent sign",
        ),
        (
            "%\n",
            "character 2: unknown field %\\n: expected one of aAbBEhHjJkKlLmMNPqsStTuvVwWyY, or %% for a percent sign",
        ),
        ("é\\q", "character 3: unknown escape \\q: expected \\n, \\t, \\r, \\\\, \\% or \\\""),
        ("a%", "character 2: the format ends in the middle of a field or an escape: complete or remove it"),
        (
            "a%-0#12.3",
            "character 9: the format ends in the middle of a field or an escape: complete or remove it",
        ),
        ("a\\", "character 2: the format ends in the middle of a field or an escape: complete or remove it"),
        (
            "%Va\\",
            "character 4: the format ends in the middle of a field or an escape: complete or remove it",
        ),
        ("%1001q", "character 5: a width or precision is above 1000"),
        ("%.99999999999999999999q", "character 6: a width or precision is above 1000"),
    ] {
        let error = LineFormat::parse(format).unwrap_err().to_string();
        assert_eq!(error, format!("invalid format at {expected}"), "{format:?}");
    }
    assert!(LineFormat::parse(&"a".repeat(4096)).is_ok());
    let error = LineFormat::parse(&"a".repeat(4097)).unwrap_err().to_string();
    assert_eq!(error, "invalid format at character 4097: the format has more than 4096 characters");
    assert!(LineFormat::parse("%1000.1000q").is_ok());
}
