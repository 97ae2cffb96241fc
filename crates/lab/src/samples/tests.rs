use portreeve_smi::ber::{Reader, Tag};
use portreeve_snmp_message::{CommunityMessage, Pdu, ScopedPdu, ScopedPduData, TrapV1, V3Message};

use super::{BINDINGS, all};

#[test]
fn every_sample_message_is_parsed_with_all_variable_bindings() {
    let samples = all().map_err(|error| error.message().to_owned()).unwrap();
    assert_eq!(samples.len(), 17);
    for (name, message) in samples {
        assert_eq!(bindings(&name, &message), BINDINGS.len(), "{name}");
    }
}

fn bindings(name: &str, message: &[u8]) -> usize {
    if name.starts_with("v3") {
        let parsed = V3Message::parse(message).unwrap();
        let ScopedPduData::Plaintext(range) = parsed.data else { panic!("not encrypted") };
        let mut scoped = ScopedPdu::parse(&mut Reader::new(&message[range])).unwrap();
        return Pdu::parse(&mut scoped.pdu).unwrap().var_binds.len();
    }
    let mut parsed = CommunityMessage::parse(message).unwrap();
    match parsed.pdu.peek_tag() {
        Some(Tag::TRAP_V1) => TrapV1::parse(&mut parsed.pdu).unwrap().var_binds.len(),
        _ => Pdu::parse(&mut parsed.pdu).unwrap().var_binds.len(),
    }
}
