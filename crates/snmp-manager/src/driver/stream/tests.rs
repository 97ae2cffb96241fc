use super::*;

#[test]
fn message_length_is_returned_when_header_is_complete() {
    let table: [(&[u8], Option<usize>); 7] = [
        (&[], None),
        (&[0x30], None),
        (&[0x30, 0], Some(2)),
        (&[0x30, 0x7f], Some(129)),
        (&[0x30, 0x82, 1], None),
        (&[0x30, 0x82, 1, 0], Some(260)),
        (&[0x30, 0x84, 0, 0, 1, 0, 9], Some(262)),
    ];
    for (octets, expected) in table {
        assert_eq!(message_len(octets).unwrap(), expected, "{octets:?}");
    }
}

#[test]
fn invalid_or_oversized_message_header_is_rejected() {
    let table: [&[u8]; 4] = [&[0x31, 0], &[0x30, 0x80], &[0x30, 0x85, 0], &[0x30, 0x84, 0xff, 0, 0, 0]];
    for octets in table {
        assert!(message_len(octets).is_err(), "{octets:?}");
    }
}
