//! Octets that are not valid messages.

use portreeve_smi::OwnedValue;
use portreeve_snmp_engine::statistics::Counter;
use portreeve_snmp_message::{ScopedPduData, V3Message};

use super::{messages, sys_descr};
use crate::support::{
    agent::{Outcome, TestAgent},
    manager::TestManager,
    names::text,
    random::Random,
    response::TestResponse,
};

/// Returns `message` with the length of its outermost SEQUENCE replaced by the octets `length`.
fn with_length(message: &[u8], length: &[u8]) -> Vec<u8> {
    assert!(message[1] < 0x80);
    [&message[..1], length, &message[2..]].concat()
}

//= rfc3412#7.2-2
//= type=test
#[test]
fn a1_messages_with_wrong_length_are_dropped() {
    let (mut agent, _) = TestAgent::standard();
    let message = sys_descr().v2c("public");
    let length = u8::try_from(message.len() - 2).unwrap();
    for bad in [
        &[length + 1][..],
        &[length - 1],
        &[0x7f],
        &[0],
        &[0x80],
        &[0x82, 0xff, 0xff],
        &[0x84, 0x80, 0, 0, 0],
        &[0x84, 0xff, 0xff, 0xff, 0xff],
        &[0x88, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff],
        &[0x89, 0, 0, 0, 0, 0, 0, 0, 0, length],
        &[0xff],
    ] {
        agent.assert_drops(&with_length(&message, bad), Counter::SnmpInAsnParseErrs);
    }
    for more_than_needed in [&[0x81, length][..], &[0x82, 0, length], &[0x84, 0, 0, 0, length]] {
        let reply = agent.reply_to(&with_length(&message, more_than_needed));
        assert_eq!(TestResponse::of(&reply).value(), text("test agent"));
    }
}

#[test]
fn a1_agent_still_responds_after_wrong_length_at_any_position() {
    let (mut agent, _) = TestAgent::standard();
    for message in messages(&mut agent) {
        for position in 0..message.len() {
            for lie in [0, 0x7f, 0x80, 0x81, 0x84, 0x88, 0xff] {
                let mut message = message.clone();
                message[position] = lie;
                agent.handle(&message);
            }
        }
    }
    agent.assert_responds();
}

#[test]
fn a2_every_truncation_of_every_message_type_is_dropped() {
    let (mut agent, log) = TestAgent::standard();
    for message in messages(&mut agent) {
        for length in 0..message.len() {
            agent.assert_drops(&message[..length], Counter::SnmpInAsnParseErrs);
        }
        let mut longer = message.clone();
        longer.push(0);
        agent.assert_drops(&longer, Counter::SnmpInAsnParseErrs);
    }
    assert_eq!(log.take(), [""; 0]);
    agent.assert_responds();
}

/// If the lengths of a truncated message are consistent, it is a well-formed message without its
/// last elements. It may cause a Report, but the agent returns no data.
#[test]
fn a2_messages_that_contain_only_headers_are_dropped() {
    let (mut agent, _) = TestAgent::standard();
    for message in
        [&b"\x30\x00"[..], b"\x30\x03\x02\x01\x00", b"\x30\x03\x02\x01\x01", b"\x30\x03\x02\x01\x03"]
    {
        agent.assert_drops(message, Counter::SnmpInAsnParseErrs);
    }
}

/// The message contains additional elements after the PDU, and all enclosing lengths include these
/// elements.
#[test]
fn a2_message_with_trailing_elements_is_dropped() {
    let (mut agent, _) = TestAgent::standard();
    let mut guest = TestManager::guest().synchronized_with(&mut agent);
    for message in [sys_descr().v1("public"), sys_descr().v2c("public"), guest.message(&sys_descr())] {
        let mut longer = [&message[..], &[0x05, 0x00]].concat();
        longer[1] += 2;
        agent.assert_drops(&longer, Counter::SnmpInAsnParseErrs);
    }
    let message = guest.message(&sys_descr());
    let scoped_pdu = V3Message::parse(&message).unwrap().data;
    let ScopedPduData::Plaintext(range) = scoped_pdu else { panic!("the message is encrypted") };
    let mut longer = [&message[..], &[0x05, 0x00]].concat();
    longer[1] += 2;
    longer[range.start + 1] += 2;
    agent.assert_drops(&longer, Counter::SnmpInAsnParseErrs);
}

