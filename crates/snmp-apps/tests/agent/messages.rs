//! The content of sent SNMPv3 messages (RFC 3412 §7), and the community of responses (RFC 3584
//! §5.2.2).

use std::collections::HashSet;

use portreeve_mib::modules::snmpv2_mib;
use portreeve_smi::{MessageProcessingModel, SecurityLevel, SecurityModel};
use portreeve_snmp_engine::security::usm::SecurityParameters;
use portreeve_snmp_message::{CommunityMessage, PduType, V3Message, Version, peek_version};

use crate::support::{
    agent::{Outcome, TestAgent, session_of, standard_objects},
    config::{AUTH, PRIVACY, TestConfig, engine_id},
    manager::TestManager,
    names::{scalar, text},
    response::TestResponse,
    test_pdu::{TestPdu, get, get_bulk, get_next},
    writable_module::ModuleLog,
};

fn sys_descr() -> TestPdu {
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
fn v3_response_repeats_message_id_request_id_and_context_of_request() {
    let config = TestConfig::standard().context("vlan1").access_in(
        ("vlan1", portreeve_lcd::ContextMatch::Exact),
        "operators",
        SecurityModel::USM,
        SecurityLevel::NoAuthNoPriv,
        ("all", ""),
    );
    let mut agent = standard_objects(&ModuleLog::default()).config(config).build();
    for level in [SecurityLevel::AuthNoPriv, SecurityLevel::AuthPriv] {
        let mut ops = TestManager::new("ops", level, Some(AUTH), Some(PRIVACY)).synchronized_with(&mut agent);
        ops.context_name = "vlan1";
        for (pdu, msg_id) in [(sys_descr(), 0), (get_next(&[]), 0x7fff_fffd), (get_bulk(0, 1, &[]), 77)] {
            ops.msg_id = msg_id;
            let message = ops.message(&pdu);
            let reply = agent.reply_to(&message);
            assert_eq!(peek_version(&reply), Ok(Version::Known(MessageProcessingModel::V3)));
            let verified = ops.receive(&reply).unwrap();
            assert_eq!((verified.msg_id, verified.response.request_id), (ops.msg_id, pdu.request_id));
            assert_eq!((verified.level, verified.security_model), (level, SecurityModel::USM));
            assert!(!verified.flags.is_reportable(), "a response must not be reportable");
            assert_eq!(verified.context_engine_id, engine_id().as_bytes());
            assert_eq!(verified.context_name, b"vlan1");
            assert_eq!(verified.response.pdu_type, PduType::Response);
        }
    }
}

/// An attacker could compare two messages that were encrypted with the same key and salt.
#[test]
fn privacy_salt_differs_in_every_response() {
    let (mut agent, _) = TestAgent::standard();
    let mut ops = TestManager::ops().synchronized_with(&mut agent);
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
fn response_above_maximum_size_of_transport_is_not_sent() {
    let (mut agent, _) = TestAgent::standard();
    let mut ops = TestManager::ops().synchronized_with(&mut agent);
    let message = ops.message(&sys_descr());
    let transport = crate::support::agent::over(portreeve_smi::TransportDomain::Udp);
    assert_eq!(agent.handle_over(&transport, 100, &message), Outcome::Dropped);
}

#[test]
fn tsm_response_has_security_model_and_level_of_request() {
    let config = TestConfig::standard().group(SecurityModel::TSM, "alice", "readers");
    let mut agent = standard_objects(&ModuleLog::default()).config(config).build();
    for level in [SecurityLevel::NoAuthNoPriv, SecurityLevel::AuthNoPriv, SecurityLevel::AuthPriv] {
        let message = sys_descr().tsm(level, engine_id().as_bytes(), "");
        let session = session_of("alice", SecurityLevel::AuthPriv);
        let Outcome::Reply(reply) = agent.handle_over(&session, 65_535, &message) else {
            panic!("no response")
        };
        assert_eq!(TestResponse::of(&reply).value(), text("test agent"));
        let header = V3Message::parse(&reply).unwrap().header;
        assert_eq!((header.security_model, header.flags.level()), (SecurityModel::TSM, Some(level)));
        let weak = session_of("alice", SecurityLevel::NoAuthNoPriv);
        // A level above that of the session causes a Report (RFC 5591 §5.2).
        let Outcome::Reply(reply) = agent.handle_over(&weak, 65_535, &message) else { panic!("no response") };
        let enough = level == SecurityLevel::NoAuthNoPriv;
        let expected = if enough { PduType::Response } else { PduType::Report };
        assert_eq!(TestResponse::of(&reply).pdu_type, expected);
    }
}

//= rfc3412#7.1-3b
//= type=test
#[test]
fn tsm_request_for_unknown_engine_causes_report_and_tsm_trap_is_dropped() {
    let config = TestConfig::standard().group(SecurityModel::TSM, "alice", "readers");
    let mut agent = standard_objects(&ModuleLog::default()).config(config).build();
    let session = session_of("alice", SecurityLevel::AuthPriv);
    let message = sys_descr().tsm(SecurityLevel::AuthPriv, b"\x80\0\0\0\x04other", "");
    let Outcome::Reply(reply) = agent.handle_over(&session, 65_535, &message) else { panic!("no Report") };
    assert_eq!(TestResponse::of(&reply).pdu_type, PduType::Report);
    let trap = TestPdu::new(PduType::TrapV2, &[]).tsm(SecurityLevel::AuthPriv, engine_id().as_bytes(), "");
    assert_eq!(agent.handle_over(&session, 65_535, &trap), Outcome::Dropped);
}

//= rfc3584#5.1-p1
//= type=test
//= rfc3584#5.2.2-p1
//= type=test
#[test]
fn response_repeats_community_and_version_of_request() {
    let (mut agent, _) = TestAgent::standard();
    for model in [MessageProcessingModel::V1, MessageProcessingModel::V2c] {
        for community in ["public", "private"] {
            let reply = agent.reply_to(&sys_descr().in_community(model, community.as_bytes()));
            assert_eq!(peek_version(&reply), Ok(Version::Known(model)));
            assert_eq!(CommunityMessage::parse(&reply).unwrap().community, community.as_bytes());
        }
    }
}
