//! Section A of the list of attacks: octets that are no message, and messages that nobody should send an agent.

mod ber;

use portreeve_mib::modules::{if_mib, snmpv2_mib};
use portreeve_smi::{ErrorStatus, Oid, OwnedValue, TransportDomain};
use portreeve_snmp_engine::statistics::Counter;
use portreeve_snmp_message::PduType;

use crate::support::{
    agent::{Agent, Heard, over},
    answer::Answer,
    ask::{Ask, get, get_bulk, get_next, set},
    manager::Manager,
    names::{instance, oid, scalar, text},
};

fn sys_descr() -> Ask {
    get(&[scalar(&snmpv2_mib::SYS_DESCR)])
}

/// A message of every kind that the usual agent answers.
fn messages(agent: &mut Agent) -> Vec<Vec<u8>> {
    let mut ops = Manager::ops().acquainted(agent);
    let mut guest = Manager::guest().acquainted(agent);
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
fn a7_odd_text_in_every_field_is_only_text() {
    let (mut agent, book) = Agent::usual();
    let odd: [&[u8]; 6] =
        [b"", b"%s%n%x%08x", b"a\0b", b"\xff\xfe\x80", b"../../etc/passwd\r\n", &[b'A'; 60_000]];
    for octets in odd {
        let value = OwnedValue::OctetString(octets.to_vec());
        let message = sys_descr().in_community(portreeve_smi::MessageProcessingModel::V2c, octets);
        agent.drops(&message, Counter::SnmpInBadCommunityNames);
        let contact = scalar(&snmpv2_mib::SYS_CONTACT);
        let ask = set(&[(contact.clone(), value.clone())]);
        let answer = agent.v2c(&ask);
        if octets.len() <= 255 {
            assert_eq!((answer.error(), answer.var_binds), ((ErrorStatus::NoError, 0), ask.var_binds));
            assert_eq!(book.value(&snmpv2_mib::SYS_CONTACT, &[0]), Some(value));
        } else {
            assert_eq!(answer.error(), (ErrorStatus::WrongLength, 1));
        }
    }
    agent.is_well();
}

#[test]
fn a9_four_thousand_variables_are_too_big_to_answer_over_udp() {
    let (mut agent, _) = Agent::usual();
    let names = vec![scalar(&snmpv2_mib::SYS_DESCR); 3500];
    for ask in [get(&names), get_next(&names)] {
        let before = agent.counts();
        let reply = agent.reply_to(&ask.v2c("public"));
        let answer = Answer::of(&reply);
        assert_eq!((answer.error(), answer.var_binds.len()), ((ErrorStatus::TooBig, 0), 0));
        assert!(reply.len() < 100);
        assert!(agent.raised_since(&before).contains(&(Counter::SnmpOutTooBigs, 1)));
    }
    let reply = agent.reply_to(&get_bulk(4000, 0, &names).v2c("public"));
    assert!(reply.len() <= 1472);
    let before = agent.counts();
    assert_eq!(agent.hear(&get(&names).v1("public")), Heard::Dropped);
    assert!(agent.raised_since(&before).contains(&(Counter::SnmpSilentDrops, 1)));
}

#[test]
fn a10_get_bulk_extremes_are_answered_with_no_more_than_fits() {
    let (mut agent, _) = Agent::usual();
    let names = [oid("1.3"), Oid::new(if_mib::IF_DESCR.arcs()).unwrap()];
    for non_repeaters in [i32::MIN, -1, 0, 1, i32::MAX] {
        for max_repetitions in [i32::MIN, -1, 0, 1, i32::MAX] {
            let reply = agent.reply_to(&get_bulk(non_repeaters, max_repetitions, &names).v2c("public"));
            assert!(reply.len() <= 1472);
            assert_eq!(Answer::of(&reply).error(), (ErrorStatus::NoError, 0));
        }
    }
}

//= rfc3412#7.2-10a
//= type=test
//= rfc3412#7.2-14
//= type=test
#[test]
fn a12_responses_reports_and_notifications_sent_to_an_agent_are_dropped() {
    let (mut agent, _) = Agent::usual();
    let mut ops = Manager::ops().acquainted(&mut agent);
    let mut guest = Manager::guest().acquainted(&mut agent);
    for pdu_type in [PduType::Response, PduType::TrapV2] {
        let ask = Ask::about(pdu_type, &[oid("1.3")]);
        agent.drops(&ask.v2c("public"), Counter::SnmpUnknownPduHandlers);
    }
    for pdu_type in [PduType::Response, PduType::Report, PduType::TrapV2] {
        let ask = Ask::about(pdu_type, &[oid("1.3")]);
        agent.drops(&ops.message(&ask), Counter::SnmpUnknownPduHandlers);
        agent.drops(&guest.message(&ask), Counter::SnmpUnknownPduHandlers);
    }
    agent.drops(&Ask::about(PduType::Response, &[]).v1("public"), Counter::SnmpUnknownPduHandlers);
    agent.drops(&Ask::about(PduType::InformRequest, &[]).v2c("public"), Counter::SnmpUnknownPduHandlers);
    agent.drops(&Ask::about(PduType::Report, &[]).v2c("public"), Counter::SnmpInAsnParseErrs);
    for pdu_type in [PduType::TrapV2, PduType::InformRequest, PduType::GetBulkRequest, PduType::Report] {
        agent.drops(&Ask::about(pdu_type, &[]).v1("public"), Counter::SnmpInAsnParseErrs);
    }
    let trap_v1 = b"\x30\x21\x02\x01\x00\x04\x06public\xa4\x14\x06\x01\x2b\x40\x04\x7f\x00\x00\x01\x02\x01\x00\x02\x01\x00\x43\x01\x00\x30\x00";
    agent.drops(trap_v1, Counter::SnmpUnknownPduHandlers);
    agent.is_well();
}

#[test]
fn a13_unknown_versions_are_dropped() {
    let (mut agent, _) = Agent::usual();
    let message = sys_descr().v2c("public");
    for version in [2, 4, 5, 0x7f, 0x80, 0xff] {
        let mut message = message.clone();
        assert_eq!(message[2..5], [2, 1, 1]);
        message[4] = version;
        agent.drops(&message, Counter::SnmpInBadVersions);
    }
}

/// Sent back from the agent's own address, nothing that the agent says makes it say more.
#[test]
fn a14_the_agents_own_answers_are_dropped_when_they_come_back() {
    let (mut agent, _) = Agent::usual();
    let mut replies: Vec<_> = messages(&mut agent).iter().map(|message| agent.reply_to(message)).collect();
    replies.push(agent.reply_to(&Manager::ops().message(&sys_descr())));
    let mut early = Manager::ops();
    early.ask(&mut agent, &sys_descr());
    replies.push(agent.reply_to(&early.message(&sys_descr())));
    for reply in replies {
        assert_eq!(agent.hear(&reply), Heard::Dropped);
    }
}

#[test]
fn replies_over_udp_to_a_community_are_bounded_but_not_over_tcp_nor_to_a_set() {
    let (mut agent, _) = Agent::usual();
    let names = vec![instance(&if_mib::IF_DESCR, &[1]); 100];
    let ask = get(&names);
    assert_eq!(agent.v2c(&ask).error(), (ErrorStatus::TooBig, 0));
    let Heard::Reply(reply) = agent.hear_over(&over(TransportDomain::Tcp), 65_535, &ask.v2c("public")) else {
        panic!("no answer");
    };
    assert_eq!(Answer::of(&reply).var_binds.len(), 100);
    assert!(reply.len() > 1472);
    let change = vec![(scalar(&snmpv2_mib::SYS_CONTACT), text(&"x".repeat(200))); 10];
    let reply = agent.reply_to(&set(&change).v2c("private"));
    assert!(reply.len() > 1472);
    assert_eq!(Answer::of(&reply).error(), (ErrorStatus::NoError, 0));
    let mut guest = Manager::guest().acquainted(&mut agent);
    assert_eq!(guest.ask(&mut agent, &ask).answer.var_binds.len(), 100);
}
