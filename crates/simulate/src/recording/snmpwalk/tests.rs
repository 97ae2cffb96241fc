use portreeve_mib::format::OutputFormat;
use portreeve_smi::{
    OwnedValue::{self, *},
    Value, display_arcs,
};

use super::super::{LineError, Recording, RecordingFormat};
use super::*;

/// Reads a recording of one variable and returns its value.
fn value(text: &str) -> OwnedValue {
    let (recording, errors) = Recording::read(RecordingFormat::Snmpwalk, text.as_bytes());
    assert_eq!(errors, [], "{text}");
    assert_eq!(recording.len(), 1, "{text}");
    recording.value(0).unwrap().into()
}

fn octets(text: &str) -> OwnedValue {
    OctetString(text.as_bytes().to_vec())
}

#[test]
fn values_of_all_types_are_parsed_by_their_type_prefix() {
    for (text, expected) in [
        (".1.3.6.1.4.1.9.1 = INTEGER: -5", Integer(-5)),
        (".1.3.6.1.4.1.9.1 = INTEGER: up(1)", Integer(1)),
        (".1.3.6.1.4.1.9.1 = INTEGER: 1500 octets", Integer(1500)),
        ("IF-MIB::ifOperStatus.3 = INTEGER: down", Integer(2)),
        ("iso.3.6.1.4.1.9.1 = Counter32: 5", Counter32(5)),
        (".iso.3.6.1.4.1.9.1 = Gauge32: 5 milliseconds", Gauge32(5)),
        ("SNMPv2-MIB::sysUpTime.0 = Timeticks: (14096763) 1 day, 15:09:27.63", TimeTicks(14_096_763)),
        (".1.3.6.1.4.1.9.1 = Timeticks: 7", TimeTicks(7)),
        (".1.3.6.1.4.1.9.1 = Counter64: 18446744073709551615", Counter64(u64::MAX)),
        (".1.3.6.1.4.1.9.1 = STRING: \"a \\\"b\\\" \\\\ c\"", octets("a \"b\" \\ c")),
        ("SNMPv2-MIB::sysDescr.0 = STRING: a = b", octets("a = b")),
        (".1.3.6.1.4.1.9.1 = STRING: ", octets("")),
        (".1.3.6.1.4.1.9.1 = \"\"", octets("")),
        (
            "IF-MIB::ifPhysAddress.2 = STRING: 52:54:0:a1:b2:c3",
            OctetString(vec![0x52, 0x54, 0, 0xa1, 0xb2, 0xc3]),
        ),
        (".1.3.6.1.4.1.9.1 = Hex-STRING: 00 FF A0 ", OctetString(vec![0, 255, 160])),
        (".1.3.6.1.4.1.9.1 = BITS: 80 01 one(0) two(15) ", OctetString(vec![0x80, 1])),
        (".1.3.6.1.4.1.9.1 = OID: iso.3.6.1", ObjectId("1.3.6.1".parse().unwrap())),
        (".1.3.6.1.4.1.9.1 = OID: .0.0", ObjectId("0.0".parse().unwrap())),
        (".1.3.6.1.4.1.9.1 = OID: ccitt.0", ObjectId("0.0".parse().unwrap())),
        (".1.3.6.1.4.1.9.1 = OID: SNMPv2-MIB::sysDescr.0", ObjectId("1.3.6.1.2.1.1.1.0".parse().unwrap())),
        (".1.3.6.1.4.1.9.1 = IpAddress: 10.0.0.1", IpAddress([10, 0, 0, 1])),
        (".1.3.6.1.4.1.9.1 = Network Address: 0A:00:00:01", IpAddress([10, 0, 0, 1])),
        (".1.3.6.1.4.1.9.1 = Opaque: Float: 0.25", Opaque(vec![0x9f, 0x78, 4, 0x3e, 0x80, 0, 0])),
        (".1.3.6.1.4.1.9.1 = OPAQUE: 01 02", Opaque(vec![1, 2])),
        (".1.3.6.1.4.1.9.1 = NULL", Null),
        ("SNMPv2-MIB::sysServices.0 = Wrong Type (should be INTEGER): Gauge32: 7", Gauge32(7)),
    ] {
        assert_eq!(value(text), expected, "{text}");
    }
}

#[test]
fn value_without_type_prefix_is_parsed_by_mib_definition_or_syntax() {
    for (text, expected) in [
        (".1.3.6.1.2.1.1.3.0 = 1:15:09:27.63", TimeTicks(14_096_763)),
        (".1.3.6.1.2.1.2.2.1.10.1 = 5", Counter32(5)),
        (".1.3.6.1.2.1.2.2.1.8.1 = up", Integer(1)),
        (".1.3.6.1.2.1.1.1.0 = \"a gate\"", octets("a gate")),
        (".1.3.6.1.2.1.1.1.0 = a gate", octets("a gate")),
        (".1.3.6.1.2.1.2.2.1.6.1 = \"52 54 00 \"", OctetString(vec![0x52, 0x54, 0])),
        (".1.3.6.1.4.1.9.1 = 5", Integer(5)),
        (".1.3.6.1.4.1.9.1 = 4294967295", Gauge32(u32::MAX)),
        (".1.3.6.1.4.1.9.1 = 4294967296", Counter64(1 << 32)),
        (".1.3.6.1.4.1.9.1 = 0:0:00:01.50", TimeTicks(150)),
        (".1.3.6.1.4.1.9.1 = 10.0.0.1", IpAddress([10, 0, 0, 1])),
        (".1.3.6.1.4.1.9.1 = .1.3.6.1.4", ObjectId("1.3.6.1.4".parse().unwrap())),
        (".1.3.6.1.4.1.9.1 = plain words", octets("plain words")),
    ] {
        assert_eq!(value(text), expected, "{text}");
    }
}

