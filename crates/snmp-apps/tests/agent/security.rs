//! Section C of the list of attacks: the User-based Security Model through the whole engine.

mod forgeries;
mod timeliness;

use portreeve_mib::{
    Object,
    modules::{mpd_mib, snmpv2_mib, usm_mib},
};
use portreeve_smi::{EngineId, ErrorStatus, OwnedValue, SecurityLevel};
use portreeve_snmp_engine::statistics::Counter;
use portreeve_snmp_message::PduType;

use crate::support::{
    agent::{Agent, Heard, usual_objects},
    ask::{Ask, get, set},
    ledger::Book,
    manager::{Manager, Told},
    names::{scalar, text},
    site::{AUTH, PRIVACY, engine_id},
};

fn sys_descr() -> Ask {
    get(&[scalar(&snmpv2_mib::SYS_DESCR)])
}

#[track_caller]
fn is_report(told: &Told, object: &'static Object, count: u32, level: SecurityLevel) {
    assert_eq!(told.answer.pdu_type, PduType::Report);
    assert_eq!(told.answer.var_binds, [(scalar(object), OwnedValue::Counter32(count))]);
    assert_eq!(told.answer.error(), (ErrorStatus::NoError, 0));
    assert_eq!(told.level, level);
}

//= rfc3412#7.1-3a
//= type=test
//= rfc3412#7.1-3c
//= type=test
//= rfc3412#7.1-3d
//= type=test
//= rfc3412#7.1-3e
//= type=test
//= rfc3412#7.1-3f
//= type=test
//= rfc3412#7.2-6a
//= type=test
//= rfc3412#7.2-6b
//= type=test
#[test]
fn c1_discovery_synchronization_and_a_request_make_a_conversation() {
    let (mut agent, _) = Agent::usual();
    let mut ops = Manager::ops();
    let ask = sys_descr();

    let discovered = ops.ask(&mut agent, &ask);
    is_report(&discovered, &usm_mib::USM_STATS_UNKNOWN_ENGINE_IDS, 1, SecurityLevel::NoAuthNoPriv);
    assert_eq!(ops.engine_id, engine_id().as_bytes());
    assert_eq!(discovered.context_engine_id, engine_id().as_bytes());
    assert_eq!(discovered.context_name, b"");
    assert_eq!((discovered.msg_id, discovered.answer.request_id), (ops.msg_id, ask.request_id));

    let synchronized = ops.ask(&mut agent, &ask);
    is_report(&synchronized, &usm_mib::USM_STATS_NOT_IN_TIME_WINDOWS, 1, SecurityLevel::AuthNoPriv);
    // The request was encrypted: its request-id could not be read before it was refused.
    assert_eq!((synchronized.msg_id, synchronized.answer.request_id), (ops.msg_id, 0));

    let told = ops.ask(&mut agent, &ask);
    assert_eq!((told.answer.pdu_type, told.level), (PduType::Response, SecurityLevel::AuthPriv));
    assert_eq!(told.answer.value(), text("a gate"));
}

/// The shortest messages that are answered at all, to engines with the longest names.
#[test]
fn c1_no_report_is_more_than_three_times_as_long_as_what_it_answers() {
    for length in [5, 11, 32] {
        let book = Book::default();
        let mut parts = usual_objects(&book);
        parts.local.engine_id = EngineId::new(&vec![0x5a; length]).unwrap();
        let mut agent = parts.agent();
        let mut shortest = Manager::ops();
        for ask in [sys_descr(), get(&[])] {
            let discovery = shortest.message(&ask);
            let reply = agent.reply_to(&discovery);
            assert!(reply.len() <= 3 * discovery.len(), "{} to {}", reply.len(), discovery.len());
        }
        for message in tiny_messages() {
            if let Heard::Reply(reply) = agent.hear(&message) {
                assert!(reply.len() <= 3 * message.len(), "{} to {}", reply.len(), message.len());
            }
        }
    }
}

