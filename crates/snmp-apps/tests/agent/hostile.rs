//! Section A of the attack list: octets that are not messages, and messages that an agent must not
//! receive.

mod ber;

use portreeve_mib::modules::{if_mib, snmpv2_mib};
use portreeve_smi::{ErrorStatus, Oid, OwnedValue, TransportDomain};
use portreeve_snmp_apps::HandleOutcome;
use portreeve_snmp_engine::statistics::Counter;
use portreeve_snmp_message::PduType;

use crate::support::{
    agent::{Outcome, TestAgent, over},
    manager::TestManager,
    names::{instance, oid, scalar, text},
    response::TestResponse,
    test_pdu::{TestPdu, get, get_bulk, get_next, set},
};

fn sys_descr() -> TestPdu {
    get(&[scalar(&snmpv2_mib::SYS_DESCR)])
}

/// Returns one message of each type that the standard agent answers.
fn messages(agent: &mut TestAgent) -> Vec<Vec<u8>> {
    let mut ops = TestManager::ops().synchronized_with(agent);
    let mut guest = TestManager::guest().synchronized_with(agent);
    let change = set(&[(scalar(&snmpv2_mib::SYS_CONTACT), text("ops@example.org"))]);
    let bulk = get_bulk(1, 5, &[oid("1.3.6.1.2.1.1"), oid("1.3.6.1.2.1.2.2.1")]);
    vec![
        sys_descr().v1("public"),
        sys_descr().v2c("public"),
        get_next(&[oid("1.3")]).v2c("public"),
        change.v1("private"),
        change.v2c("private"),
        bulk.v2c("public"),
        ops.message(&sys_descr()),
        ops.message(&change),
        guest.message(&bulk),
    ]
}

#[test]
fn a7_unusual_octets_are_treated_as_plain_data_in_every_field() {
    let (mut agent, log) = TestAgent::standard();
    let odd: [&[u8]; 6] =
        [b"", b"%s%n%x%08x", b"a\0b", b"\xff\xfe\x80", b"../../etc/passwd\r\n", &[b'A'; 60_000]];
    for octets in odd {
        let value = OwnedValue::OctetString(octets.to_vec());
        let message = sys_descr().in_community(portreeve_smi::MessageProcessingModel::V2c, octets);
        agent.assert_drops(&message, Counter::SnmpInBadCommunityNames);
        let contact = scalar(&snmpv2_mib::SYS_CONTACT);
        let pdu = set(&[(contact.clone(), value.clone())]);
        let response = agent.request_v2c(&pdu);
        if octets.len() <= 255 {
            assert_eq!((response.error(), response.var_binds), ((ErrorStatus::NoError, 0), pdu.var_binds));
            assert_eq!(log.value(&snmpv2_mib::SYS_CONTACT, &[0]), Some(value));
        } else {
            assert_eq!(response.error(), (ErrorStatus::WrongLength, 1));
        }
    }
    agent.assert_responds();
}

#[test]
fn a9_udp_request_with_thousands_of_variables_is_answered_with_too_big() {
    let (mut agent, _) = TestAgent::standard();
    let names = vec![scalar(&snmpv2_mib::SYS_DESCR); 3500];
    for pdu in [get(&names), get_next(&names)] {
        let before = agent.counts();
        let reply = agent.reply_to(&pdu.v2c("public"));
        let response = TestResponse::of(&reply);
        assert_eq!((response.error(), response.var_binds.len()), ((ErrorStatus::TooBig, 0), 0));
        assert!(reply.len() < 100);
        assert!(agent.increments_since(&before).contains(&(Counter::SnmpOutTooBigs, 1)));
    }
    let reply = agent.reply_to(&get_bulk(4000, 0, &names).v2c("public"));
    assert!(reply.len() <= 1472);
    let before = agent.counts();
    assert_eq!(agent.handle(&get(&names).v1("public")), Outcome::Dropped);
    assert!(agent.increments_since(&before).contains(&(Counter::SnmpSilentDrops, 1)));
}

#[test]
fn a10_response_to_get_bulk_with_extreme_counts_fits_datagram() {
    let (mut agent, _) = TestAgent::standard();
    let names = [oid("1.3"), Oid::new(if_mib::IF_DESCR.arcs()).unwrap()];
    for non_repeaters in [i32::MIN, -1, 0, 1, i32::MAX] {
        for max_repetitions in [i32::MIN, -1, 0, 1, i32::MAX] {
            let reply = agent.reply_to(&get_bulk(non_repeaters, max_repetitions, &names).v2c("public"));
            assert!(reply.len() <= 1472);
            assert_eq!(TestResponse::of(&reply).error(), (ErrorStatus::NoError, 0));
        }
    }
}

