use proptest::prelude::*;

use super::*;
use crate::{
    format::OutputFormat,
    modules::{
        community_mib::SNMP_TRAP_ADDRESS,
        if_mib::*,
        snmpv2_mib::*,
        target_mib::SNMP_TARGET_ADDR_RETRY_COUNT,
        usm_mib::{USM_USER_CLONE_FROM, USM_USER_PUBLIC},
    },
};

fn octets(octets: &[u8]) -> Result<OwnedValue, TypedValueError> {
    Ok(OwnedValue::OctetString(octets.to_vec()))
}

fn malformed(text: &str) -> Result<OwnedValue, TypedValueError> {
    Err(TypedValueError::Malformed(text.into()))
}

fn out_of_range(text: &str) -> Result<OwnedValue, TypedValueError> {
    Err(TypedValueError::OutOfRange(text.into()))
}

#[test]
fn values_are_parsed_as_by_net_snmp_snmpset() {
    let long = "x".repeat(65);
    let sys_descr = Oid::new(&[1, 3, 6, 1, 2, 1, 1, 1, 0]).unwrap();
    type Expected = Result<OwnedValue, TypedValueError>;
    let cases: &[(Option<&Object>, char, &str, Expected)] = &[
        (Some(&SYS_CONTACT), 's', "abc", octets(b"abc")),
        (Some(&SYS_CONTACT), '=', "abc", octets(b"abc")),
        (Some(&SYS_CONTACT), 's', "", octets(b"")),
        (
            Some(&SYS_CONTACT),
            'i',
            "5",
            Err(TypedValueError::WrongType { expected: "OCTET STRING", given: "INTEGER" }),
        ),
        (Some(&IF_ADMIN_STATUS), 'i', "up", Ok(OwnedValue::Integer(1))),
        (Some(&IF_ADMIN_STATUS), '=', "up", Ok(OwnedValue::Integer(1))),
        (Some(&IF_ADMIN_STATUS), '=', "2", Ok(OwnedValue::Integer(2))),
        (Some(&IF_ADMIN_STATUS), 'i', "9", Ok(OwnedValue::Integer(9))),
        (Some(&IF_ADMIN_STATUS), 'i', "x", out_of_range("x")),
        (Some(&SNMP_TARGET_ADDR_RETRY_COUNT), 'i', "256", out_of_range("256")),
        (Some(&IF_ALIAS), 's', &long, out_of_range("Value does not match DISPLAY-HINT :: {(0..64)}")),
        (Some(&IF_ALIAS), 'x', &"41".repeat(65), out_of_range("Bad string length :: {(0..64)}")),
        // A wrong type is reported before an invalid value. The agent decides if it accepts NULL.
        (
            Some(&SYS_CONTACT),
            'i',
            "x",
            Err(TypedValueError::WrongType { expected: "OCTET STRING", given: "INTEGER" }),
        ),
        (Some(&SYS_CONTACT), 'n', "", Ok(OwnedValue::Null)),
        (Some(&USM_USER_PUBLIC), 'x', "0a 0b", octets(&[10, 11])),
        (Some(&USM_USER_PUBLIC), 'x', "0x0A0b", octets(&[10, 11])),
        (Some(&USM_USER_PUBLIC), 'x', "0a:0b", octets(&[10, 11])),
        (Some(&USM_USER_PUBLIC), 'x', "0a0", malformed("0a0")),
        (Some(&USM_USER_PUBLIC), 'x', "0g", malformed("0g")),
        (Some(&USM_USER_PUBLIC), 'd', "10 11", octets(&[10, 11])),
        (Some(&USM_USER_PUBLIC), 'd', "10.11", octets(&[10, 11])),
        (Some(&USM_USER_PUBLIC), 'd', "300", malformed("300")),
        (Some(&USM_USER_CLONE_FROM), 'o', "sysDescr.0", Ok(OwnedValue::ObjectId(sys_descr))),
        (
            Some(&USM_USER_CLONE_FROM),
            'o',
            "nosuch",
            Err(TypedValueError::Name(NameError::Unknown("nosuch".into()))),
        ),
        (Some(&SNMP_TRAP_ADDRESS), 'a', "1.2.3.4", Ok(OwnedValue::IpAddress([1, 2, 3, 4]))),
        (Some(&SNMP_TRAP_ADDRESS), 'a', "1.2.3", malformed("1.2.3")),
        (Some(&IF_LAST_CHANGE), 't', "55", Ok(OwnedValue::TimeTicks(55))),
        (Some(&IF_LAST_CHANGE), 't', "x", malformed("x")),
        (Some(&IF_SPEED), 'u', "4294967295", Ok(OwnedValue::Gauge32(u32::MAX))),
        (Some(&IF_SPEED), '=', "4294967296", out_of_range("4294967296")),
        (Some(&IF_HC_IN_OCTETS), '=', "18446744073709551615", Ok(OwnedValue::Counter64(u64::MAX))),
        (Some(&IF_PHYS_ADDRESS), 's', "1:2:ff", octets(&[1, 2, 255])),
        (Some(&IF_PHYS_ADDRESS), 'x', "52540012", octets(&[0x52, 0x54, 0, 0x12])),
        (Some(&IF_PHYS_ADDRESS), 's', "1:2:", out_of_range("1:2:")),
        (Some(&IF_PHYS_ADDRESS), 's', "1:x", out_of_range("1:x")),
        (None, 's', "", octets(b"")),
        (None, 'x', "", octets(b"")),
        (None, 'b', "1 3", octets(&[0x50])),
        (None, 'b', "0,9", octets(&[0x80, 0x40])),
        (None, 'b', "99999999", out_of_range("99999999")),
        (None, 'n', "x", Ok(OwnedValue::Null)),
        (None, 'i', "-3", Ok(OwnedValue::Integer(-3))),
        (None, 'i', "0x10", out_of_range("0x10")),
        (None, 'i', "99999999999", out_of_range("99999999999")),
        (None, 'F', "1.5", Ok(OwnedValue::Opaque(vec![0x9f, 0x78, 4, 0x3f, 0xc0, 0, 0]))),
        (None, 'D', "1.5", Ok(OwnedValue::Opaque(vec![0x9f, 0x79, 8, 0x3f, 0xf8, 0, 0, 0, 0, 0, 0]))),
        (None, 'U', "5", Ok(OwnedValue::Opaque(vec![0x9f, 0x7b, 1, 5]))),
        (None, 'I', "-5", Ok(OwnedValue::Opaque(vec![0x9f, 0x7a, 1, 0xfb]))),
        (None, 'I', "128", Ok(OwnedValue::Opaque(vec![0x9f, 0x7a, 2, 0, 0x80]))),
        (None, '=', "3", Err(TypedValueError::UnknownType)),
        (None, 'q', "3", Err(TypedValueError::UnknownLetter('q'))),
    ];
    for (object, letter, text, expected) in cases {
        assert_eq!(parse(*object, *letter, text), *expected, "{object:?} {letter} {text}");
    }
}

