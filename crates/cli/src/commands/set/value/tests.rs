use super::*;

const SYS_CONTACT: &[u32] = &[1, 3, 6, 1, 2, 1, 1, 4, 0];
const IF_ADMIN_STATUS: &[u32] = &[1, 3, 6, 1, 2, 1, 2, 2, 1, 7, 1];
const NOWHERE: &[u32] = &[1, 3, 6, 1, 9, 9];

fn octets(octets: &[u8]) -> Result<OwnedValue, String> {
    Ok(OwnedValue::OctetString(octets.to_vec()))
}

#[test]
fn every_type_is_read() {
    let table = [
        ('i', "-5", Ok(OwnedValue::Integer(-5))),
        ('u', "4294967295", Ok(OwnedValue::Gauge32(u32::MAX))),
        ('t', "100", Ok(OwnedValue::TimeTicks(100))),
        ('U', "18446744073709551615", Ok(OwnedValue::Counter64(u64::MAX))),
        ('a', "10.0.0.1", Ok(OwnedValue::IpAddress([10, 0, 0, 1]))),
        ('o', ".1.3.6", Ok(OwnedValue::ObjectId(Oid::new(&[1, 3, 6]).unwrap()))),
        ('s', "a b", octets(b"a b")),
        ('s', "", octets(b"")),
        ('x', "66 6f 0x6F", octets(b"foo")),
        ('x', "666f6F", octets(b"foo")),
        ('d', "102.111 111", octets(b"foo")),
        ('b', "1,3 9", octets(&[0b0101_0000, 0b0100_0000])),
        ('n', "", Ok(OwnedValue::Null)),
    ];
    for (kind, text, expected) in table {
        assert_eq!(read(NOWHERE, kind, text), expected, "{kind} {text}");
    }
}

#[test]
fn what_is_no_value_says_so_as_net_snmp_does() {
    let table = [
        ('i', "foo", "Value out of range (foo)"),
        ('u', "-5", "Bad value notation (-5)"),
        ('t', "foo", "Bad value notation (foo)"),
        ('a', "foo", "Bad value notation (foo)"),
        ('x', "0G", "Bad value notation (0G)"),
        ('x', "666", "Bad value notation (666)"),
        ('d', "300", "Bad value notation (300)"),
        ('b', "x", "Value out of range (x)"),
        ('b', "99999999999", "Value out of range (99999999999)"),
        ('=', "x", "Bad variable type (\"=\")"),
    ];
    for (kind, text, expected) in table {
        assert_eq!(read(NOWHERE, kind, text), Err(expected.to_owned()), "{kind} {text}");
    }
}

#[test]
fn definitions_give_types_and_labels() {
    assert_eq!(read(IF_ADMIN_STATUS, 'i', "up"), Ok(OwnedValue::Integer(1)));
    assert_eq!(read(IF_ADMIN_STATUS, '=', "down"), Ok(OwnedValue::Integer(2)));
    assert_eq!(read(SYS_CONTACT, '=', "me"), octets(b"me"));
}