//= rfc3412#7.2-10a
//= type=test
//= rfc3412#7.2-14
//= type=test
#[test]
fn a12_received_responses_reports_and_notifications_are_dropped() {
    let (mut agent, _) = TestAgent::standard();
    let mut ops = TestManager::ops().synchronized_with(&mut agent);
    let mut guest = TestManager::guest().synchronized_with(&mut agent);
    for pdu_type in [PduType::Response, PduType::TrapV2] {
        let pdu = TestPdu::new(pdu_type, &[oid("1.3")]);
        agent.assert_drops(&pdu.v2c("public"), Counter::SnmpUnknownPduHandlers);
    }
    for pdu_type in [PduType::Response, PduType::Report, PduType::TrapV2] {
        let pdu = TestPdu::new(pdu_type, &[oid("1.3")]);
        agent.assert_drops(&ops.message(&pdu), Counter::SnmpUnknownPduHandlers);
        agent.assert_drops(&guest.message(&pdu), Counter::SnmpUnknownPduHandlers);
    }
    agent.assert_drops(&TestPdu::new(PduType::Response, &[]).v1("public"), Counter::SnmpUnknownPduHandlers);
    agent.assert_drops(
        &TestPdu::new(PduType::InformRequest, &[]).v2c("public"),
        Counter::SnmpUnknownPduHandlers,
    );
    agent.assert_drops(&TestPdu::new(PduType::Report, &[]).v2c("public"), Counter::SnmpInAsnParseErrs);
    for pdu_type in [PduType::TrapV2, PduType::InformRequest, PduType::GetBulkRequest, PduType::Report] {
        agent.assert_drops(&TestPdu::new(pdu_type, &[]).v1("public"), Counter::SnmpInAsnParseErrs);
    }
    let trap_v1 = b"\x30\x21\x02\x01\x00\x04\x06public\xa4\x14\x06\x01\x2b\x40\x04\x7f\x00\x00\x01\x02\x01\x00\x02\x01\x00\x43\x01\x00\x30\x00";
    agent.assert_drops(trap_v1, Counter::SnmpUnknownPduHandlers);
    agent.assert_responds();
}

#[test]
fn a13_messages_of_unknown_version_are_dropped() {
    let (mut agent, _) = TestAgent::standard();
    let message = sys_descr().v2c("public");
    for version in [2, 4, 5, 0x7f, 0x80, 0xff] {
        let mut message = message.clone();
        assert_eq!(message[2..5], [2, 1, 1]);
        message[4] = version;
        agent.assert_drops(&message, Counter::SnmpInBadVersions);
    }
}

/// The agent does not answer its own responses if an attacker sends them back to it.
#[test]
fn a14_agent_drops_its_own_responses_when_they_are_reflected() {
    let (mut agent, _) = TestAgent::standard();
    let mut replies: Vec<_> = messages(&mut agent).iter().map(|message| agent.reply_to(message)).collect();
    replies.push(agent.reply_to(&TestManager::ops().message(&sys_descr())));
    let mut early = TestManager::ops();
    early.request(&mut agent, &sys_descr());
    replies.push(agent.reply_to(&early.message(&sys_descr())));
    for reply in replies {
        assert_eq!(agent.handle(&reply), Outcome::Dropped);
    }
}

#[test]
fn response_size_limit_applies_only_to_unauthenticated_reads_over_udp() {
    let (mut agent, _) = TestAgent::standard();
    let names = vec![instance(&if_mib::IF_DESCR, &[1]); 100];
    let pdu = get(&names);
    assert_eq!(agent.request_v2c(&pdu).error(), (ErrorStatus::TooBig, 0));
    let Outcome::Reply(reply) = agent.handle_over(&over(TransportDomain::Tcp), 65_535, &pdu.v2c("public"))
    else {
        panic!("no response");
    };
    assert_eq!(TestResponse::of(&reply).var_binds.len(), 100);
    assert!(reply.len() > 1472);
    let change = vec![(scalar(&snmpv2_mib::SYS_CONTACT), text(&"x".repeat(200))); 10];
    let reply = agent.reply_to(&set(&change).v2c("private"));
    assert!(reply.len() > 1472);
    assert_eq!(TestResponse::of(&reply).error(), (ErrorStatus::NoError, 0));
    let mut ops = TestManager::ops().synchronized_with(&mut agent);
    assert_eq!(ops.request(&mut agent, &pdu).response.var_binds.len(), 100);
}

/// A noAuthNoPriv request is as unauthenticated as a request with a community.
#[test]
fn review_m5_no_auth_no_priv_response_over_udp_has_at_most_1472_octets() {
    let (mut agent, _) = TestAgent::standard();
    let names = vec![instance(&if_mib::IF_DESCR, &[1]); 20];
    let mut guest = TestManager::guest().synchronized_with(&mut agent);
    let bulk = get_bulk(0, i32::MAX, &names);
    let request = guest.message(&bulk);
    let reply = agent.reply_to(&request);
    assert!(reply.len() <= 1472, "{} octets for {}", reply.len(), request.len());
    assert!(!guest.receive(&reply).unwrap().response.var_binds.is_empty());
    // The limit does not apply over TCP, because the address of a TCP peer is verified.
    let request = guest.message(&get(&vec![instance(&if_mib::IF_DESCR, &[1]); 100]));
    let Outcome::Reply(reply) = agent.handle_over(&over(TransportDomain::Tcp), 65_535, &request) else {
        panic!("no response");
    };
    assert!(reply.len() > 1472);
}

/// The transport limits the rate of these responses, so the entity must mark them.
#[test]
fn review_m5_response_to_unauthenticated_request_is_marked_for_rate_limit() {
    let (mut agent, _) = TestAgent::standard();
    let mut guest = TestManager::guest().synchronized_with(&mut agent);
    let mut ops = TestManager::ops().synchronized_with(&mut agent);
    for message in [sys_descr().v1("public"), sys_descr().v2c("public"), guest.message(&sys_descr())] {
        assert!(matches!(agent.handle_udp(&message), HandleOutcome::UnauthenticatedReply(_)));
    }
    assert!(matches!(agent.handle_udp(&ops.message(&sys_descr())), HandleOutcome::Reply(_)));
}
