use portreeve_smi::display_arcs;

use super::*;

#[test]
fn object_names_are_parsed_as_by_net_snmp() {
    let cases = [
        ("sysDescr.0", "1.3.6.1.2.1.1.1.0"),
        ("system.sysDescr.0", "1.3.6.1.2.1.1.1.0"),
        ("SNMPv2-MIB::sysDescr.0", "1.3.6.1.2.1.1.1.0"),
        (".1.3.6.1.2.1.1.1.0", "1.3.6.1.2.1.1.1.0"),
        ("1.3.6.1.2.1.1.1.0", "1.3.6.1.2.1.1.1.0"),
        (".iso.org.dod.internet.mgmt.mib-2.system.1.0", "1.3.6.1.2.1.1.1.0"),
        ("iso.3.6.1.2.1.1.1.0", "1.3.6.1.2.1.1.1.0"),
        ("mib-2.1.1.0", "1.3.6.1.2.1.1.1.0"),
        ("system", "1.3.6.1.2.1.1"),
        ("IF-MIB::ifDescr.3", "1.3.6.1.2.1.2.2.1.2.3"),
        ("interfaces.ifTable.ifEntry.ifDescr.4", "1.3.6.1.2.1.2.2.1.2.4"),
        ("ifDescr[4]", "1.3.6.1.2.1.2.2.1.2.4"),
        ("IF-MIB::linkDown", "1.3.6.1.6.3.1.1.5.3"),
        ("zeroDotZero", "0.0"),
        ("iso", "1"),
        ("2.999", "2.999"),
        ("ifDescr.4294967295", "1.3.6.1.2.1.2.2.1.2.4294967295"),
        ("vacmGroupName.3.\"ops\"", "1.3.6.1.6.3.16.1.2.1.3.3.3.111.112.115"),
        ("vacmGroupName.3.'ops'", "1.3.6.1.6.3.16.1.2.1.3.3.111.112.115"),
        (r#"vacmGroupName.3."a \"b\\c""#, "1.3.6.1.6.3.16.1.2.1.3.3.6.97.32.34.98.92.99"),
        ("vacmGroupName[3][\"ops\"]", "1.3.6.1.6.3.16.1.2.1.3.3.3.111.112.115"),
        ("vacmGroupName.3.3.111.112.115", "1.3.6.1.6.3.16.1.2.1.3.3.3.111.112.115"),
        ("snmpTargetAddrTimeout.'a.b'", "1.3.6.1.6.3.12.1.2.1.4.97.46.98"),
        ("vacmGroupName[3][STRING: ops]", "1.3.6.1.6.3.16.1.2.1.3.3.3.111.112.115"),
        ("vacmGroupName[3][ops]", "1.3.6.1.6.3.16.1.2.1.3.3.3.111.112.115"),
        ("snmpTargetAddrTimeout[STRING: a.b]", "1.3.6.1.6.3.12.1.2.1.4.97.46.98"),
        ("ifRcvAddressStatus[3][STRING: 0:0:5e:0:53:af]", "1.3.6.1.2.1.31.1.4.1.2.3.6.0.0.94.0.83.175"),
        ("vacmAccessStatus[STRING: g][STRING: ][3][authPriv]", "1.3.6.1.6.3.16.1.4.1.9.1.103.0.3.3"),
        (
            r#"inetCidrRouteIfIndex[ipv4]["10.0.0.0"][8][SNMPv2-SMI::zeroDotZero.2][ipv4]["10.0.0.1"]"#,
            "1.3.6.1.2.1.4.24.7.1.7.1.4.10.0.0.0.8.3.0.0.2.1.4.10.0.0.1",
        ),
        ("vacmViewTreeFamilyStatus[STRING: all][dod]", "1.3.6.1.6.3.16.1.5.2.1.6.3.97.108.108.3.1.3.6"),
        ("ipAdEntIfIndex[10.0.0.1]", "1.3.6.1.2.1.4.20.1.2.10.0.0.1"),
        ("vacmAccessStatus.\"g\".\"\".0.authPriv", "1.3.6.1.6.3.16.1.4.1.9.1.103.0.0.3"),
        ("vacmAccessStatus.1.103.0.0.authPriv", "1.3.6.1.6.3.16.1.4.1.9.1.103.0.0.3"),
    ];
    for (text, expected) in cases {
        assert_eq!(parse(text).map(|oid| display_arcs(&oid).to_string()).as_deref(), Ok(expected), "{text}");
    }
}

#[test]
fn addresses_in_index_are_parsed_as_printed_or_in_usual_format() {
    const V6: &str = "2.16.254.128.0.0.0.0.0.0.0.0.0.0.0.0.0.1";
    const V6Z: &str = "4.20.254.128.0.0.0.0.0.0.0.0.0.0.0.0.0.1.0.0.1.0";
    let cases = [
        (r#".ipv4."127.0.0.1".161"#, "1.4.127.0.0.1.161"),
        (r#".1."127.0.0.1".161"#, "1.4.127.0.0.1.161"),
        (r#".ipv4.\"127.0.0.1\".161"#, ""),
        (r#"[ipv4]["127.0.0.1"][161]"#, "1.4.127.0.0.1.161"),
        (r#".ipv4z."10.0.0.1%258".161"#, "3.8.10.0.0.1.0.0.1.2.161"),
        (r#".ipv6."fe:80:00:00:00:00:00:00:00:00:00:00:00:00:00:01".161"#, &format!("{V6}.161")),
        (r#".ipv6."fe80::1".161"#, &format!("{V6}.161")),
        (r#".ipv6z."fe:80:0:0:0:0:0:0:0:0:0:0:0:0:0:1%256""#, V6Z),
        (r#".ipv6z."fe80::1%256""#, V6Z),
        (r#".dns."127.0.0.1".161"#, "16.9.49.50.55.46.48.46.48.46.49.161"),
        (r#".unknown."".161"#, "0.0.161"),
        // Text that is not an address of the type is encoded as it is.
        (r#".ipv4."::1""#, "1.3.58.58.49"),
        (r#".ipv4."1.2.3.4%5""#, "1.9.49.46.50.46.51.46.52.37.53"),
        (r#".ipv4z."ABCD""#, "3.4.65.66.67.68"),
        (r#".ipv4."1.2.3.256""#, "1.9.49.46.50.46.51.46.50.53.54"),
        (
            r#".ipv6."+1:0:0:0:0:0:0:0:0:0:0:0:0:0:0:1""#,
            "2.32.43.49.58.48.58.48.58.48.58.48.58.48.58.48.58.48.58.48.58.48.58.48.58.48.58.48.58.48.58.48.58.49",
        ),
        (r#".ipv4.4.127.0.0.1.161"#, "1.4.127.0.0.1.161"),
    ];
    for (index, expected) in cases {
        // The local address of an endpoint is the first part of the index.
        let parsed = parse(&format!("udpEndpointProcess{index}"));
        let expected = Some(expected).filter(|expected| !expected.is_empty());
        let expected = expected.map(|expected| format!("1.3.6.1.2.1.7.7.1.8.{expected}"));
        assert_eq!(parsed.ok().map(|oid| display_arcs(&oid).to_string()), expected, "{index}");
    }
}

#[test]
fn similar_name_is_suggested_for_name_with_one_typo() {
    let cases = [
        ("sysUptime.0", Some("sysUpTime.0")),
        ("sysUpTimee.0", Some("sysUpTime.0")),
        ("sysUpTme.0", Some("sysUpTime.0")),
        ("sysUpTiem.0", Some("sysUpTime.0")),
        ("sysUpTine", Some("sysUpTime")),
        ("sysUpTim", Some("sysUpTime")),
        ("IF-MIB::ifInOctects.3", Some("IF-MIB::ifInOctets.3")),
        ("iftable", Some("ifTable")),
        ("SNMPv2-MIB::ifTabel", None),
        ("NO-MIB::ifTabel", None),
        ("sysUptimes2.0", None),
        ("ifx", None),
        ("", None),
        (".1.3.6", None),
        ("größe.0", None),
    ];
    for (text, expected) in cases {
        assert_eq!(BUILT_IN.similar(text).as_deref(), expected, "{text}");
    }
}

#[test]
fn unknown_names_are_rejected() {
    for text in [
        "",
        ".",
        "..",
        "nosuch",
        "nosuch.3",
        "sysDescr.",
        "sysDescr..0",
        "ISO",
        "sysdescr.0",
        "IF-MIB::sysDescr.0",
        "IF-MIB::",
        "ifDescr[",
        "ifDescr[3",
        "[3]",
        "vacmGroupName[3][",
        "vacmGroupName[3][STRING: ops",
        "ifDescr[3]x",
        "vacmGroupName.3.\"ops",
        "\"ops\"",
        "mib-2.nosuch",
        "1.3.6.\"a\"",
    ] {
        assert_eq!(parse(text), Err(NameError::Unknown(text.into())), "{text}");
    }
    assert_eq!(parse("1.3.6.1.2.1.1.1.0\u{301}"), Err(NameError::NoNumber("0\u{301}".into())));
    assert_eq!(parse("NO-MIB::x"), Err(NameError::UnknownModule("NO-MIB".into())));
    let long = format!("1{}", ".1".repeat(128));
    assert!(parse(&long).is_err());
}

#[test]
fn error_messages_for_invalid_names_match_net_snmp() {
    assert_eq!(
        parse("nosuch.0").unwrap_err().to_string(),
        "Unknown Object Identifier (Sub-id not found: (top) -> nosuch)"
    );
    assert_eq!(parse("IF-MIB::nosuch").unwrap_err().to_string(), "Unknown Object Identifier");
    assert_eq!(parse("NO-MIB::x").unwrap_err().to_string(), "Cannot find module (NO-MIB)");
    for (text, why) in [
        ("sysDescr.x", "x"),
        ("sysName.-1", "-1"),
        ("ifDescr.two", "Index out of range: two (ifIndex)"),
        ("ifDescr.\"a\"", "Index out of range: a (ifIndex)"),
        ("ifDescr.4294967296", "Index out of range: 4294967296 (ifIndex)"),
        ("vacmGroupName.usm.\"ops\"", "Index out of range: usm (vacmSecurityModel)"),
        ("vacmAccessStatus.\"g\".\"\".0.nosuch", "Index out of range: nosuch (vacmAccessSecurityLevel)"),
        ("snmpTargetAddrTimeout.\"a\"", "\"-quote is for variable length strings"),
    ] {
        assert_eq!(parse(text).unwrap_err().to_string(), format!("Unknown Object Identifier ({why})"));
    }
}

#[test]
fn only_root_nodes_are_known_if_no_definitions_are_loaded() {
    assert_eq!(ROOTS_ONLY.parse("iso.3.6.1").as_deref(), Ok(&[1, 3, 6, 1][..]));
    assert_eq!(ROOTS_ONLY.parse("sysDescr.0"), Err(NameError::Unknown("sysDescr.0".into())));
    let found = ROOTS_ONLY.resolve(&[1, 3, 6, 1]).unwrap();
    assert_eq!((found.object.name, found.suffix), ("iso", &[3, 6, 1][..]));
}

#[test]
fn lookup_returns_longest_matching_definition() {
    type Expected = Option<(&'static str, &'static str, usize)>;
    let cases: &[(&[u32], Expected)] = &[
        (&[1, 3, 6, 1, 2, 1, 1, 1, 0], Some(("SNMPv2-MIB", "sysDescr", 1))),
        (&[1, 3, 6, 1, 2, 1, 1, 1], Some(("SNMPv2-MIB", "sysDescr", 0))),
        (&[1, 3, 6, 1, 2, 1, 1, 99, 1], Some(("SNMPv2-MIB", "system", 2))),
        (&[1, 3, 6, 1, 2, 1, 31, 1, 1, 1, 6, 3], Some(("IF-MIB", "ifHCInOctets", 1))),
        (&[1, 3, 6, 1, 4, 1, 99999, 1], Some(("SNMPv2-SMI", "enterprises", 2))),
        (&[1, 3, 6, 1, 6, 3, 1, 1, 5, 4], Some(("IF-MIB", "linkUp", 0))),
        (&[1], Some(("SNMPv2-SMI", "iso", 0))),
        (&[2, 5], Some(("SNMPv2-SMI", "joint-iso-ccitt", 1))),
        (&[0, 0], Some(("SNMPv2-SMI", "zeroDotZero", 0))),
        (&[3], None),
        (&[], None),
    ];
    for (oid, expected) in cases {
        let found = resolve(oid).map(|found| (found.module.name, found.object.name, found.suffix.len()));
        assert_eq!(found, *expected, "{oid:?}");
    }
}

#[test]
fn every_definition_is_found_by_name_and_by_identifier() {
    for (module, object) in in_order() {
        assert_eq!(parse(object.name).unwrap(), object.oid());
        assert_eq!(parse(&format!("{}::{}", module.name, object.name)).unwrap(), object.oid());
        let found = resolve(object.arcs()).unwrap();
        assert_eq!((found.object, found.suffix), (object, &[][..]));
        assert_eq!(module_of(object).unwrap().name, module.name);
    }
}
