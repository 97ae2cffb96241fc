use super::*;

const ENGINE_ID: &[u8] = &[0x80, 0, 0, 0, 1];

/// Encodes the content of msgSecurityParameters with these fields.
fn encoded(engine_id: &[u8], boots: i32, time: i32, user_name: &[u8]) -> Vec<u8> {
    let mut buffer = [0; 512];
    let mut writer = ReverseWriter::new(&mut buffer);
    writer.octet_string(b"saltsalt").unwrap();
    writer.octet_string(&[7; 12]).unwrap();
    writer.octet_string(user_name).unwrap();
    writer.integer(time).unwrap();
    writer.integer(boots).unwrap();
    writer.octet_string(engine_id).unwrap();
    writer.wrap(Tag::SEQUENCE, 0).unwrap();
    writer.written().to_vec()
}

fn parse(octets: &[u8]) -> Result<SecurityParameters, BerError> {
    SecurityParameters::parse(octets, 0..octets.len())
}

//= rfc3414#3.2-2
//= type=test
#[test]
fn parsed_parameter_ranges_are_offsets_in_the_whole_message() {
    let parameters = encoded(ENGINE_ID, 3, 0x7fff_ffff, b"alice");
    let message = [b"a header ".as_slice(), &parameters, b" and data"].concat();
    let found = SecurityParameters::parse(&message, 9..9 + parameters.len()).unwrap();
    assert_eq!(message[found.engine_id], *ENGINE_ID);
    assert_eq!((found.clock.boots.get(), found.clock.time), (3, 0x7fff_ffff));
    assert_eq!(message[found.user_name], *b"alice");
    assert_eq!(message[found.authentication], [7; 12]);
    assert_eq!(message[found.privacy], *b"saltsalt");
}

//= rfc3414#3.2-1
//= type=test
#[test]
fn parameters_out_of_range_are_rejected() {
    assert!(parse(&encoded(ENGINE_ID, -1, 0, b"alice")).is_err());
    assert!(parse(&encoded(ENGINE_ID, i32::MIN, 0, b"alice")).is_err());
    assert!(parse(&encoded(ENGINE_ID, 0, -1, b"alice")).is_err());
    assert!(parse(&encoded(ENGINE_ID, 0, 0, &[b'a'; 33])).is_err());
    assert!(parse(&encoded(ENGINE_ID, i32::MAX, i32::MAX, &[b'a'; 32])).is_ok());
    assert!(parse(&encoded(&[], 0, 0, &[])).is_ok());
}

#[test]
fn truncated_or_extended_parameters_are_rejected() {
    let parameters = encoded(ENGINE_ID, 3, 4, b"alice");
    for len in 0..parameters.len() {
        assert!(parse(&parameters[..len]).is_err(), "{len}");
    }
    assert_eq!(parse(&[&parameters[..], &[0]].concat()), Err(BerError::TrailingOctets));
    assert_eq!(SecurityParameters::parse(&parameters, 0..parameters.len() + 1), Err(BerError::Truncated));
}

#[test]
fn encoded_parameters_are_parsed_back_with_a_digest_of_zeros() {
    for mac_len in [0, 12, 16, 24, 32, 48] {
        let mut buffer = [0xee; 512];
        let mut writer = ReverseWriter::new(&mut buffer);
        writer.raw(b"data").unwrap();
        let clock = ClockReading { boots: EngineBoots::new(9).unwrap(), time: 1000 };
        let new =
            NewParameters { engine_id: ENGINE_ID, clock, user_name: b"bob", mac_len, salt: b"12345678" };
        let octets_after_digest = new.prepend(&mut writer).unwrap();
        let message = writer.written();

        let range = Reader::new(message).range(Tag::OCTET_STRING).unwrap();
        let found = SecurityParameters::parse(message, range).unwrap();
        assert_eq!(message[found.engine_id], *ENGINE_ID);
        assert_eq!(found.clock, clock);
        assert_eq!(message[found.user_name], *b"bob");
        assert_eq!(message[found.privacy], *b"12345678");
        assert_eq!(message[found.authentication.clone()], vec![0; mac_len]);
        assert_eq!(message.len() - octets_after_digest, found.authentication.end);
    }
}

#[test]
fn digest_is_computed_with_its_own_field_set_to_zeros() {
    let message = b"before DIGEST after";
    let parts = around_digest(message, &(7..13)).unwrap();
    assert_eq!(parts.concat(), b"before \0\0\0\0\0\0 after");
    assert!(around_digest(&[0; 60], &(0..49)).is_none());
    assert!(around_digest(message, &(15..20)).is_none());
}