/// Reportable messages with nothing in them.
fn tiny_messages() -> Vec<Vec<u8>> {
    let scoped_pdus: [&[u8]; 3] = [b"\x30\x00", b"\x04\x00", b"\x30\x06\x04\x00\x04\x00\xa0\x00"];
    let parameters: [&[u8]; 2] = [
        b"\x04\x10\x30\x0e\x04\x00\x02\x01\x00\x02\x01\x00\x04\x00\x04\x00\x04\x00",
        b"\x04\x15\x30\x13\x04\x05ZZZZZ\x02\x01\x00\x02\x01\x00\x04\x00\x04\x00\x04\x00",
    ];
    let header = b"\x02\x01\x03\x30\x0d\x02\x01\x01\x02\x02\x05\xc0\x04\x01\x04\x02\x01\x03";
    let mut messages = vec![];
    for scoped_pdu in scoped_pdus {
        for parameters in parameters {
            let content = [&header[..], parameters, scoped_pdu].concat();
            messages.push([&[0x30, u8::try_from(content.len()).unwrap()][..], &content].concat());
        }
    }
    messages
}

//= rfc3412#7.1-3b
//= type=test
#[test]
fn c2_a_message_that_is_not_reportable_is_dropped() {
    let (mut agent, _) = Agent::usual();
    let mut ops = Manager::ops();
    ops.reportable = false;
    agent.drops(&ops.message(&sys_descr()), Counter::UsmStatsUnknownEngineIds);
    ops.engine_id = engine_id().as_bytes().to_vec();
    agent.drops(&ops.message(&sys_descr()), Counter::UsmStatsNotInTimeWindows);
    let mut stranger = Manager::new("stranger", SecurityLevel::NoAuthNoPriv, None, None);
    stranger.engine_id = engine_id().as_bytes().to_vec();
    stranger.reportable = false;
    agent.drops(&stranger.message(&sys_descr()), Counter::UsmStatsUnknownUserNames);
}

#[test]
fn c2_no_report_answers_what_is_no_request_even_if_it_asks_for_one() {
    let (mut agent, _) = Agent::usual();
    let mut stranger = Manager::new("stranger", SecurityLevel::NoAuthNoPriv, None, None);
    stranger.engine_id = engine_id().as_bytes().to_vec();
    for pdu_type in [PduType::Response, PduType::Report, PduType::TrapV2] {
        let mut message = stranger.message(&Ask::about(pdu_type, &[]));
        let flags = message.windows(3).position(|window| window == [0x04, 0x01, 0x00]).unwrap() + 2;
        message[flags] = 0x04;
        agent.drops(&message, Counter::UsmStatsUnknownUserNames);
    }
}

#[test]
fn c3_unknown_users_and_engines_of_any_size_are_told_so() {
    let (mut agent, _) = Agent::usual();
    for name in ["stranger", "op", "opsx", "OPS", "a-name-of-exactly-thirty-two-oct"] {
        let mut stranger = Manager::new(name, SecurityLevel::AuthPriv, Some(AUTH), Some(PRIVACY));
        stranger.engine_id = engine_id().as_bytes().to_vec();
        let count = agent.statistics.counter32(Counter::UsmStatsUnknownUserNames) + 1;
        let told = stranger.ask(&mut agent, &sys_descr());
        is_report(&told, &usm_mib::USM_STATS_UNKNOWN_USER_NAMES, count, SecurityLevel::NoAuthNoPriv);
    }
    for length in [1, 4, 5, 10, 12, 32, 33, 64, 200] {
        let mut ops = Manager::ops();
        ops.engine_id = vec![7; length];
        let count = agent.statistics.counter32(Counter::UsmStatsUnknownEngineIds) + 1;
        let told = ops.ask(&mut agent, &sys_descr());
        is_report(&told, &usm_mib::USM_STATS_UNKNOWN_ENGINE_IDS, count, SecurityLevel::NoAuthNoPriv);
    }
}

//= rfc3412#7.2-7
//= type=test
#[test]
fn a_noauth_message_whose_scoped_pdu_does_not_parse_is_dropped() {
    let (mut agent, _) = Agent::usual();
    let mut guest = Manager::guest().acquainted(&mut agent);
    let message = guest.message(&sys_descr());
    let tag = message.iter().rposition(|octet| *octet == PduType::GetRequest.tag().0).unwrap();
    for wrong in [0x30, 0xa4, 0xa9, 0xbf, 0x02] {
        let mut message = message.clone();
        message[tag] = wrong;
        agent.drops(&message, Counter::SnmpInAsnParseErrs);
    }
}

#[test]
fn c21_a_message_that_claims_to_take_less_than_484_octets_is_dropped() {
    let (mut agent, _) = Agent::usual();
    let mut guest = Manager::guest().acquainted(&mut agent);
    for (max_size, dropped) in
        [(0, true), (483, true), (484, false), (0x7fff_ffff, false), (0x8000_0000, true)]
    {
        guest.max_size = max_size;
        let message = guest.message(&sys_descr());
        match dropped {
            true => agent.drops(&message, Counter::SnmpInAsnParseErrs),
            false => drop(agent.reply_to(&message)),
        }
    }
}

