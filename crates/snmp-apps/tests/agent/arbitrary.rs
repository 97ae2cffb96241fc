//! Tests that arbitrary octets cause neither a panic nor a response that is too long, and that the
//! agent continues to respond.

use portreeve_smi::{MessageProcessingModel, Oid, OwnedValue, SecurityLevel};
use portreeve_snmp_message::PduType;
use proptest::prelude::*;

use crate::support::{
    agent::{Outcome, TestAgent, session_of},
    config::engine_id,
    manager::TestManager,
    test_pdu::TestPdu,
};

fn oids() -> impl Strategy<Value = Oid> {
    let near = prop::sample::select(vec![
        "1.3.6.1.2.1.1.1.0",
        "1.3.6.1.2.1.1.4.0",
        "1.3.6.1.2.1.1.5.0",
        "1.3.6.1.2.1.1.6.0",
        "1.3.6.1.2.1.1",
        "1.3.6.1.2.1.2.2.1.2.1",
        "1.3.6.1.2.1.2.2.1.10",
        "1.3.6.1.2.1.31.1.1.1.6.3",
        "1.3.6.1.2.1.31.1.1.1.18.3",
    ]);
    let near = near.prop_map(|text| text.parse::<Oid>().unwrap());
    (near, prop::collection::vec(any::<u32>(), 0..6), 0..12_usize).prop_map(|(oid, tail, keep)| {
        let keep = keep.max(2).min(oid.len());
        Oid::new(&[&oid[..keep], &tail[..]].concat()).unwrap()
    })
}

fn values() -> impl Strategy<Value = OwnedValue> {
    prop_oneof![
        any::<i32>().prop_map(OwnedValue::Integer),
        prop::collection::vec(any::<u8>(), 0..300).prop_map(OwnedValue::OctetString),
        Just(OwnedValue::Null),
        oids().prop_map(OwnedValue::ObjectId),
        any::<u64>().prop_map(OwnedValue::Counter64),
        any::<u32>().prop_map(OwnedValue::TimeTicks),
        Just(OwnedValue::EndOfMibView),
    ]
}

fn pdus() -> impl Strategy<Value = TestPdu> {
    let pdu_type = prop::sample::select(vec![
        PduType::GetRequest,
        PduType::GetNextRequest,
        PduType::GetBulkRequest,
        PduType::SetRequest,
        PduType::Response,
        PduType::InformRequest,
        PduType::TrapV2,
        PduType::Report,
    ]);
    let fields = (prop_oneof![-2..5, any::<i32>()], prop_oneof![-2..30, any::<i32>()]);
    let var_binds = prop::collection::vec((oids(), values()), 0..12);
    (pdu_type, any::<i32>(), fields, var_binds).prop_map(|(pdu_type, request_id, fields, var_binds)| {
        TestPdu { pdu_type, request_id, fields, var_binds }
    })
}

/// Positions in a message, in 1/10000 of its length, and the octets to write there.
fn mutations() -> impl Strategy<Value = Vec<(usize, u8)>> {
    prop::collection::vec((0..10_000_usize, any::<u8>()), 0..4)
}

fn mutate(mut message: Vec<u8>, mutations: &[(usize, u8)]) -> Vec<u8> {
    for (share, octet) in mutations {
        let position = share * message.len() / 10_000;
        message[position] = *octet;
    }
    message
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn a3_agent_still_responds_after_mutated_messages(
        pdu in pdus(),
        mutations in mutations(),
        channel in 0..6,
        max_size in prop_oneof![0_usize..2000, Just(65_535)],
    ) {
        let (mut agent, _) = TestAgent::standard();
        let mut transport = crate::support::agent::over(portreeve_smi::TransportDomain::Udp);
        let message = match channel {
            0 => pdu.in_community(MessageProcessingModel::V1, b"private"),
            1 => pdu.in_community(MessageProcessingModel::V2c, b"private"),
            2 => pdu.in_community(MessageProcessingModel::V2c, b"public"),
            3 => TestManager::guest().synchronized_with(&mut agent).message(&pdu),
            4 => TestManager::ops().synchronized_with(&mut agent).message(&pdu),
            _ => {
                transport = session_of("alice", SecurityLevel::AuthPriv);
                pdu.tsm(SecurityLevel::AuthPriv, engine_id().as_bytes(), "")
            }
        };
        if let Outcome::Reply(reply) = agent.handle_over(&transport, max_size, &mutate(message, &mutations)) {
            prop_assert!(reply.len() <= max_size);
        }
        agent.assert_responds();
    }

    #[test]
    fn a3_agent_still_responds_after_arbitrary_octets(octets in prop::collection::vec(any::<u8>(), 0..200)) {
        let (mut agent, _) = TestAgent::standard();
        agent.handle(&octets);
        agent.assert_responds();
    }
}
