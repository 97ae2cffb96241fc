//! Section C of the attack list: the User-based Security Model in a whole agent.

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
    agent::{Outcome, TestAgent, standard_objects},
    config::{AUTH, PRIVACY, engine_id},
    manager::{TestManager, VerifiedResponse},
    names::{scalar, text},
    test_pdu::{TestPdu, get, set},
    writable_module::ModuleLog,
};

fn sys_descr() -> TestPdu {
    get(&[scalar(&snmpv2_mib::SYS_DESCR)])
}

#[track_caller]
fn assert_report(verified: &VerifiedResponse, object: &'static Object, count: u32, level: SecurityLevel) {
    assert_eq!(verified.response.pdu_type, PduType::Report);
    assert_eq!(verified.response.var_binds, [(scalar(object), OwnedValue::Counter32(count))]);
    assert_eq!(verified.response.error(), (ErrorStatus::NoError, 0));
    assert_eq!(verified.level, level);
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
fn c1_first_response_needs_engine_discovery_and_time_synchronization() {
    let (mut agent, _) = TestAgent::standard();
    let mut ops = TestManager::ops();
    let pdu = sys_descr();

    let discovered = ops.request(&mut agent, &pdu);
    assert_report(&discovered, &usm_mib::USM_STATS_UNKNOWN_ENGINE_IDS, 1, SecurityLevel::NoAuthNoPriv);
    assert_eq!(ops.engine_id, engine_id().as_bytes());
    assert_eq!(discovered.context_engine_id, engine_id().as_bytes());
    assert_eq!(discovered.context_name, b"");
    assert_eq!((discovered.msg_id, discovered.response.request_id), (ops.msg_id, pdu.request_id));

    let synchronized = ops.request(&mut agent, &pdu);
    assert_report(&synchronized, &usm_mib::USM_STATS_NOT_IN_TIME_WINDOWS, 1, SecurityLevel::AuthNoPriv);
    // The request was encrypted, so the agent could not read its request-id when it rejected the
    // request.
    assert_eq!((synchronized.msg_id, synchronized.response.request_id), (ops.msg_id, 0));

    let verified = ops.request(&mut agent, &pdu);
    assert_eq!((verified.response.pdu_type, verified.level), (PduType::Response, SecurityLevel::AuthPriv));
    assert_eq!(verified.response.value(), text("test agent"));
}

/// The ratio of the Report to the message is highest for short messages and long engine IDs. The
/// test sends the shortest messages that cause a Report to agents with short and long engine IDs.
#[test]
fn c1_report_is_at_most_three_times_as_long_as_message() {
    for length in [5, 11, 32] {
        let log = ModuleLog::default();
        let mut builder = standard_objects(&log);
        builder.local.engine_id = EngineId::new(&vec![0x5a; length]).unwrap();
        let mut agent = builder.build();
        let mut shortest = TestManager::ops();
        for pdu in [sys_descr(), get(&[])] {
            let discovery = shortest.message(&pdu);
            let reply = agent.reply_to(&discovery);
            assert!(reply.len() <= 3 * discovery.len(), "{} to {}", reply.len(), discovery.len());
        }
        for message in tiny_messages() {
            if let Outcome::Reply(reply) = agent.handle(&message) {
                assert!(reply.len() <= 3 * message.len(), "{} to {}", reply.len(), message.len());
            }
        }
    }
}

/// Returns reportable messages without content.
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
fn c2_rejected_message_without_reportable_flag_does_not_cause_report() {
    let (mut agent, _) = TestAgent::standard();
    let mut ops = TestManager::ops();
    ops.reportable = false;
    agent.assert_drops(&ops.message(&sys_descr()), Counter::UsmStatsUnknownEngineIds);
    ops.engine_id = engine_id().as_bytes().to_vec();
    agent.assert_drops(&ops.message(&sys_descr()), Counter::UsmStatsNotInTimeWindows);
    let mut unknown_user = TestManager::new("mallory", SecurityLevel::NoAuthNoPriv, None, None);
    unknown_user.engine_id = engine_id().as_bytes().to_vec();
    unknown_user.reportable = false;
    agent.assert_drops(&unknown_user.message(&sys_descr()), Counter::UsmStatsUnknownUserNames);
}

#[test]
fn c2_rejected_unconfirmed_pdu_marked_reportable_does_not_cause_report() {
    let (mut agent, _) = TestAgent::standard();
    let mut unknown_user = TestManager::new("mallory", SecurityLevel::NoAuthNoPriv, None, None);
    unknown_user.engine_id = engine_id().as_bytes().to_vec();
    for pdu_type in [PduType::Response, PduType::Report, PduType::TrapV2] {
        let mut message = unknown_user.message(&TestPdu::new(pdu_type, &[]));
        let flags = message.windows(3).position(|window| window == [0x04, 0x01, 0x00]).unwrap() + 2;
        message[flags] = 0x04;
        agent.assert_drops(&message, Counter::UsmStatsUnknownUserNames);
    }
}

#[test]
fn c3_unknown_user_name_or_engine_id_of_any_length_causes_report() {
    let (mut agent, _) = TestAgent::standard();
    for name in ["mallory", "op", "opsx", "OPS", "a-name-of-exactly-thirty-two-oct"] {
        let mut unknown_user = TestManager::new(name, SecurityLevel::AuthPriv, Some(AUTH), Some(PRIVACY));
        unknown_user.engine_id = engine_id().as_bytes().to_vec();
        let count = agent.statistics.counter32(Counter::UsmStatsUnknownUserNames) + 1;
        let verified = unknown_user.request(&mut agent, &sys_descr());
        assert_report(&verified, &usm_mib::USM_STATS_UNKNOWN_USER_NAMES, count, SecurityLevel::NoAuthNoPriv);
    }
    for length in [1, 4, 5, 10, 12, 32, 33, 64, 200] {
        let mut ops = TestManager::ops();
        ops.engine_id = vec![7; length];
        let count = agent.statistics.counter32(Counter::UsmStatsUnknownEngineIds) + 1;
        let verified = ops.request(&mut agent, &sys_descr());
        assert_report(&verified, &usm_mib::USM_STATS_UNKNOWN_ENGINE_IDS, count, SecurityLevel::NoAuthNoPriv);
    }
}

//= rfc3412#7.2-7
//= type=test
#[test]
fn message_with_malformed_scoped_pdu_is_dropped() {
    let (mut agent, _) = TestAgent::standard();
    let mut guest = TestManager::guest().synchronized_with(&mut agent);
    let message = guest.message(&sys_descr());
    let tag = message.iter().rposition(|octet| *octet == PduType::GetRequest.tag().0).unwrap();
    for wrong in [0x30, 0xa4, 0xa9, 0xbf, 0x02] {
        let mut message = message.clone();
        message[tag] = wrong;
        agent.assert_drops(&message, Counter::SnmpInAsnParseErrs);
    }
}

#[test]
fn c21_message_with_max_size_below_484_is_dropped() {
    let (mut agent, _) = TestAgent::standard();
    let mut guest = TestManager::guest().synchronized_with(&mut agent);
    for (max_size, dropped) in
        [(0, true), (483, true), (484, false), (0x7fff_ffff, false), (0x8000_0000, true)]
    {
        guest.max_size = max_size;
        let message = guest.message(&sys_descr());
        match dropped {
            true => agent.assert_drops(&message, Counter::SnmpInAsnParseErrs),
            false => drop(agent.reply_to(&message)),
        }
    }
}

//= rfc3412#7.2-4
//= type=test
#[test]
fn c22_message_with_unknown_security_model_is_dropped() {
    let (mut agent, _) = TestAgent::standard();
    let mut guest = TestManager::guest().synchronized_with(&mut agent);
    let message = guest.message(&sys_descr());
    let model = message.windows(3).position(|window| window == [0x02, 0x01, 0x03]).unwrap();
    assert!(model < 10, "the first match is the message version");
    let model =
        model + 3 + message[model + 3..].windows(3).position(|window| window == [0x02, 0x01, 0x03]).unwrap();
    for unknown in [1, 2, 5, 0x7f] {
        let mut message = message.clone();
        message[model + 2] = unknown;
        agent.assert_drops(&message, Counter::SnmpUnknownSecurityModels);
    }
    for impossible in [0, 0x80] {
        let mut message = message.clone();
        message[model + 2] = impossible;
        agent.assert_drops(&message, Counter::SnmpInAsnParseErrs);
    }
}

//= rfc3412#7.2-13a
//= type=test
#[test]
fn c24_request_with_foreign_context_engine_id_causes_report() {
    let (mut agent, log) = TestAgent::standard();
    let mut ops = TestManager::ops().synchronized_with(&mut agent);
    let mut reports = 0;
    for foreign in [&b""[..], b"\x80", b"\x80\0\0\0\x04agenT", b"\x80\0\0\0\x07", &[0xff; 32], &[1; 33]] {
        ops.context_engine_id = Some(foreign.to_vec());
        for pdu in [sys_descr(), set(&[(scalar(&snmpv2_mib::SYS_CONTACT), text("x"))])] {
            reports += 1;
            let verified = ops.request(&mut agent, &pdu);
            assert_report(&verified, &mpd_mib::SNMP_UNKNOWN_PDU_HANDLERS, reports, SecurityLevel::AuthPriv);
            assert_eq!(verified.response.request_id, pdu.request_id);
        }
    }
    assert_eq!(log.take(), [""; 0]);
    ops.reportable = false;
    ops.assert_ignored(&mut agent, &sys_descr());
}

/// RFC 5343: a manager without an engine ID queries snmpEngineID.0 with the local context engine
/// ID.
#[test]
fn request_with_local_context_engine_id_is_answered() {
    let (mut agent, _) = TestAgent::standard();
    let mut ops = TestManager::ops().synchronized_with(&mut agent);
    ops.context_engine_id = Some(EngineId::LOCAL.as_bytes().to_vec());
    let verified = ops.request(&mut agent, &sys_descr());
    assert_eq!(verified.response.value(), text("test agent"));
    assert_eq!(verified.context_engine_id, EngineId::LOCAL.as_bytes());
}

/// The agent stores no data about unknown senders, so it handles the last message like the first
/// message.
#[test]
fn d2_and_d3_unknown_user_names_and_engine_ids_are_not_stored() {
    let (mut agent, _) = TestAgent::standard();
    let mut ops = TestManager::ops().synchronized_with(&mut agent);
    let mut unknown_user = TestManager::guest();
    unknown_user.engine_id = b"\x80\0\0\0\x04flood-00000".to_vec();
    let message = unknown_user.message(&sys_descr());
    let engine = message.windows(5).position(|window| window == b"00000").unwrap();
    unknown_user.engine_id = engine_id().as_bytes().to_vec();
    let by_name = unknown_user.message(&sys_descr());
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
            assert_eq!(ops.request(&mut agent, &sys_descr()).response.value(), text("test agent"));
        }
    }
    assert_eq!(agent.statistics.sum(Counter::UsmStatsUnknownEngineIds), 1 + 20_000);
    assert_eq!(agent.statistics.sum(Counter::UsmStatsUnknownUserNames), 20_000);
}
