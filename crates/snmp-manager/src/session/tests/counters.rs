//! The counters of dropped messages.

use portreeve_smi::EngineId;
use portreeve_snmp_engine::statistics::Counter;
use portreeve_snmp_message::{PduType, V3Message};

use super::{
    agent::{community_message, user},
    usm::until_request_received,
    *,
};
use MessageProcessingModel::{V1, V2c};
use SecurityLevel::{AuthNoPriv, AuthPriv, NoAuthNoPriv};

const ENGINE: &[u8] = &[0x80, 0, 0, 0, 5, 1, 2, 3, 4];
const OTHER_ENGINE: &[u8] = &[0x80, 0, 0, 0, 5, 9, 9, 9, 9];

/// Asserts that each message is dropped with the counter.
fn assert_counted<const N: usize>(session: &mut TestSession, cases: [(&str, Vec<u8>, Option<Counter>); N]) {
    for (name, mut message, counter) in cases {
        let reason = session.session.accept_input(session.now, &mut message).expect_err(name);
        assert_eq!(reason.counter(), counter, "{name}: {reason}");
        assert_eq!(session.session.last_drop_reason(), Some(reason), "{name}");
    }
}

/// Replaces the last occurrence of octets.
fn replaced(message: &[u8], old: &[u8], new: &[u8]) -> Vec<u8> {
    let at = message.windows(old.len()).rposition(|window| window == old).expect("the octets");
    [&message[..at], new, &message[at + old.len()..]].concat()
}

//= rfc3412#7.2-2
//= type=test
//= rfc3412#7.2-10a
//= type=test
//= rfc3584#5.2.1-p1
//= type=test
#[test]
fn dropped_messages_with_communities_have_their_counters() {
    let mut session = TestSession::new(Credentials::V2c("public".into()));
    session.request(Operation::Get);
    let request = ReceivedRequest::of_community(&session.poll_message().unwrap());
    let response = FakeResponse::to(&request);
    let good = community_message(V2c, "public", &response);
    let get = FakeResponse { pdu_type: PduType::GetRequest, ..FakeResponse::to(&request) };
    let late = FakeResponse { request_id: request.request_id + 1, ..FakeResponse::to(&request) };
    let other = FakeResponse { binds: vec![(OTHER.to_vec(), 42)], ..FakeResponse::to(&request) };
    assert_counted(
        &mut session,
        [
            ("rubbish", b"rubbish".to_vec(), Some(Counter::SnmpInAsnParseErrs)),
            ("cut", good[..good.len() - 1].to_vec(), Some(Counter::SnmpInAsnParseErrs)),
            ("version 9", replaced(&good, &[2, 1, 1, 4], &[2, 1, 9, 4]), Some(Counter::SnmpInBadVersions)),
            ("SNMPv1", community_message(V1, "public", &response), Some(Counter::SnmpUnknownPduHandlers)),
            (
                "community",
                community_message(V2c, "secret", &response),
                Some(Counter::SnmpInBadCommunityNames),
            ),
            ("request", community_message(V2c, "public", &get), Some(Counter::SnmpUnknownPduHandlers)),
            ("request-id", community_message(V2c, "public", &late), Some(Counter::SnmpUnknownPduHandlers)),
            ("objects", community_message(V2c, "public", &other), None),
        ],
    );
    assert_eq!(session.session.accept_input(session.now, &mut good.clone()), Ok(()));
    let counter = Some(Counter::SnmpUnknownPduHandlers);
    assert_counted(&mut session, [("second response", good, counter)]);
}

//= rfc3412#7.2-4
//= type=test
//= rfc3412#7.2-5d
//= type=test
//= rfc3412#7.2-7
//= type=test
//= rfc3412#7.2-12b
//= type=test
//= rfc3414#3.2-3b
//= type=test
//= rfc3414#3.2-5
//= type=test
//= rfc3414#3.2-6a
//= type=test
#[test]
fn dropped_messages_of_usm_have_their_counters() {
    let (mut session, agent) = (TestSession::new(Credentials::V3(user(AuthNoPriv))), Agent::new(ENGINE));
    session.request(Operation::Get);
    let request = until_request_received(&mut session, &agent);
    let (response, id) = (FakeResponse::to(&request), request.msg_id);
    let good = agent.respond(id, AuthNoPriv, &response);
    let forged = good.iter().rev().skip(1).rev().chain(&[0xff]).copied().collect();
    // msgFlags and msgSecurityModel.
    let header = [4, 1, 1, 2, 1, 3];
    assert_eq!(V3Message::parse(&good).unwrap().header.flags.level(), Some(AuthNoPriv));
    let other_engine: EngineId = Agent::new(OTHER_ENGINE).engine_id;
    assert_counted(
        &mut session,
        [
            ("cut", good[..good.len() - 1].to_vec(), Some(Counter::SnmpInAsnParseErrs)),
            (
                "model",
                replaced(&good, &header, &[4, 1, 1, 2, 1, 9]),
                Some(Counter::SnmpUnknownSecurityModels),
            ),
            ("flags", replaced(&good, &header, &[4, 1, 2, 2, 1, 3]), Some(Counter::SnmpInvalidMsgs)),
            ("digest", forged, Some(Counter::UsmStatsWrongDigests)),
            (
                "engine",
                Agent::new(OTHER_ENGINE).respond(id, AuthNoPriv, &response),
                Some(Counter::UsmStatsUnknownEngineIds),
            ),
            ("level", agent.respond(id, AuthPriv, &response), Some(Counter::UsmStatsUnsupportedSecLevels)),
            ("lower level", agent.respond(id, NoAuthNoPriv, &response), None),
            ("context", agent.respond_in_context(id, AuthNoPriv, &response, other_engine), None),
            ("msgID", agent.respond(id ^ 1, AuthNoPriv, &response), Some(Counter::SnmpUnknownPduHandlers)),
        ],
    );
    assert_eq!(session.session.accept_input(session.now, &mut good.clone()), Ok(()));
}
