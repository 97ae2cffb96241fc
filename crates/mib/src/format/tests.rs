//! The expected output is that of Net-SNMP 5.9.3 with the same definitions.

use portreeve_smi::OidRef;
use proptest::prelude::*;

use super::*;
use crate::names::parse;

fn line(letters: &str, name: &str, value: &Value<'_>) -> String {
    let mut format = OutputFormat::default();
    format.apply(letters).unwrap();
    let mut out = String::new();
    format.variable(&mut out, &parse(name).unwrap(), value);
    out
}

fn name(letters: &str, oid: &str) -> String {
    let mut format = OutputFormat::default();
    format.apply(letters).unwrap();
    let mut out = String::new();
    format.name(&mut out, &parse(oid).unwrap());
    out
}

const SYS_UP_TIME: OidRef<'static> = OidRef::Arcs(&[1, 3, 6, 1, 2, 1, 1, 3, 0]);

#[test]
fn default_output_lines_match_net_snmp() {
    let thirty_three: Vec<u8> = (0..33).collect();
    let cases: &[(&str, Value<'_>, &str)] = &[
        ("ifDescr.900", Value::OctetString(b"eth0"), "IF-MIB::ifDescr.900 = STRING: eth0"),
        ("ifDescr.900", Value::OctetString(b""), "IF-MIB::ifDescr.900 = STRING: "),
        ("ifDescr.901", Value::OctetString(b"ab\0\0c"), "IF-MIB::ifDescr.901 = STRING: ab..c"),
        ("ifDescr.902", Value::OctetString(b"a\nb\tc"), "IF-MIB::ifDescr.902 = STRING: a\nb\tc"),
        ("ifDescr.904", Value::OctetString(b"\"\\A"), "IF-MIB::ifDescr.904 = STRING: \"\\A"),
        (
            "ifDescr.907",
            Value::Integer(5),
            "IF-MIB::ifDescr.907 = Wrong Type (should be OCTET STRING): INTEGER: 5",
        ),
        (
            "ifPhysAddress.900",
            Value::OctetString(&[0x52, 0x54, 0, 0x12, 0x34, 0x56]),
            "IF-MIB::ifPhysAddress.900 = STRING: 52:54:0:12:34:56",
        ),
        ("ifOperStatus.900", Value::Integer(1), "IF-MIB::ifOperStatus.900 = INTEGER: up(1)"),
        ("ifOperStatus.901", Value::Integer(77), "IF-MIB::ifOperStatus.901 = INTEGER: 77"),
        (
            "ifOperStatus.902",
            Value::OctetString(b"up"),
            "IF-MIB::ifOperStatus.902 = Wrong Type (should be INTEGER): STRING: \"up\"",
        ),
        ("ifSpeed.900", Value::Gauge32(u32::MAX), "IF-MIB::ifSpeed.900 = Gauge32: 4294967295"),
        (
            "ifSpeed.901",
            Value::Counter32(5),
            "IF-MIB::ifSpeed.901 = Wrong Type (should be Gauge32 or Unsigned32): Counter32: 5",
        ),
        ("ifInOctets.900", Value::Counter32(u32::MAX), "IF-MIB::ifInOctets.900 = Counter32: 4294967295"),
        (
            "ifHCInOctets.900",
            Value::Counter64(u64::MAX),
            "IF-MIB::ifHCInOctets.900 = Counter64: 18446744073709551615",
        ),
        (
            "ifHCInOctets.901",
            Value::Counter32(1),
            "IF-MIB::ifHCInOctets.901 = Wrong Type (should be Counter64): Counter32: 1",
        ),
        (
            "sysUpTime.0",
            Value::TimeTicks(14096763),
            "SNMPv2-MIB::sysUpTime.0 = Timeticks: (14096763) 1 day, 15:09:27.63",
        ),
        (
            "ifLastChange.901",
            Value::TimeTicks(14096),
            "IF-MIB::ifLastChange.901 = Timeticks: (14096) 0:02:20.96",
        ),
        (
            "ifLastChange.902",
            Value::TimeTicks(34096763),
            "IF-MIB::ifLastChange.902 = Timeticks: (34096763) 3 days, 22:42:47.63",
        ),
        (
            "ifSpecific.900",
            Value::ObjectId(OidRef::Arcs(&[0, 0])),
            "IF-MIB::ifSpecific.900 = OID: SNMPv2-SMI::zeroDotZero",
        ),
        (
            "ifSpecific.901",
            Value::ObjectId(OidRef::Arcs(&[1, 3, 6, 1, 4, 1, 8072, 3])),
            "IF-MIB::ifSpecific.901 = OID: SNMPv2-SMI::enterprises.8072.3",
        ),
        (
            "ifSpecific.902",
            Value::ObjectId(SYS_UP_TIME),
            "IF-MIB::ifSpecific.902 = OID: SNMPv2-MIB::sysUpTime.0",
        ),
        (
            "ifSpecific.903",
            Value::Integer(3),
            "IF-MIB::ifSpecific.903 = Wrong Type (should be OBJECT IDENTIFIER): INTEGER: 3",
        ),
        ("ifPromiscuousMode.900", Value::Integer(2), "IF-MIB::ifPromiscuousMode.900 = INTEGER: false(2)"),
        (
            "snmpCommunityName.'a'",
            Value::OctetString(b"public"),
            "SNMP-COMMUNITY-MIB::snmpCommunityName.'a' = STRING: \"public\"",
        ),
        (
            "snmpCommunityName.'b'",
            Value::OctetString(&thirty_three),
            "SNMP-COMMUNITY-MIB::snmpCommunityName.'b' = Hex-STRING: \
             00 01 02 03 04 05 06 07 08 09 0A 0B 0C 0D 0E 0F \n\
             10 11 12 13 14 15 16 17 18 19 1A 1B 1C 1D 1E 1F \n20 ",
        ),
        (
            "snmpCommunityName.'c'",
            Value::OctetString(b""),
            "SNMP-COMMUNITY-MIB::snmpCommunityName.'c' = \"\"",
        ),
        (
            "snmpCommunityName.'d'",
            Value::OctetString(b"\"a\n\\"),
            "SNMP-COMMUNITY-MIB::snmpCommunityName.'d' = STRING: \"\\\"a\n\\\\\"",
        ),
        (
            "snmpTrapAddress.0",
            Value::NoSuchObject,
            "SNMP-COMMUNITY-MIB::snmpTrapAddress.0 = No Such Object available on this agent at this OID",
        ),
        (
            "snmpTrapAddress.0",
            Value::IpAddress([192, 0, 2, 1]),
            "SNMP-COMMUNITY-MIB::snmpTrapAddress.0 = IpAddress: 192.0.2.1",
        ),
        (
            "snmpTrapAddress.0",
            Value::NoSuchInstance,
            "SNMP-COMMUNITY-MIB::snmpTrapAddress.0 = No Such Instance currently exists at this OID",
        ),
        (
            "snmpModules.99",
            Value::EndOfMibView,
            "SNMPv2-SMI::snmpModules.99 = No more variables left in this MIB View (It is past the end of the MIB tree)",
        ),
        (
            "snmpEngineTime.0",
            Value::Integer(31),
            "SNMP-FRAMEWORK-MIB::snmpEngineTime.0 = INTEGER: 31 seconds",
        ),
        (
            "enterprises.1.1.0",
            Value::OctetString(b"text"),
            "SNMPv2-SMI::enterprises.1.1.0 = STRING: \"text\"",
        ),
        ("enterprises.1.2.0", Value::Integer(-3), "SNMPv2-SMI::enterprises.1.2.0 = INTEGER: -3"),
        (
            "enterprises.1.3.0",
            Value::OctetString(&[0, 255]),
            "SNMPv2-SMI::enterprises.1.3.0 = Hex-STRING: 00 FF ",
        ),
        (
            "enterprises.1.4.0",
            Value::TimeTicks(99),
            "SNMPv2-SMI::enterprises.1.4.0 = Timeticks: (99) 0:00:00.99",
        ),
        ("enterprises.1.5.0", Value::Null, "SNMPv2-SMI::enterprises.1.5.0 = NULL"),
        (
            "enterprises.1.6.0",
            Value::Opaque(&[0x9f, 0x78, 4, 0x3f, 0xc0, 0, 0]),
            "SNMPv2-SMI::enterprises.1.6.0 = Opaque: Float: 1.500000",
        ),
    ];
    for (name, value, expected) in cases {
        assert_eq!(line("", name, value), *expected);
    }
}

#[test]
fn output_option_letters_select_format_of_names_and_values() {
    let up = Value::Integer(1);
    let ticks = Value::TimeTicks(14096);
    let raw = Value::OctetString(&[0x7f, 0, b'a']);
    let oid = Value::ObjectId(SYS_UP_TIME);
    let text = Value::OctetString(b"up");
    let cases: &[(&str, &str, &Value<'_>, &str)] = &[
        ("q", "ifOperStatus.1", &up, "IF-MIB::ifOperStatus.1 up"),
        ("Q", "ifOperStatus.1", &up, "IF-MIB::ifOperStatus.1 = up"),
        ("v", "ifOperStatus.1", &up, "INTEGER: up(1)"),
        ("qv", "ifOperStatus.1", &up, "up"),
        ("Qv", "ifOperStatus.1", &up, "up"),
        ("n", "ifOperStatus.1", &up, ".1.3.6.1.2.1.2.2.1.8.1 = INTEGER: up(1)"),
        ("nq", "ifOperStatus.1", &up, ".1.3.6.1.2.1.2.2.1.8.1 up"),
        ("nQ", "ifOperStatus.1", &up, ".1.3.6.1.2.1.2.2.1.8.1 = up"),
        ("QUs", "ifOperStatus.1", &up, "ifOperStatus.1 = up"),
        ("e", "ifOperStatus.1", &up, "IF-MIB::ifOperStatus.1 = INTEGER: 1"),
        ("qe", "ifOperStatus.1", &up, "IF-MIB::ifOperStatus.1 1"),
        ("qq", "ifOperStatus.1", &up, "IF-MIB::ifOperStatus.1 = INTEGER: up(1)"),
        ("q", "ifOperStatus.1", &text, "IF-MIB::ifOperStatus.1 Wrong Type (should be INTEGER): \"up\""),
        ("Q", "ifOperStatus.1", &text, "IF-MIB::ifOperStatus.1 = \"up\""),
        ("q", "ifLastChange.1", &ticks, "IF-MIB::ifLastChange.1 0:0:02:20.96"),
        ("t", "ifLastChange.1", &ticks, "IF-MIB::ifLastChange.1 = 14096"),
        ("q", "snmpCommunityName.'a'", &raw, "SNMP-COMMUNITY-MIB::snmpCommunityName.'a' \"7F 00 61 \""),
        ("a", "snmpCommunityName.'a'", &raw, "SNMP-COMMUNITY-MIB::snmpCommunityName.'a' = STRING: \"..a\""),
        (
            "T",
            "snmpCommunityName.'a'",
            &raw,
            "SNMP-COMMUNITY-MIB::snmpCommunityName.'a' = Hex-STRING: 7F 00 61   [..a]",
        ),
        (
            "x",
            "snmpCommunityName.'a'",
            &text,
            "SNMP-COMMUNITY-MIB::snmpCommunityName.'a' = Hex-STRING: 75 70 ",
        ),
        ("n", "ifSpecific.1", &oid, ".1.3.6.1.2.1.2.2.1.22.1 = OID: .1.3.6.1.2.1.1.3.0"),
        ("s", "ifSpecific.1", &oid, "ifSpecific.1 = OID: sysUpTime.0"),
        ("Qv", "ifSpecific.1", &oid, "SNMPv2-MIB::sysUpTime.0"),
        ("q", "snmpEngineTime.0", &up, "SNMP-FRAMEWORK-MIB::snmpEngineTime.0 1 seconds"),
        ("QU", "snmpEngineTime.0", &up, "SNMP-FRAMEWORK-MIB::snmpEngineTime.0 = 1"),
        ("0", "ifPhysAddress.1", &raw, "IF-MIB::ifPhysAddress.1 = STRING: 7f:00:61"),
    ];
    for (letters, name, value, expected) in cases {
        assert_eq!(line(letters, name, value), *expected, "-O{letters}");
    }
    assert_eq!(OutputFormat::default().apply("nO"), Err(UnknownLetterError('O')));
    assert_eq!(UnknownLetterError('O').to_string(), "Unknown output option passed to -O: O.");
}

#[test]
fn printed_name_forms_match_net_snmp() {
    let user = "usmUserStatus.13.128.0.31.136.128.1.2.3.4.5.65.34.92.3.111.112.115";
    let cases = [
        ("f", "sysUpTime.0", ".iso.org.dod.internet.mgmt.mib-2.system.sysUpTime.0"),
        ("s", "sysUpTime.0", "sysUpTime.0"),
        ("S", "sysUpTime.0", "SNMPv2-MIB::sysUpTime.0"),
        ("u", "sysUpTime.0", "system.sysUpTime.0"),
        ("u", "enterprises.8072.3", "enterprises.8072.3"),
        (
            "u",
            "coldStart",
            ".iso.org.dod.internet.snmpV2.snmpModules.snmpMIB.snmpMIBObjects.snmpTraps.coldStart",
        ),
        ("S", "1", "iso"),
        ("S", "1.3", "SNMPv2-SMI::org"),
        ("f", "1.3", ".iso.org"),
        ("S", "0.0", "SNMPv2-SMI::zeroDotZero"),
        ("S", "2.5", "joint-iso-ccitt.5"),
        ("S", "ifRcvAddressStatus.3.6.1.2.3.4.5.6", "IF-MIB::ifRcvAddressStatus.3.\"......\""),
        ("X", "ifRcvAddressStatus.3.6.1.2.3.4.5.6", "IF-MIB::ifRcvAddressStatus[3][STRING: 1:2:3:4:5:6]"),
        ("S", user, "SNMP-USER-BASED-SM-MIB::usmUserStatus.\"..........A\"\\\".\"ops\""),
        ("X", user, "SNMP-USER-BASED-SM-MIB::usmUserStatus[\"..........A\"\\\"][STRING: ops]"),
        ("E", user, "SNMP-USER-BASED-SM-MIB::usmUserStatus.\\\"..........A\"\\\\\".\\\"ops\\\""),
        (
            "b",
            user,
            "SNMP-USER-BASED-SM-MIB::usmUserStatus.13.128.0.31.136.128.1.2.3.4.5.65.34.92.3.111.112.115",
        ),
        ("s", "vacmGroupName.3.3.111.112.115", "vacmGroupName.3.\"ops\""),
        ("s", "vacmGroupName.3.3.111.112", "vacmGroupName.3.3.111.112"),
        ("s", "vacmGroupName.3.3.111.112.115.9", "vacmGroupName.3.\"ops\".9"),
        ("s", "vacmAccessStatus.1.103.0.3.3", "vacmAccessStatus.\"g\".\"\".3.authPriv"),
        ("s", "vacmAccessStatus.1.103.0.3.9", "vacmAccessStatus.\"g\".\"\".3.9"),
        ("sX", "vacmAccessStatus.1.103.0.3.3", "vacmAccessStatus[STRING: g][STRING: ][3][authPriv]"),
        ("sQX", "snmpCommunitySecurityName.97", "snmpCommunitySecurityName[a]"),
        ("s", "snmpTargetAddrTimeout.97.46.98", "snmpTargetAddrTimeout.'a.b'"),
        ("s", "vacmViewTreeFamilyStatus.3.97.108.108.3.1.3.6", "vacmViewTreeFamilyStatus.\"all\".3.1.3.6"),
        ("sX", "vacmViewTreeFamilyStatus.3.97.108.108.3.1.3.6", "vacmViewTreeFamilyStatus[STRING: all][dod]"),
        ("s", "snmpNotifyFilterMask.1.97.1.3.6.1", "snmpNotifyFilterMask.\"a\".1.3.6.1"),
        ("X", "sysUpTime.0", "SNMPv2-MIB::sysUpTime.0"),
    ];
    for (letters, oid, expected) in cases {
        assert_eq!(name(letters, oid), expected, "-O{letters}");
    }
}

#[test]
fn display_hints_are_applied_to_printed_values() {
    let cases: &[(&str, &[u8], &str)] = &[
        ("1x:", &[0, 0x1a, 0xff], "0:1a:ff"),
        ("1d.1d.1d.1d/2d", &[127, 0, 0, 1, 0, 161], "127.0.0.1/161"),
        ("1d.1d.1d.1d:2d", &[127, 0, 0, 1, 0, 161], "127.0.0.1:161"),
        (
            "0a[2x:2x:2x:2x:2x:2x:2x:2x]0a:2d",
            &[0x20, 1, 0xd, 0xb8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 161],
            "[2001:db8:0:0:0:0:0:1]:161",
        ),
        (
            "2d-1d-1d,1d:1d:1d.1d,1a1d:1d",
            &[0x07, 0xea, 11, 20, 11, 5, 21, 0, b'+', 0, 0],
            "2026-11-20,11:5:21.0,+0:0",
        ),
        ("2d-1d-1d,1d:1d:1d.1d,1a1d:1d", &[0x07, 0xea, 11, 20, 11, 5, 21, 0], "2026-11-20,11:5:21.0"),
        ("*1x:/1x:", &[2, 0xaa, 0xbb, 0xcc, 0xdd], "aa:bb/cc:dd"),
        ("255t", "grüße".as_bytes(), "grüße"),
        ("0a", b"endless", ""),
        ("", b"\x01", "1"),
    ];
    for (hint, octets, expected) in cases {
        let mut out = String::new();
        super::hint::write_octets(&OutputFormat::default(), &mut out, hint, octets);
        assert_eq!(out, *expected, "{hint}");
    }
    for (hint, number, expected) in
        [("d", -7, "-7"), ("d-2", 1234, "12.34"), ("d-2", 5, ".05"), ("d-2", -5, "-.05"), ("x", 255, "ff")]
    {
        let mut out = String::new();
        super::hint::write_integer(&mut out, hint, number);
        assert_eq!(out, expected, "{hint}");
    }
}

#[test]
fn review_l6_decimal_places_of_display_hint_are_limited() {
    for (hint, expected) in [
        ("d-255", format!(".{}1234", "0".repeat(251))),
        ("d-256", "1234".to_owned()),
        ("d-70000", "1234".to_owned()),
        ("d-18446744073709551615", "1234".to_owned()),
    ] {
        let mut out = String::new();
        super::hint::write_integer(&mut out, hint, 1234);
        assert_eq!(out, expected, "{hint}");
    }
}

/// M12 of the attack list: escape sequences in octets are not written raw to a terminal.
#[test]
fn octets_from_device_are_printed_without_terminal_control_sequences() {
    let hostile = Value::OctetString(b"\x1b[2Jx\x07\x08\rlie\r\n\xc2\x9b31m\xff");
    assert_eq!(line("v", "sysDescr.0", &hostile), "STRING: .[2Jx...lie\r\n.31m.");
    assert_eq!(line("va", "snmpCommunityName.'a'", &hostile), "STRING: \".[2Jx...lie\r\n..31m.\"");
    assert_eq!(line("s", "vacmGroupName.3.1.27", &Value::Null), "vacmGroupName.3.\".\" = NULL");
}

#[test]
fn review_l4_bidirectional_control_characters_are_escaped() {
    let value = Value::OctetString("a\u{202e}b\u{2066}c\u{2069}".as_bytes());
    assert_eq!(line("", "sysDescr.0", &value), "SNMPv2-MIB::sysDescr.0 = STRING: a.b.c.");
}

#[test]
fn raw_output_preserves_octets_only_for_objects_with_display_hint() {
    let mut format = OutputFormat { raw_octets: true, value_only: true, ..OutputFormat::default() };
    let octets = b"\x1b]0;title\x07 \r caf\xe9 caf\xc3\xa9 \0";
    let raw = |format: &OutputFormat, name: &str| {
        let mut out = String::new();
        format.variable(&mut out, &crate::names::parse(name).unwrap(), &Value::OctetString(octets));
        octets_of(&out).into_owned()
    };
    assert_eq!(raw(&format, "sysDescr.0"), [b"STRING: ", octets.as_slice()].concat());
    // Without DISPLAY-HINT, the commands print a string with such octets as text only if requested.
    format.strings = StringForm::Text;
    assert_eq!(raw(&format, "enterprises.1"), b"STRING: \".]0;title. \r caf. caf.. .\"");
}

proptest! {
    #[test]
    fn arbitrary_values_are_printed_without_terminal_control_characters(octets: Vec<u8>, letters in "[abeEqQtTUvxX0fnsSu]{0,4}") {
        for name in ["sysDescr.0", "ifPhysAddress.1", "snmpCommunityName.'a'", "enterprises.1", "snmpTrapAddress.0"] {
            for value in [Value::OctetString(&octets), Value::Opaque(&octets)] {
                let text = line(&letters, name, &value);
                let is_control = |(c, next): (char, Option<char>)| {
                    c.is_control() && !matches!(c, '\t' | '\n') && !(c == '\r' && next == Some('\n'))
                };
                let next = text.chars().skip(1).map(Some).chain([None]);
                prop_assert!(!text.chars().zip(next).any(is_control), "{text:?}");
            }
        }
    }

    #[test]
    fn printed_names_parse_to_the_same_oid(suffix: Vec<u32>, letters in "[bsSfu]{0,2}") {
        let oid = parse("vacmAccessStatus").unwrap();
        let arcs: Vec<u32> = oid.iter().copied().chain(suffix).take(128).collect();
        let mut format = OutputFormat { plain_index: true, ..OutputFormat::default() };
        format.apply(&letters.replace('b', "")).unwrap();
        let mut text = String::new();
        format.name(&mut text, &arcs);
        prop_assert_eq!(parse(&text).unwrap().to_vec(), arcs);
    }
}
