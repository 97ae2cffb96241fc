//! The expected output is that of Net-SNMP 5.9.3 with the same definitions.

use portreeve_smi::{OidRef, display_arcs};
use proptest::prelude::*;

use super::*;
use crate::{Base, Convention, Syntax, names::parse, object::Status};

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
fn empty_name_is_printed_as_dot() {
    for letters in ["S", "n", "f"] {
        let mut format = OutputFormat::default();
        format.apply(letters).unwrap();
        let mut out = String::new();
        format.name(&mut out, &[]);
        assert_eq!(out, ".", "-O{letters}");
    }
}

#[test]
fn internet_addresses_in_index_are_printed_as_text() {
    let v4 = "1.4.127.0.0.1.8080.1.4.10.0.0.2.99";
    let v6 = "2.16.254.128.0.0.0.0.0.0.0.0.0.0.0.0.0.1.80.2.16.32.1.13.184.0.0.0.0.0.0.0.0.0.0.0.9.9";
    let zoned = "4.20.254.128.0.0.0.0.0.0.0.0.0.0.0.0.0.1.255.255.255.255.80.3.8.10.0.0.1.0.0.1.2.9";
    let v4_text = r#"ipv4."127.0.0.1".8080.ipv4."10.0.0.2".99"#;
    let cases = [
        ("s", v4, v4_text),
        // Net-SNMP escapes the quotes of text, but not those of addresses.
        ("sE", v4, v4_text),
        ("sX", v4, r#"[ipv4]["127.0.0.1"][8080][ipv4]["10.0.0.2"][99]"#),
        (
            "s",
            v6,
            concat!(
                r#"ipv6."fe:80:00:00:00:00:00:00:00:00:00:00:00:00:00:01".80."#,
                r#"ipv6."20:01:0d:b8:00:00:00:00:00:00:00:00:00:00:00:09".9"#
            ),
        ),
        (
            "s",
            zoned,
            concat!(
                r#"ipv6z."fe:80:00:00:00:00:00:00:00:00:00:00:00:00:00:01%4294967295".80."#,
                r#"ipv4z."10.0.0.1%258".9"#
            ),
        ),
        ("s", "16.4.97.46.98.99.80.16.5.97.34.92.98.99.7", r#"dns."a.bc".80.dns."a"\bc".7"#),
        ("sE", "16.4.97.46.98.99.80.0.0.7", r#"dns.\"a.bc\".80.unknown.\"\".7"#),
        // The octets do not match the type.
        ("s", "1.0.5.1.4.1.2.3.4.7", r#"ipv4."".5.ipv4."1.2.3.4".7"#),
        ("s", "9.4.127.0.0.1.80.1.5.10.0.0.2.4.9", r#"9."....".80.ipv4.".....".9"#),
        ("s", "2.4.65.66.67.68.80.1.4.10.300.0.1.9", r#"ipv6."ABCD".80.ipv4."....".9"#),
        (
            "s",
            "4.16.65.66.67.68.69.70.71.72.73.74.75.76.77.78.79.80.80.3.4.65.66.67.68.9",
            r#"ipv6z."ABCDEFGHIJKLMNOP".80.ipv4z."ABCD".9"#,
        ),
    ];
    for (letters, index, expected) in cases {
        let separator = if expected.starts_with('[') { "" } else { "." };
        let expected = format!("tcpConnectionState{separator}{expected}");
        assert_eq!(name(letters, &format!("tcpConnectionState.{index}")), expected, "-O{letters}");
    }
    assert_eq!(
        name("s", "inetCidrRouteIfIndex.1.4.10.0.0.0.8.2.0.0.1.4.192.0.2.1"),
        r#"inetCidrRouteIfIndex.ipv4."10.0.0.0".8.2.0.0.ipv4."192.0.2.1""#
    );
}

/// Returns a string in the format of a hint.
fn by_hint(hint: &str, octets: &[u8]) -> String {
    let mut out = String::new();
    write_by_hint(&mut out, hint, octets);
    out
}

/// Hints that use a repeat count, a width of several octets, or no separator.
#[test]
fn display_hints_are_applied_to_printed_values() {
    let cases: &[(&str, &[u8], &str)] = &[
        ("1x:", &[0, 0x1a, 0xff], "0:1a:ff"),
        ("1d.1d.1d.1d/2d", &[127, 0, 0, 1, 0, 161], "127.0.0.1/161"),
        ("1d.1d.1d.1d:2d", &[127, 0, 0, 1, 0, 161], "127.0.0.1:161"),
        (
            "2d-1d-1d,1d:1d:1d.1d,1a1d:1d",
            &[0x07, 0xea, 11, 20, 11, 5, 21, 0, b'+', 0, 0],
            "2026-11-20,11:5:21.0,+0:0",
        ),
        ("2d-1d-1d,1d:1d:1d.1d,1a1d:1d", &[0x07, 0xea, 11, 20, 11, 5, 21, 0], "2026-11-20,11:5:21.0"),
        ("1x:1x", &[4, 0xf6, 5, 0xca, 0], "4:f605ca00"),
        ("1x:1x:", &[4, 0xf6, 5], "4:f6:5"),
        ("1x", &[0, 5, 0xca], "0005ca"),
        ("x", &[0, 5, 0xca], "0005ca"),
        ("0x", &[0, 5], "0005"),
        ("1d1x", &[4, 5, 0], "40500"),
        ("1x1x:", &[5, 6, 7], "56:7"),
        ("2x", &[0, 5, 1, 0], "5100"),
        ("1o", &[8, 1], "101"),
        ("*1x:/1x:", &[2, 0xaa, 0xbb, 0xcc, 0xdd], "aa:bb:/cc:dd"),
        ("*1x:/1x:", &[0, 0xaa, 0xbb], "/aa:bb"),
        ("*1x:/1x:", &[9, 0xaa, 0xbb], "aa:bb"),
        ("*1x:/1x:", &[2], ""),
        ("*1x", &[1, 0xaa, 2, 3], "aa0203"),
        ("1x:*1x", &[4, 2, 5, 6, 7], "4:050607"),
        ("*1x;|1d.", &[1, 2, 3, 4], "2;|3.4"),
        ("255t", "grüße".as_bytes(), "grüße"),
        ("0a", b"all", "all"),
        ("", &[1, 10], "110"),
    ];
    for (hint, octets, expected) in cases {
        assert_eq!(by_hint(hint, octets), *expected, "{hint}");
    }
    for (hint, number, expected) in
        [("d", -7, "-7"), ("d-2", 1234, "12.34"), ("d-2", 5, ".05"), ("d-2", -5, "-.05"), ("x", 255, "ff")]
    {
        let mut out = String::new();
        super::hint::write_integer(&mut out, hint, number);
        assert_eq!(out, expected, "{hint}");
    }
}

/// RFC 2579 prints the separator of text of length 0, and reads no octet for it. Net-SNMP reads one
/// octet.
#[test]
fn text_of_width_zero_in_display_hint_prints_only_its_separator() {
    let address = [0x20, 1, 0xd, 0xb8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 161];
    let hint = "0a[2x:2x:2x:2x:2x:2x:2x:2x]0a:2d";
    assert_eq!(by_hint(hint, &address), "[2001:db8:0:0:0:0:0:1]:161");
}

#[test]
fn unknown_form_in_display_hint_is_reported_before_plain_value() {
    static HINTS: [&str; 3] = ["1z", "1", "1x:1"];
    for hint in HINTS {
        let convention = Box::leak(Box::new(Convention {
            name: "Odd",
            syntax: Syntax::base(Base::OctetString),
            hint: Some(hint),
            status: Status::Current,
            description: "",
        }));
        let syntax = Syntax { convention: Some(convention), ..Syntax::base(Base::OctetString) };
        let mut out = "= ".to_owned();
        octets::write(&OutputFormat::default(), &mut out, &syntax, &[5, 6]);
        assert_eq!(out, format!("= (Bad hint ignored: {hint}) Hex-STRING: 05 06 "));
    }
}

/// A hint that repeats text of width 0 must not be an endless loop.
#[test]
fn arbitrary_display_hints_end_and_print_a_bounded_text() {
    for hint in ["0a", "*0a", "0a:", "*0a:/", "0a*0a", "0a0a0a", "0t,0t", "99999999999a", "*99999999999x"] {
        let mut out = String::new();
        let _ = super::hint::write_octets(&OutputFormat::default(), &mut out, hint, &[255; 300]);
        assert!(out.len() < 2000, "{hint}: {}", out.len());
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

/// Returns the octets that the value of `name` is printed as.
fn printed_octets(octet_form: OctetForm, name: &str, octets: &[u8]) -> Vec<u8> {
    let mut format = OutputFormat { octets: octet_form, value_only: true, ..OutputFormat::default() };
    // Without DISPLAY-HINT, the commands print a string with such octets as text only if requested.
    format.strings = StringForm::Text;
    let mut out = String::new();
    format.variable(&mut out, &parse(name).unwrap(), &Value::OctetString(octets));
    octets_of(&out).into_owned()
}

#[test]
fn raw_output_preserves_octets_only_for_objects_with_display_hint() {
    let octets = b"\x1b]0;title\x07 \r caf\xe9 caf\xc3\xa9 \x9b";
    let raw = |name| printed_octets(OctetForm::Raw, name, octets);
    assert_eq!(raw("sysDescr.0"), [b"STRING: ", octets.as_slice()].concat());
    assert_eq!(raw("enterprises.1"), b"STRING: \".]0;title. \r caf. caf.. .\"");
}

#[test]
fn string_with_nul_is_escaped_and_printed_with_dots_in_every_octet_form() {
    for form in [OctetForm::Printable, OctetForm::NoControls, OctetForm::Raw] {
        let printed = printed_octets(form, "sysDescr.0", b"\x1b[2J \"a\\b\" caf\xe9\n\0");
        assert_eq!(printed, b"STRING: .[2J \\\"a\\\\b\\\" caf.\n.", "{form:?}");
    }
}

#[test]
fn output_without_controls_preserves_octets_that_are_not_utf_8() {
    let octets =
        b"\x1b[2J\x07\x08\x7f caf\xe9 caf\xc3\xa9 \xc2\x9b \x9b \xc2\r\n\rlie \xe2\x80\xae\t\xf4\x8f\xba\x9b";
    let printed = printed_octets(OctetForm::NoControls, "sysDescr.0", octets);
    let expected = b"STRING: .[2J... caf\xe9 caf\xc3\xa9 . . \xc2\r\n\rlie .\t\xf4\x8f\xba\x9b";
    assert_eq!(printed, expected, "{}", String::from_utf8_lossy(&printed));
}

/// A character that stands for an octet in other forms must not become this octet.
#[test]
fn printable_output_never_contains_raw_octets() {
    let printed = printed_octets(OctetForm::Printable, "sysDescr.0", "a\u{10fe9b}[2J".as_bytes());
    assert_eq!(printed, b"STRING: a.[2J");
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
    fn printed_addresses_in_index_parse_to_the_same_oid(
        local: [u8; 16], remote: [u8; 4], zone: u32, is_zoned: bool, letters in "[XsSf]{0,2}"
    ) {
        let zone: Vec<u32> = if is_zoned { zone.to_be_bytes().map(u32::from).to_vec() } else { vec![] };
        let mut arcs = parse("tcpConnectionState").unwrap().to_vec();
        for (kind, octets) in [(2, &local[..]), (1, &remote)] {
            arcs.extend([kind + if is_zoned { 2 } else { 0 }, (octets.len() + zone.len()) as u32]);
            arcs.extend(octets.iter().copied().map(u32::from).chain(zone.clone()).chain([161]));
        }
        let text = name(&letters, &display_arcs(&arcs).to_string());
        prop_assert_eq!(parse(&text).unwrap().to_vec(), arcs, "{}", text);
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
