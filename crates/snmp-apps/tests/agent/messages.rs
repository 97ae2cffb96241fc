//! What SNMPv3 messages of ours say (RFC 3412 §7), and communities that come back as they were (RFC 3584 §5.2.2).

use std::collections::HashSet;

use portreeve_mib::modules::snmpv2_mib;
use portreeve_smi::{MessageProcessingModel, SecurityLevel, SecurityModel};
use portreeve_snmp_engine::security::usm::SecurityParameters;
use portreeve_snmp_message::{CommunityMessage, PduType, V3Message, Version, peek_version};

use crate::support::{
    agent::{Agent, Heard, session_of, usual_objects},
    answer::Answer,
    ask::{Ask, get, get_bulk, get_next},
    ledger::Book,
    manager::Manager,
    names::{scalar, text},
    site::{AUTH, PRIVACY, Site, engine_id},
};

fn sys_descr() -> Ask {
    get(&[scalar(&snmpv2_mib::SYS_DESCR)])
}

//= rfc3412#7.1-2a
//= type=test
//= rfc3412#7.1-2b
//= type=test
//= rfc3412#7.1-6
//= type=test
//= rfc3412#7.1-7a
//= type=test
//= rfc3412#7.1-7b
//= type=test
//= rfc3412#7.1-7d
//= type=test
//= rfc3412#7.1-7e
//= type=test
//= rfc3412#7.1-8a
//= type=test
//= rfc3412#7.1-8c
//= type=test
//= rfc3412#7.2-3
//= type=test
//= rfc3412#7.2-8
//= type=test
//= rfc3412#7.2-9
//= type=test
//= rfc3412#7.2-13b
//= type=test
//= rfc3412#7.2-13c
//= type=test
#[test]
fn a_response_repeats_what_its_request_said() {
    let site = Site::usual().context("vlan1").access_in(
        ("vlan1", portreeve_lcd::ContextMatch::Exact),
        "operators",
        SecurityModel::USM,
        SecurityLevel::NoAuthNoPriv,
        ("all", ""),
    );
    let mut agent = usual_objects(&Book::default()).site(site).agent();
    for level in [SecurityLevel::AuthNoPriv, SecurityLevel::AuthPriv] {
        let mut ops = Manager::new("ops", level, Some(AUTH), Some(PRIVACY)).acquainted(&mut agent);
        ops.context_name = "vlan1";
        for (ask, msg_id) in [(sys_descr(), 0), (get_next(&[]), 0x7fff_fffd), (get_bulk(0, 1, &[]), 77)] {
            ops.msg_id = msg_id;
            let message = ops.message(&ask);
            let reply = agent.reply_to(&message);
            assert_eq!(peek_version(&reply), Ok(Version::Known(MessageProcessingModel::V3)));
            let told = ops.read(&reply).unwrap();
            assert_eq!((told.msg_id, told.answer.request_id), (ops.msg_id, ask.request_id));
            assert_eq!((told.level, told.security_model), (level, SecurityModel::USM));
            assert!(!told.flags.is_reportable(), "nobody answers a response");
            assert_eq!(told.context_engine_id, engine_id().as_bytes());
            assert_eq!(told.context_name, b"vlan1");
            assert_eq!(told.answer.pdu_type, PduType::Response);
        }
    }
}

/// Two messages under one key that shared a salt would betray what differs between them.
#[test]
fn no_two_answers_are_encrypted_with_the_same_salt() {
    let (mut agent, _) = Agent::usual();
    let mut ops = Manager::ops().acquainted(&mut agent);
    let message = ops.message(&sys_descr());
    let mut salts = HashSet::new();
    for _ in 0..1000 {
        let reply = agent.reply_to(&message);
        let parameters = V3Message::parse(&reply).unwrap().security_parameters;
        let salt = SecurityParameters::parse(&reply, parameters).unwrap().privacy;
        assert!(salts.insert(reply[salt].to_vec()));
    }
}

//= rfc3412#7.1-8b
//= type=test
#[test]
fn an_answer_that_fits_no_message_is_not_sent() {
    let (mut agent, _) = Agent::usual();
    let mut ops = Manager::ops().acquainted(&mut agent);
    let message = ops.message(&sys_descr());
    let transport = crate::support::agent::over(portreeve_smi::TransportDomain::Udp);
    assert_eq!(agent.hear_over(&transport, 100, &message), Heard::Dropped);
}

#[test]
fn a_session_answers_under_its_own_model_and_level() {
    let site = Site::usual().group(SecurityModel::TSM, "alice", "readers");
    let mut agent = usual_objects(&Book::default()).site(site).agent();
    for level in [SecurityLevel::NoAuthNoPriv, SecurityLevel::AuthNoPriv, SecurityLevel::AuthPriv] {
        let message = sys_descr().tsm(level, engine_id().as_bytes(), "");
        let session = session_of("alice", SecurityLevel::AuthPriv);
        let Heard::Reply(reply) = agent.hear_over(&session, 65_535, &message) else { panic!("no answer") };
        assert_eq!(Answer::of(&reply).value(), text("a gate"));
        let header = V3Message::parse(&reply).unwrap().header;
        assert_eq!((header.security_model, header.flags.level()), (SecurityModel::TSM, Some(level)));
        let weak = session_of("alice", SecurityLevel::NoAuthNoPriv);
        // Asking for more than the session provides is told of (RFC 5591 §5.2).
        let Heard::Reply(reply) = agent.hear_over(&weak, 65_535, &message) else { panic!("no answer") };
        let enough = level == SecurityLevel::NoAuthNoPriv;
        let expected = if enough { PduType::Response } else { PduType::Report };
        assert_eq!(Answer::of(&reply).pdu_type, expected);
    }
}

//= rfc3412#7.1-3b
//= type=test
#[test]
fn a_session_gets_reports_too() {
    let site = Site::usual().group(SecurityModel::TSM, "alice", "readers");
    let mut agent = usual_objects(&Book::default()).site(site).agent();
    let session = session_of("alice", SecurityLevel::AuthPriv);
    let message = sys_descr().tsm(SecurityLevel::AuthPriv, b"\x80\0\0\0\x04other", "");
    let Heard::Reply(reply) = agent.hear_over(&session, 65_535, &message) else { panic!("no Report") };
    assert_eq!(Answer::of(&reply).pdu_type, PduType::Report);
    let trap = Ask::about(PduType::TrapV2, &[]).tsm(SecurityLevel::AuthPriv, engine_id().as_bytes(), "");
    assert_eq!(agent.hear_over(&session, 65_535, &trap), Heard::Dropped);
}

//= rfc3584#5.1-p1
//= type=test
//= rfc3584#5.2.2-p1
//= type=test
#[test]
fn a_community_and_its_version_come_back_as_they_were() {
    let (mut agent, _) = Agent::usual();
    for model in [MessageProcessingModel::V1, MessageProcessingModel::V2c] {
        for community in ["public", "private"] {
            let reply = agent.reply_to(&sys_descr().in_community(model, community.as_bytes()));
            assert_eq!(peek_version(&reply), Ok(Version::Known(model)));
            assert_eq!(CommunityMessage::parse(&reply).unwrap().community, community.as_bytes());
        }
    }
}
