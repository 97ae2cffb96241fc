//! Messages in sessions. The transport of a session authenticates the sender.

use std::net::SocketAddr;
use std::sync::Arc;

use portreeve_lcd::{Lcd, Tables};
use portreeve_smi::{
    EngineId, MessageProcessingModel, SecurityLevel, SecurityModel, Timestamp, TmStateReference,
    TransportAddress, TransportDomain,
};
use portreeve_snmp_message::PduType;

use super::*;
use crate::{
    message_processing::prepare::{OutgoingPdu, OutgoingSecurity, OutgoingV3, community_message, v3_message},
    reject_reason::TsmRejectReason,
    statistics::{Counter, Statistics},
};

/// An engine and its configuration.
struct TestEngine(Engine, Arc<Lcd>);

fn engine(change: impl FnOnce(&mut Tables)) -> TestEngine {
    let mut tables = Tables::default();
    change(&mut tables);
    let lcd = Arc::new(Lcd::compile(tables));
    TestEngine(Engine::new(local(), &lcd, Statistics::new(1).recorder(0), 1), lcd)
}

fn local() -> LocalEngine {
    let engine_id = "8000000005706f7274".parse().unwrap();
    LocalEngine { engine_id, boots: None, started: Timestamp::ZERO, max_message_size: 1472 }
}

fn session(domain: TransportDomain) -> TmStateReference {
    let address = TransportAddress::Ip(SocketAddr::from(([192, 0, 2, 1], 10161)));
    let mut state = TmStateReference::unauthenticated(domain, address);
    if domain.is_secure() {
        state.security_name = Some(Arc::from(*b"ops"));
        state.transport_level = SecurityLevel::AuthPriv;
        state.session = Some(1);
    }
    state
}

const GET: OutgoingPdu =
    OutgoingPdu { pdu_type: PduType::GetRequest, request_id: 5, error_status: 0, error_index: 0 };

fn v3_request(context_engine_id: &EngineId) -> Vec<u8> {
    let mut buffer = vec![0; reply_buffer_size(1472)];
    let message = OutgoingV3 {
        msg_id: 7,
        level: SecurityLevel::AuthPriv,
        context_engine_id: context_engine_id.as_bytes(),
        context_name: &[],
        security: OutgoingSecurity::Tsm,
    };
    let range = v3_message(
        &mut buffer,
        respond::HEADROOM..respond::HEADROOM,
        GET,
        &message,
        &local(),
        Timestamp::ZERO,
    )
    .unwrap();
    buffer[range].to_vec()
}

fn v2c_request(community: &[u8]) -> Vec<u8> {
    let mut buffer = vec![0; reply_buffer_size(1472)];
    let empty = respond::HEADROOM..respond::HEADROOM;
    let range = community_message(&mut buffer, empty, GET, MessageProcessingModel::V2c, community).unwrap();
    buffer[range].to_vec()
}

/// Returns the principal of a message, or the reason why the engine rejected it.
fn principal_of(
    TestEngine(engine, lcd): &mut TestEngine,
    from: &TmStateReference,
    mut message: Vec<u8>,
) -> Result<(SecurityModel, Vec<u8>, SecurityLevel), RejectReason> {
    let mut reply = vec![0; reply_buffer_size(1472)];
    match engine.receive(lcd, Timestamp::ZERO, from, 1472, &mut message, &mut reply) {
        ReceiveOutcome::Request(request) => {
            let principal = request.state.principal();
            Ok((principal.security_model, principal.security_name.to_vec(), principal.security_level))
        }
        // In these tests, there are only two reasons for a Report. If the session is not authPriv,
        // the reason is the security level. Otherwise, the reason is an unknown contextEngineID.
        ReceiveOutcome::Report(..) if from.transport_level < SecurityLevel::AuthPriv => {
            Err(RejectReason::Tsm(TsmRejectReason::InadequateSecurityLevel))
        }
        ReceiveOutcome::Report(..) => Err(RejectReason::UnknownPduHandler),
        ReceiveOutcome::Dropped(reason) => Err(reason),
    }
}

//= rfc5591#5.2-1
//= type=test
#[test]
fn tsm_request_with_the_agents_engine_id_or_local_engine_id_is_accepted() {
    let mut engine = engine(|_| {});
    let ops = (SecurityModel::TSM, b"ops".to_vec(), SecurityLevel::AuthPriv);
    for id in [local().engine_id, EngineId::LOCAL] {
        let result = principal_of(&mut engine, &session(TransportDomain::Tls), v3_request(&id));
        assert_eq!(result.as_ref(), Ok(&ops));
    }
    let other: EngineId = "80000000050000".parse().unwrap();
    let result = principal_of(&mut engine, &session(TransportDomain::Tls), v3_request(&other));
    assert_eq!(result, Err(RejectReason::UnknownPduHandler));
}

//= rfc5591#5.2-2
//= type=test
#[test]
fn tsm_message_without_session_is_rejected() {
    let mut engine = engine(|_| {});
    for domain in [TransportDomain::Udp, TransportDomain::Tcp] {
        let result = principal_of(&mut engine, &session(domain), v3_request(&EngineId::LOCAL));
        assert!(matches!(result, Err(RejectReason::Tsm(_))), "{result:?}");
    }
    assert_eq!(engine.0.statistics().statistics().sum(Counter::SnmpTsmInvalidCaches), 2);
}

//= rfc5591#5.2-4
//= type=test
#[test]
fn message_with_higher_level_than_its_session_is_counted_and_reported() {
    let mut engine = engine(|_| {});
    let mut from = session(TransportDomain::Dtls);
    from.transport_level = SecurityLevel::AuthNoPriv;
    let result = principal_of(&mut engine, &from, v3_request(&EngineId::LOCAL));
    assert_eq!(result, Err(RejectReason::Tsm(TsmRejectReason::InadequateSecurityLevel)));
    let counted = engine.0.statistics().statistics().sum(Counter::SnmpTsmInadequateSecurityLevels);
    assert_eq!(counted, 1);
}

//= rfc5591#5.2-3
//= type=test
#[test]
fn tsm_security_name_has_transport_prefix_if_prefixes_are_enabled() {
    let mut engine = engine(|tables| tables.scalars.tsm_use_prefix.enabled = true);
    let result = principal_of(&mut engine, &session(TransportDomain::Tls), v3_request(&EngineId::LOCAL));
    assert_eq!(result.unwrap().1, b"tls:ops");
}

#[test]
fn community_message_in_a_session_is_accepted_only_when_enabled() {
    let mut off = engine(|_| {});
    let from = session(TransportDomain::Ssh);
    assert_eq!(principal_of(&mut off, &from, v2c_request(b"public")), Err(RejectReason::BadCommunityName));
    let mut on = engine(|tables| tables.communities_in_sessions = true);
    let ops = (SecurityModel::SNMP_V2C, b"ops".to_vec(), SecurityLevel::AuthPriv);
    for community in [&b"public"[..], b"", b"whatever"] {
        assert_eq!(principal_of(&mut on, &from, v2c_request(community)).as_ref(), Ok(&ops));
    }
    assert_eq!(principal_of(&mut on, &from, v2c_request(&[b'c'; 33])), Err(RejectReason::BadCommunityName));
    // Without a session, the community is still checked.
    let plain = session(TransportDomain::Tcp);
    assert_eq!(principal_of(&mut on, &plain, v2c_request(b"public")), Err(RejectReason::BadCommunityName));
}