#[test]
fn recorded_names_with_addresses_are_read_back_to_the_same_identifiers() {
    let identifiers = [
        "1.3.6.1.2.1.4.24.7.1.7.1.4.10.0.0.0.8.2.0.0.1.4.192.0.2.1",
        "1.3.6.1.2.1.4.24.7.1.7.2.16.32.1.13.184.0.0.0.0.0.0.0.0.0.0.0.0.64.2.0.7.2.16.254.128.0.0.0.0.0.0.0.0.0.0.0.0.0.1",
        "1.3.6.1.2.1.6.19.1.7.1.4.127.0.0.1.8080.1.4.10.0.0.2.99",
        "1.3.6.1.2.1.6.19.1.7.4.20.254.128.0.0.0.0.0.0.0.0.0.0.0.0.0.1.0.0.0.3.80.3.8.10.0.0.1.0.0.0.3.7",
        "1.3.6.1.2.1.6.20.1.4.1.4.0.0.0.0.22",
        "1.3.6.1.2.1.6.20.1.4.1.4.127.0.0.1.22",
        "1.3.6.1.2.1.7.7.1.8.2.16.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.161.2.16.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.5",
        "1.3.6.1.2.1.7.7.1.8.16.10.110.115.46.101.120.97.109.112.108.101.53.0.0.0.9",
    ];
    for letters in ["", "f", "s", "X", "sX", "fX"] {
        let mut format = OutputFormat::default();
        format.apply(letters).unwrap();
        let mut text = String::new();
        for identifier in identifiers {
            let oid: Oid = identifier.parse().unwrap();
            format.variable(&mut text, oid.arcs(), &Value::Integer(1));
            text.push('\n');
        }
        let (recording, errors) = Recording::read(RecordingFormat::Snmpwalk, text.as_bytes());
        assert_eq!(errors, [], "{text}");
        let read: Vec<String> =
            (0..recording.len()).map(|row| format!("1.{}", display_arcs(recording.name(row)))).collect();
        assert_eq!(read, identifiers, "{text}");
    }
}

#[test]
fn multi_line_value_ends_before_next_name_or_at_closing_quote() {
    for (text, expected) in [
        (
            ".1.3.9.1 = STRING: \"one\n.1.3.9.2 = INTEGER: 5\nthree\"\n",
            octets("one\n.1.3.9.2 = INTEGER: 5\nthree"),
        ),
        (".1.3.9.1 = STRING: \"ends in a quote \\\"\n\"\n", octets("ends in a quote \"\n")),
        ("SNMPv2-MIB::sysDescr.0 = STRING: one\ntwo = 2\n\nfour\n\n", octets("one\ntwo = 2\n\nfour")),
        (".1.3.9.1 = Hex-STRING: 00 01 \n02 03 \n", OctetString(vec![0, 1, 2, 3])),
        (".1.3.9.1 = Hex-STRING: 00 \nEnd of MIB\n", OctetString(vec![0])),
        (".1.3.9.1 = STRING: \"windows\"\r\n", octets("windows")),
    ] {
        assert_eq!(value(text), expected, "{text}");
    }
}

#[test]
fn invalid_snmpwalk_lines_are_skipped_and_reported() {
    let text = b"walk of a router\n\
        .1.3.6.1.2.1.1.5.0 = STRING: \"a\"\n\
        NOBODYS-MIB::thing.0 = INTEGER: 5\n\
        .1.3.9.1 = INTEGER: many\n\
        .1.3.9.2 = Counter32: -1\n\
        .1.3.9.3 = Timeticks: (x) 0\n\
        .1.3.9.4 = Hex-STRING: 0G\n\
        .1.3.9.5 = OID: NOBODYS-MIB::thing\n\
        .1.3.9.6 = IpAddress: 1.2.3\n\
        .1.3.9.7 = IpAddress: \xff\n\
        .1.3.6.1.2.1.1.9.0 = No Such Object available on this agent at this OID\n\
        .1.3.6.1.2.1.1.6.0 = STRING: \"b\"\n\
        .1.3.9.8 = STRING: \"open\n";
    let (recording, errors) = Recording::read(RecordingFormat::Snmpwalk, text);
    assert_eq!(recording.len(), 2);
    let expected = [
        (1, SyntaxError::Variable),
        (3, SyntaxError::Name),
        (4, SyntaxError::Number),
        (5, SyntaxError::Number),
        (6, SyntaxError::TimeTicks),
        (7, SyntaxError::Hexadecimal),
        (8, SyntaxError::ObjectId),
        (9, SyntaxError::IpAddress),
        (10, SyntaxError::Octets),
        (13, SyntaxError::Quote),
    ];
    assert_eq!(errors, expected.map(|(line, expected)| LineError { line, expected }));
    assert!(errors[1].to_string().starts_with("3: expected the name of an instance"));
}
