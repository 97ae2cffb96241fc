use super::*;
use crate::{OidBuf, OidRef, Value};
use proptest::prelude::*;

#[test]
fn reader_rejects_invalid_lengths() {
    let table: [(&[u8], BerError); 9] = [
        (&[0x04], BerError::Truncated),
        (&[0x04, 0x05, 1], BerError::Truncated),
        (&[0x04, 0x80, 0, 0], BerError::BadLength),
        (&[0x04, 0xff], BerError::BadLength),
        (&[0x04, 0x85, 0, 0, 0, 0, 1, 0], BerError::BadLength),
        (&[0x04, 0x89, 0, 0, 0, 0, 0, 0, 0, 0, 1], BerError::BadLength),
        (&[0x04, 0x84, 0x80, 0, 0, 0], BerError::Truncated),
        (&[0x04, 0x84, 0xff, 0xff, 0xff, 0xff], BerError::Truncated),
        (&[0x04, 0x82, 1], BerError::Truncated),
    ];
    for (octets, error) in table {
        assert_eq!(Reader::new(octets).read().unwrap_err(), error, "{octets:02x?}");
    }
}

#[test]
fn reader_accepts_non_minimal_length() {
    assert_eq!(Reader::new(&[0x04, 0x84, 0, 0, 0, 1, 7]).octet_string(), Ok(&[7u8][..]));
}

#[test]
fn smallest_and_largest_integers_decode_and_longer_ones_are_rejected() {
    let table: [(&[u8], Result<i32, BerError>); 8] = [
        (&[], Err(BerError::BadValue)),
        (&[0], Ok(0)),
        (&[0x7f], Ok(127)),
        (&[0x80], Ok(-128)),
        (&[0, 0x80], Ok(128)),
        (&[0x7f, 0xff, 0xff, 0xff], Ok(i32::MAX)),
        (&[0x80, 0, 0, 0], Ok(i32::MIN)),
        (&[0, 0, 0, 0, 1], Err(BerError::BadValue)),
    ];
    for (octets, expected) in table {
        assert_eq!(decode_i32(octets), expected, "{octets:02x?}");
    }
}

#[test]
fn unsigned_decoding_accepts_missing_leading_zero() {
    let table: [(&[u8], Result<u32, BerError>); 7] = [
        (&[], Err(BerError::BadValue)),
        (&[0, 0xff, 0xff, 0xff, 0xff], Ok(u32::MAX)),
        (&[0xff, 0xff, 0xff, 0xff], Ok(u32::MAX)),
        (&[0xff], Err(BerError::BadValue)),
        (&[1, 0, 0, 0, 0], Err(BerError::BadValue)),
        (&[0, 0], Ok(0)),
        (&[0x7f; 9], Err(BerError::BadValue)),
    ];
    for (octets, expected) in table {
        assert_eq!(decode_u32(octets), expected, "{octets:02x?}");
    }
    assert_eq!(decode_u64(&[0, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff]), Ok(u64::MAX));
    assert_eq!(decode_u64(&[0xff; 8]), Ok(u64::MAX));
    assert_eq!(decode_u64(&[1, 0, 0, 0, 0, 0, 0, 0, 0]), Err(BerError::BadValue));
}

#[test]
fn smallest_and_largest_arcs_decode_and_malformed_oids_are_rejected() {
    let table: [(&[u8], Option<&[u32]>); 9] = [
        (&[], None),
        (&[0x00], Some(&[0, 0])),
        (&[0x2b, 6, 1], Some(&[1, 3, 6, 1])),
        (&[0x88, 0x37], Some(&[2, 999])),
        (&[0x2b, 0x8f, 0xff, 0xff, 0xff, 0x7f], Some(&[1, 3, u32::MAX])),
        (&[0x2b, 0x90, 0x80, 0x80, 0x80, 0x00], None),
        (&[0x2b, 0x86], None),
        (&[0x2b, 0x80, 0x01], None),
        (&[0x2b, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f], None),
    ];
    for (octets, expected) in table {
        let mut oid = OidBuf::new();
        let decoded = decode_oid(octets, &mut oid).ok().map(|()| oid.to_vec());
        assert_eq!(decoded.as_deref(), expected, "{octets:02x?}");
        assert_eq!(check_oid(octets).is_ok(), expected.is_some(), "{octets:02x?}");
    }
}