#[test]
fn unchecked_value_parsing_accepts_wrong_types_and_lengths() {
    assert_eq!(parse_unchecked(Some(&SYS_CONTACT), 'i', "5"), Ok(OwnedValue::Integer(5)));
    let long = "x".repeat(65);
    assert_eq!(parse_unchecked(Some(&IF_ALIAS), 's', &long), octets(long.as_bytes()));
}

#[test]
fn review_l6_octet_length_in_display_hint_is_limited() {
    for hint in ["9223372036854775808x", "18446744073709551615x", "99999999999999999999999x", "65536d"] {
        assert_eq!(hint::parse(hint, "0a"), None, "{hint}");
    }
    assert_eq!(hint::parse("18446744073709551615a", "text"), Some(b"text".to_vec()));
}

#[test]
fn error_messages_for_invalid_values_match_net_snmp() {
    let cases = [
        (TypedValueError::UnknownLetter('q'), "Bad object type: q"),
        (TypedValueError::UnknownType, "Bad variable type (\"=\")"),
        (
            TypedValueError::WrongType { expected: "OCTET STRING", given: "INTEGER" },
            "Bad variable type (Type of attribute is OCTET STRING, not INTEGER)",
        ),
        (TypedValueError::Malformed("0a0".into()), "Bad value notation (0a0)"),
        (TypedValueError::OutOfRange("x".into()), "Value out of range (x)"),
    ];
    for (error, expected) in cases {
        assert_eq!(error.to_string(), expected);
    }
}

proptest! {
    #[test]
    fn printed_display_hint_values_and_64_bit_numbers_parse_back(octets: Vec<u8>, signed: i64, unsigned: u64) {
        let quick = OutputFormat { quick: true, ..OutputFormat::default() };
        for (hint, octets) in [("1x:", &octets[..]), ("1d.1d.1d.1d/2d", &[1, 2, 3, 4, 5, 6]), ("255a", b"text")] {
            let mut printed = String::new();
            crate::format::write_by_hint(&mut printed, hint, octets);
            prop_assert_eq!(hint::parse(hint, &printed), Some(octets.to_vec()));
        }
        for (letter, number) in [('I', signed.to_string()), ('U', unsigned.to_string())] {
            let value = parse(None, letter, &number).unwrap();
            let mut printed = String::new();
            quick.value(&mut printed, None, &value.as_value());
            prop_assert_eq!(printed, number);
        }
    }

    #[test]
    fn typed_value_parser_never_panics_on_arbitrary_text(letter: char, text: String) {
        for object in [&SYS_CONTACT, &IF_PHYS_ADDRESS, &IF_ADMIN_STATUS, &USM_USER_CLONE_FROM] {
            let _ = parse(Some(object), letter, &text);
            for letter in "iuctaosxdbnFDIU=".chars() {
                let _ = parse(Some(object), letter, &text);
            }
        }
    }
}