//= rfc3412#7.2-4
//= type=test
#[test]
fn c22_an_unknown_security_model_is_dropped() {
    let (mut agent, _) = Agent::usual();
    let mut guest = Manager::guest().acquainted(&mut agent);
    let message = guest.message(&sys_descr());
    let model = message.windows(3).position(|window| window == [0x02, 0x01, 0x03]).unwrap();
    assert!(model < 10, "the version comes first");
    let model =
        model + 3 + message[model + 3..].windows(3).position(|window| window == [0x02, 0x01, 0x03]).unwrap();
    for unknown in [1, 2, 5, 0x7f] {
        let mut message = message.clone();
        message[model + 2] = unknown;
        agent.drops(&message, Counter::SnmpUnknownSecurityModels);
    }
    for impossible in [0, 0x80] {
        let mut message = message.clone();
        message[model + 2] = impossible;
        agent.drops(&message, Counter::SnmpInAsnParseErrs);
    }
}

//= rfc3412#7.2-13a
//= type=test
#[test]
fn c24_a_foreign_context_engine_gets_a_report_and_never_data() {
    let (mut agent, book) = Agent::usual();
    let mut ops = Manager::ops().acquainted(&mut agent);
    let mut reports = 0;
    for foreign in [&b""[..], b"\x80", b"\x80\0\0\0\x04agenT", b"\x80\0\0\0\x07", &[0xff; 32], &[1; 33]] {
        ops.context_engine_id = Some(foreign.to_vec());
        for ask in [sys_descr(), set(&[(scalar(&snmpv2_mib::SYS_CONTACT), text("x"))])] {
            reports += 1;
            let told = ops.ask(&mut agent, &ask);
            is_report(&told, &mpd_mib::SNMP_UNKNOWN_PDU_HANDLERS, reports, SecurityLevel::AuthPriv);
            assert_eq!(told.answer.request_id, ask.request_id);
        }
    }
    assert_eq!(book.take(), [""; 0]);
    ops.reportable = false;
    ops.is_ignored(&mut agent, &sys_descr());
}

/// RFC 5343: a manager that knows nothing but the transport asks for snmpEngineID.0 in a context of its own.
#[test]
fn the_context_engine_that_stands_for_whoever_is_asked_is_ours() {
    let (mut agent, _) = Agent::usual();
    let mut ops = Manager::ops().acquainted(&mut agent);
    ops.context_engine_id = Some(EngineId::LOCAL.as_bytes().to_vec());
    let told = ops.ask(&mut agent, &sys_descr());
    assert_eq!(told.answer.value(), text("a gate"));
    assert_eq!(told.context_engine_id, EngineId::LOCAL.as_bytes());
}

/// Nothing that a stranger sends is remembered: the twenty-thousandth is treated like the first.
#[test]
fn d2_and_d3_floods_of_unknown_users_and_engines_are_counted_and_forgotten() {
    let (mut agent, _) = Agent::usual();
    let mut ops = Manager::ops().acquainted(&mut agent);
    let mut stranger = Manager::guest();
    stranger.engine_id = b"\x80\0\0\0\x04flood-00000".to_vec();
    let message = stranger.message(&sys_descr());
    let engine = message.windows(5).position(|window| window == b"00000").unwrap();
    stranger.engine_id = engine_id().as_bytes().to_vec();
    let by_name = stranger.message(&sys_descr());
    let user = by_name.windows(5).position(|window| window == b"guest").unwrap();
    for round in 0..20_000 {
        let digits = format!("{round:05}");
        for (message, position) in [(&message, engine), (&by_name, user)] {
            let mut message = message.clone();
            message[position..position + 5].copy_from_slice(digits.as_bytes());
            let reply = agent.reply_to(&message);
            assert!(reply.len() <= 3 * message.len());
        }
        if round % 1000 == 0 {
            assert_eq!(ops.ask(&mut agent, &sys_descr()).answer.value(), text("a gate"));
        }
    }
    assert_eq!(agent.statistics.sum(Counter::UsmStatsUnknownEngineIds), 1 + 20_000);
    assert_eq!(agent.statistics.sum(Counter::UsmStatsUnknownUserNames), 20_000);
}