#[test]
fn oid_decoding_accepts_at_most_128_arcs() {
    let mut octets = vec![0x2b];
    octets.extend([1; 126]);
    assert!(check_oid(&octets).is_ok());
    octets.push(1);
    assert_eq!(check_oid(&octets), Err(BerError::BadValue));
    assert_eq!(decode_oid(&octets, &mut OidBuf::new()), Err(BerError::BadValue));
}

#[test]
fn writers_fail_without_writing_when_buffer_is_full() {
    let mut buffer = [0xee; 4];
    let mut writer = ReverseWriter::new(&mut buffer);
    writer.integer(5).unwrap();
    assert_eq!(writer.octet_string(b"ab"), Err(BufferFullError));
    let mut forward = [0xee; 10];
    let mut writer = ForwardWriter::new(&mut forward);
    assert_eq!(writer.var_bind(&[1, 3, 6, 1, 2], &Value::Integer(70_000)), Err(BufferFullError));
    assert!(writer.is_empty());
}

fn any_value() -> impl Strategy<Value = crate::OwnedValue> {
    use crate::OwnedValue as V;
    prop_oneof![
        any::<i32>().prop_map(V::Integer),
        prop::collection::vec(any::<u8>(), 0..300).prop_map(V::OctetString),
        Just(V::Null),
        any_arcs().prop_map(|arcs| V::ObjectId(crate::Oid::new(&arcs).unwrap())),
        any::<[u8; 4]>().prop_map(V::IpAddress),
        any::<u32>().prop_map(V::Counter32),
        any::<u32>().prop_map(V::Gauge32),
        any::<u32>().prop_map(V::TimeTicks),
        prop::collection::vec(any::<u8>(), 0..40).prop_map(V::Opaque),
        any::<u64>().prop_map(V::Counter64),
        Just(V::NoSuchObject),
        Just(V::NoSuchInstance),
        Just(V::EndOfMibView),
    ]
}

fn any_arcs() -> impl Strategy<Value = Vec<u32>> {
    (0..3u32, 0..40u32, prop::collection::vec(any::<u32>(), 0..126)).prop_map(|(root, second, rest)| {
        let mut arcs = vec![root, second];
        arcs.extend(rest);
        arcs
    })
}

proptest! {
    #[test]
    fn encoded_variable_bindings_are_decoded_unchanged(name in any_arcs(), value in any_value()) {
        let mut buffer = vec![0; 4096];
        let mut writer = ForwardWriter::new(&mut buffer);
        writer.var_bind(&name, &value.as_value()).unwrap();
        let written = writer.len();

        let mut reader = Reader::new(&buffer[..written]);
        let mut bind = reader.enter(Tag::SEQUENCE).unwrap();
        reader.finish().unwrap();
        let (tag, content) = bind.read().unwrap();
        prop_assert_eq!(tag, Tag::OBJECT_IDENTIFIER);
        prop_assert_eq!(OidRef::Encoded(content), OidRef::Arcs(&name));
        let (tag, content) = bind.read().unwrap();
        prop_assert_eq!(Value::from_content(tag, content).unwrap(), value.as_value());
        bind.finish().unwrap();
    }

    #[test]
    fn integers_written_by_reverse_writer_are_read_back_unchanged(value: i32, number: u32) {
        let mut buffer = [0; 32];
        let mut writer = ReverseWriter::new(&mut buffer);
        writer.unsigned(Tag::INTEGER, number).unwrap();
        writer.integer(value).unwrap();
        let range = writer.range();
        let mut reader = Reader::new(&buffer[range]);
        prop_assert_eq!(reader.integer(), Ok(value));
        prop_assert_eq!(reader.unsigned(), Ok(number));
        prop_assert!(reader.finish().is_ok());
    }

    #[test]
    fn oids_written_by_reverse_writer_are_read_back_unchanged(arcs in any_arcs()) {
        let mut buffer = [0; 1024];
        let mut writer = ReverseWriter::new(&mut buffer);
        writer.oid(&OidRef::Arcs(&arcs)).unwrap();
        let content = Reader::new(writer.written()).expect(Tag::OBJECT_IDENTIFIER).unwrap();
        prop_assert!(check_oid(content).is_ok());
        prop_assert_eq!(OidRef::Encoded(content), OidRef::Arcs(&arcs));
    }

    #[test]
    fn ber_reader_never_panics_on_arbitrary_octets(octets in prop::collection::vec(any::<u8>(), 0..200)) {
        let mut reader = Reader::new(&octets);
        while let Ok((tag, content)) = reader.read() {
            let _ = Value::from_content(tag, content);
        }
    }
}