#[test]
fn a3_agent_survives_fifty_thousand_mutated_messages() {
    let (mut agent, _) = TestAgent::standard();
    let seeds = messages(&mut agent);
    let mut random = Random::seeded(3);
    for round in 0..50_000 {
        let mut message = seeds[round % seeds.len()].clone();
        for _ in 0..=random.below(4) {
            let position = random.below(message.len());
            match random.below(4) {
                0 => message[position] = random.next() as u8,
                1 => message[position] ^= 1 << random.below(8),
                2 => drop(message.drain(position..(position + random.below(5) + 1).min(message.len()))),
                _ => message.insert(position, random.next() as u8),
            }
            if message.is_empty() {
                break;
            }
        }
        if let Outcome::Reply(reply) = agent.handle(&message) {
            assert!(reply.len() <= 65_507);
        }
    }
    agent.assert_responds();
}

/// Encodes an SNMPv2c GetRequest for one variable, whose name is encoded as these octets.
fn get_encoded_name(name: &[u8]) -> Vec<u8> {
    let element = |tag: u8, content: &[u8]| {
        let [high, low] = u16::try_from(content.len()).unwrap().to_be_bytes();
        [&[tag, 0x82, high, low], content].concat()
    };
    let var_bind = element(0x30, &[element(0x06, name), vec![0x05, 0x00]].concat());
    let fields = [vec![2, 1, 1, 2, 1, 0, 2, 1, 0], element(0x30, &var_bind)].concat();
    element(0x30, &[vec![2, 1, 1], element(0x04, b"public"), element(0xa0, &fields)].concat())
}

#[test]
fn a4_invalid_oid_encodings_are_dropped() {
    let (mut agent, _) = TestAgent::standard();
    let arcs = |count: usize| [&[0x2b][..], &vec![6; count - 2]].concat();
    for bad in [
        &b""[..],
        b"\x2b\x86",
        b"\x80",
        b"\x2b\x80\x06",
        b"\x2b\x90\x80\x80\x80\x00",
        b"\x2b\xff\xff\xff\xff\x7f",
        b"\x2b\x81\x81\x81\x81\x81\x81\x01",
        &arcs(129),
        &arcs(4000),
    ] {
        agent.assert_drops(&get_encoded_name(bad), Counter::SnmpInAsnParseErrs);
    }
    for good in [&b"\x00"[..], b"\x2b", b"\x2b\x8f\xff\xff\xff\x7f", &arcs(128), b"\x8f\xff\xff\xff\x7f"] {
        let response = TestResponse::of(&agent.reply_to(&get_encoded_name(good)));
        assert_eq!(response.value(), OwnedValue::NoSuchObject, "{good:02x?}");
    }
}

#[test]
fn a5_integers_of_invalid_length_are_dropped() {
    let (mut agent, _) = TestAgent::standard();
    let request = |id: &[u8]| {
        let fields = [&[2, u8::try_from(id.len()).unwrap()], id, &[2, 1, 0, 2, 1, 0, 0x30, 0]].concat();
        let pdu = [&[0xa0, 0x81, u8::try_from(fields.len()).unwrap()][..], &fields].concat();
        let content = [b"\x02\x01\x01\x04\x06public", &pdu[..]].concat();
        [&[0x30, 0x81, u8::try_from(content.len()).unwrap()][..], &content].concat()
    };
    for length in [0, 5, 9, 127] {
        agent.assert_drops(&request(&vec![1; length]), Counter::SnmpInAsnParseErrs);
    }
    assert_eq!(TestResponse::of(&agent.reply_to(&request(&[0xff, 0xff, 0xff, 0xfe]))).request_id, -2);
}

#[test]
fn a6_ten_thousand_nested_sequences_are_dropped() {
    let (mut agent, _) = TestAgent::standard();
    let mut nested = vec![];
    for _ in 0..10_000 {
        let length = u32::try_from(nested.len()).unwrap().to_be_bytes();
        nested = [&[0x30, 0x84][..], &length, &nested].concat();
    }
    agent.assert_drops(&nested, Counter::SnmpInAsnParseErrs);
    let value = nested[nested.len() - 6_000..].to_vec();
    let content = [&b"\x02\x01\x01\x04\x06public\xa0"[..], &[0x82, 0x17, 0x70], &value].concat();
    let length = u16::try_from(content.len()).unwrap().to_be_bytes();
    agent.assert_drops(&[&[0x30, 0x82][..], &length, &content].concat(), Counter::SnmpInAsnParseErrs);
    agent.assert_responds();
}
