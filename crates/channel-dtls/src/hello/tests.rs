use super::{ClientHello, FirstResponse, OfferedVersions};

#[test]
fn hello_parser_extracts_every_field() {
    let octets = hello(&[7; 20], Some(&[0xfe, 0xfc, 0xfe, 0xfd]));
    let hello = ClientHello::parse(&octets).unwrap();
    assert_eq!(hello.sequence, [0, 0, 0, 0, 0, 9]);
    assert_eq!(hello.version_and_random.len(), 34);
    assert_eq!(hello.session_id, b"");
    assert_eq!(hello.cookie, [7; 20]);
    assert_eq!(hello.versions, Some(OfferedVersions { dtls12: true, dtls13: true }));
    assert_eq!(hello.record_len, octets.len());
}

#[test]
fn dtls_versions_are_read_from_the_supported_versions_extension() {
    for (listed, dtls12, dtls13) in [
        (None, true, false),
        (Some(&[0xfe, 0xfd][..]), true, false),
        (Some(&[0xfe, 0xfc]), false, true),
        (Some(&[0xfe, 0xfd, 0xfe, 0xfc]), true, true),
        (Some(&[3, 4]), false, false),
        // The octets of DTLS 1.3 are there, but not at an even offset, so they are not a version.
        (Some(&[0, 0xfe, 0xfc, 0]), false, false),
    ] {
        let octets = hello(&[], listed);
        assert_eq!(
            ClientHello::parse(&octets).unwrap().versions,
            Some(OfferedVersions { dtls12, dtls13 }),
            "{listed:?}"
        );
    }
}

#[test]
fn hello_parser_rejects_truncated_input() {
    let octets = hello(&[7; 20], Some(&[0xfe, 0xfc]));
    for length in 0..octets.len() {
        assert_eq!(ClientHello::parse(&octets[..length]), None, "{length}");
    }
}

#[test]
fn first_fragment_of_hello_is_parsed_if_it_contains_the_cookie() {
    let whole = hello(&[7; 20], Some(&[0xfe, 0xfd]));
    let complete = ClientHello::parse(&whole).unwrap();
    let body_len = whole.len() - HEADERS;
    let through_cookie = 2 + 32 + 1 + 1 + 20;
    for length in 0..body_len {
        let octets = first_fragment(&whole, length);
        let Some(parsed) = ClientHello::parse(&octets) else {
            assert!(length < through_cookie, "{length}");
            continue;
        };
        assert!(length >= through_cookie, "{length}");
        let expected = ClientHello { versions: None, record_len: HEADERS + length, ..complete };
        assert_eq!(parsed, expected, "{length}");
    }
}

#[test]
fn versions_in_fragment_are_known_if_it_shows_their_list_or_a_key_share() {
    // The list of versions is the last extension.
    let whole = hello(&[], Some(&[0xfe, 0xfc]));
    let both = OfferedVersions { dtls12: true, dtls13: true };
    let versions = |octets: &[u8]| ClientHello::parse(octets).unwrap().versions;
    let mut fragment = first_fragment(&whole, whole.len() - HEADERS - 1);
    assert_eq!(versions(&fragment), None);
    let position = whole.len() - SUPPORTED_VERSIONS_LEN;
    assert_eq!(fragment[position..position + 2], [0, 43]);
    fragment[position + 1] = 51;
    assert_eq!(versions(&fragment), Some(both));
    // The message continues after the list.
    let mut fragment = whole.clone();
    fragment[16] += 9;
    assert_eq!(versions(&fragment), Some(OfferedVersions { dtls12: false, dtls13: true }));
    // A client of DTLS 1.0 has no such list.
    let mut fragment = first_fragment(&whole, 40);
    fragment[HEADERS + 1] = 0xff;
    assert_eq!(versions(&fragment), Some(OfferedVersions { dtls12: false, dtls13: false }));
}

