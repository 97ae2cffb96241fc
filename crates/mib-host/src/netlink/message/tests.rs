use proptest::prelude::*;

use super::*;

fn attribute(kind: u16, content: &[u8]) -> Vec<u8> {
    let length = u16::try_from(ATTRIBUTE_HEADER + content.len()).unwrap();
    let mut octets = [length.to_ne_bytes(), kind.to_ne_bytes()].concat();
    octets.extend(content);
    octets.resize(aligned(octets.len()), 0);
    octets
}

#[test]
fn netlink_attributes_are_read_in_order_and_padding_is_skipped() {
    let octets = [attribute(3, b"lo\0"), attribute(0x8012, b""), attribute(4, &[1, 2, 3, 4])].concat();
    let read: Vec<_> = Attributes(&octets).collect();
    assert_eq!(read, [(3, &b"lo\0"[..]), (0x12, b""), (4, &[1, 2, 3, 4])]);
}

#[test]
fn iteration_over_netlink_messages_ends_at_invalid_length() {
    for length in [0u16, 3, 9, u16::MAX] {
        let mut octets = attribute(1, &[7; 4]);
        octets[..2].copy_from_slice(&length.to_ne_bytes());
        assert_eq!(Attributes(&octets).count(), 0, "length {length}");
    }
    let mut octets = vec![0; MESSAGE_HEADER];
    octets[..4].copy_from_slice(&u32::MAX.to_ne_bytes());
    assert_eq!(Messages(&octets).count(), 0);
}

proptest! {
    #[test]
    fn number_of_messages_read_from_arbitrary_octets_is_limited(octets: Vec<u8>) {
        prop_assert!(Messages(&octets).count() <= octets.len());
        prop_assert!(Attributes(&octets).count() <= octets.len());
    }
}
