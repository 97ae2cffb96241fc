use super::*;

#[test]
fn a_length_is_known_as_soon_as_its_header_is() {
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
        assert_eq!(announced(octets).unwrap(), expected, "{octets:?}");
    }
}

#[test]
fn what_cannot_be_a_message_ends_the_connection() {
    let table: [&[u8]; 4] = [&[0x31, 0], &[0x30, 0x80], &[0x30, 0x85, 0], &[0x30, 0x84, 0xff, 0, 0, 0]];
    for octets in table {
        assert!(announced(octets).is_err(), "{octets:?}");
    }
}