#[test]
fn hello_parser_rejects_later_fragments_and_too_long_hellos() {
    let whole = hello(&[], None);
    let fragment = first_fragment(&whole, 40);
    assert!(ClientHello::parse(&fragment).is_some());
    for (index, value) in [(21, 1), (15, 0x40)] {
        let mut octets = fragment.clone();
        octets[index] = value;
        assert_eq!(ClientHello::parse(&octets), None, "octet {index}");
    }
    // A fragment cannot be longer than the message.
    let mut octets = whole;
    octets[16] -= 1;
    assert_eq!(ClientHello::parse(&octets), None);
}

#[test]
fn hello_parser_rejects_wrong_lengths_and_other_record_types() {
    for (index, value) in [(0, 23), (1, 3), (3, 1), (4, 1), (13, 2), (14, 1), (19, 1), (22, 9), (24, 9)] {
        let mut octets = hello(&[], None);
        octets[index] = value;
        assert_eq!(ClientHello::parse(&octets), None, "octet {index}");
    }
}

#[test]
fn hello_parser_ignores_octets_after_first_record() {
    let mut octets = hello(&[], None);
    octets.extend_from_slice(&[1, 2, 3]);
    assert!(ClientHello::parse(&octets).is_some());
}

/// Returns a ClientHello in record 9 of epoch 0.
fn hello(cookie: &[u8], versions: Option<&[u8]>) -> Vec<u8> {
    let mut body = vec![0xfe, 0xfd];
    body.extend([3; 32]);
    body.push(0);
    body.push(cookie.len() as u8);
    body.extend(cookie);
    body.extend([0, 2, 0xc0, 0x2b, 1, 0]);
    if let Some(versions) = versions {
        let mut extensions = vec![0, 22, 0, 0, 0, 43, 0, versions.len() as u8 + 1, versions.len() as u8];
        extensions.extend(versions);
        body.extend([0, extensions.len() as u8]);
        body.extend(extensions);
    }
    let mut handshake = vec![1, 0, 0, body.len() as u8, 0, 0, 0, 0, 0, 0, 0, body.len() as u8];
    handshake.extend(body);
    let mut record = vec![22, 0xfe, 0xff, 0, 0, 0, 0, 0, 0, 0, 9, 0, handshake.len() as u8];
    record.extend(handshake);
    record
}

/// Returns a record with the first `length` octets of the ClientHello in `whole`.
fn first_fragment(whole: &[u8], length: usize) -> Vec<u8> {
    let mut octets = whole[..HEADERS + length].to_vec();
    octets[12] = (12 + length) as u8;
    octets[24] = length as u8;
    octets
}

#[test]
fn first_datagram_from_the_server_is_classified_by_its_header() {
    let record = |kind: u8, version: u8, content: &[u8]| {
        let length = u16::try_from(content.len()).unwrap().to_be_bytes();
        [&[kind, 0xfe, version, 0, 0, 0, 0, 0, 0, 0, 0][..], &length, content].concat()
    };
    let alert = record(21, 0xfd, &[2, 40]);
    let hello_verify = record(22, 0xff, &[3, 0, 0, 3, 0, 0, 0, 0, 0, 0, 0, 3, 0xfe, 0xff, 0]);
    let server_hello = record(22, 0xfd, &[2; 60]);
    let client_hello = record(22, 0xfd, &[1; 60]);
    for (datagram, expected) in [
        (&hello_verify[..], FirstResponse::CookieRequest),
        (&server_hello[..], FirstResponse::Record),
        (&alert[..], FirstResponse::Record),
        (&[0b0010_1111, 0, 0][..], FirstResponse::Record),
        (&client_hello[..], FirstResponse::ClientHello),
        (&b"HTTP/1.1 400"[..], FirstResponse::NotDtls),
        (&[22, 3, 3, 0, 0][..], FirstResponse::NotDtls),
        (&[0x80, 0x29, 2, 1][..], FirstResponse::NotDtls),
        (&[][..], FirstResponse::NotDtls),
    ] {
        assert_eq!(FirstResponse::classify(datagram), expected, "{datagram:?}");
    }
}

/// The length of the headers of a record and of its handshake message.
const HEADERS: usize = 13 + 12;
/// The length of the extension with a list of one version.
const SUPPORTED_VERSIONS_LEN: usize = 2 + 2 + 1 + 2;
