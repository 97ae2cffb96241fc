//! Tests that parsing never panics on arbitrary octets, and that every parsed PDU can be iterated
//! to its end.

use portreeve_smi::ber::Reader;
use portreeve_snmp_message::{CommunityMessage, Pdu, ScopedPdu, TrapV1, V3Message, peek_version};
use proptest::prelude::*;

proptest! {
    #[test]
    fn message_parsers_never_panic_on_arbitrary_octets(octets in prop::collection::vec(any::<u8>(), 0..200)) {
        let _ = peek_version(&octets);
        let _ = V3Message::parse(&octets);
        let _ = ScopedPdu::parse(&mut Reader::new(&octets));
        let _ = TrapV1::parse(&mut Reader::new(&octets));
        if let Ok(mut message) = CommunityMessage::parse(&octets) {
            let _ = Pdu::parse(&mut message.pdu);
        }
        if let Ok(pdu) = Pdu::parse(&mut Reader::new(&octets)) {
            prop_assert_eq!(pdu.var_binds.iter().count(), pdu.var_binds.len());
        }
    }
}

#[test]
fn a6_ten_thousand_nested_sequences_are_rejected() {
    let mut message = vec![];
    for _ in 0..10_000 {
        let mut outer = vec![0x30, 0x84];
        outer.extend(u32::try_from(message.len()).unwrap().to_be_bytes());
        outer.append(&mut message);
        message = outer;
    }
    assert!(peek_version(&message).is_err());
    assert!(V3Message::parse(&message).is_err());
    assert!(CommunityMessage::parse(&message).is_err());
}
