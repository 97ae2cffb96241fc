use super::{HeaderError, Kind, SnmpHeader};

/// A GET of SNMPv2c with request-id 0x01020304.
const GET: &[u8] = b"\x30\x26\x02\x01\x01\x04\x06public\xa0\x19\x02\x04\x01\x02\x03\x04\x02\x01\x00\x02\x01\x00\x30\x0b\x30\x09\x06\x05\x2b\x06\x01\x02\x01\x05\x00";
/// The beginning of an encrypted message of SNMPv3 with msgID 5.
const V3: &[u8] =
    b"\x30\x81\x80\x02\x01\x03\x30\x0e\x02\x01\x05\x02\x03\x00\xff\xe3\x04\x01\x07\x02\x01\x03\x04";

#[test]
fn get_is_a_request_with_its_request_id() {
    let header = SnmpHeader::read(GET).unwrap();
    assert_eq!(header, SnmpHeader { kind: Kind::Request, id: 0x0102_0304, length: GET.len() });
}

#[test]
fn kinds_follow_from_the_pdu() {
    for (tag, kind) in [
        (0xa1, Kind::Request),
        (0xa2, Kind::Response),
        (0xa3, Kind::Request),
        (0xa4, Kind::Notification),
        (0xa5, Kind::Request),
        (0xa6, Kind::Request),
        (0xa7, Kind::Notification),
    ] {
        let mut octets = GET.to_vec();
        octets[13] = tag;
        assert_eq!(SnmpHeader::read(&octets).map(|header| header.kind), Ok(kind), "{tag:x}");
    }
    let mut octets = GET.to_vec();
    octets[13] = 0xa9;
    assert_eq!(SnmpHeader::read(&octets), Err(HeaderError::NotSnmp));
}

#[test]
fn reportable_flag_marks_requests_of_v3() {
    let header = SnmpHeader::read(V3).unwrap();
    assert_eq!(header, SnmpHeader { kind: Kind::Request, id: 5, length: 0x83 });
    let mut response = V3.to_vec();
    response[18] = 0x03;
    assert_eq!(SnmpHeader::read(&response).map(|header| header.kind), Ok(Kind::Response));
}

#[test]
fn every_beginning_of_a_header_is_incomplete() {
    for (octets, header) in [(GET, 21), (V3, 19)] {
        for end in 0..header {
            assert_eq!(SnmpHeader::read(&octets[..end]), Err(HeaderError::Incomplete), "{end}");
        }
        assert!(SnmpHeader::read(&octets[..header]).is_ok());
    }
}

#[test]
fn other_octets_are_rejected() {
    let huge_community = b"\x30\x26\x02\x01\x01\x04\x84\x00\x0f\xff\xff";
    let huge_message = b"\x30\x84\xff\xff\xff\xff\x02\x01\x01";
    let version_2 = b"\x30\x26\x02\x01\x02\x04\x06public";
    let indefinite = b"\x30\x80\x02\x01\x01";
    for octets in
        [&b"SSH-2.0-OpenSSH"[..], b"\x16\x03\x01", huge_community, huge_message, version_2, indefinite]
    {
        assert_eq!(SnmpHeader::read(octets), Err(HeaderError::NotSnmp), "{octets:x?}");
    }
}
