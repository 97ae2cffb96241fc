use super::FramingError::{Malformed, TooLong};
use super::message_length;

#[test]
fn message_length_is_parsed_from_header() {
    let cases: &[(&[u8], _)] = &[
        (&[], Ok(None)),
        (&[0x30], Ok(None)),
        (&[0x30, 0x00], Ok(Some(2))),
        (&[0x30, 0x7f], Ok(Some(129))),
        (&[0x30, 0x80], Err(Malformed)),
        (&[0x30, 0x81], Ok(None)),
        (&[0x30, 0x81, 0x80], Ok(Some(131))),
        // The length field is longer than necessary, but valid.
        (&[0x30, 0x84, 0, 0, 0, 5], Ok(Some(11))),
        (&[0x30, 0x82, 0x01], Ok(None)),
        (&[0x30, 0x82, 0x03, 0xe4], Ok(Some(1000))),
        (&[0x30, 0x82, 0x03, 0xe5], Err(TooLong)),
        (&[0x30, 0x84, 0xff, 0xff, 0xff], Ok(None)),
        (&[0x30, 0x84, 0xff, 0xff, 0xff, 0xff], Err(TooLong)),
        (&[0x30, 0x85, 0, 0, 0, 0, 5], Err(Malformed)),
        (&[0x30, 0xff], Err(Malformed)),
        (&[0x31, 0x00], Err(Malformed)),
        (b"GET / HTTP/1.1", Err(Malformed)),
    ];
    for (stream, expected) in cases {
        assert_eq!(message_length(stream, 1000), *expected, "{stream:02x?}");
    }
}
