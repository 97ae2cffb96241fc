use portreeve_mib::modules::usm_mib::{
    USM_STATS_NOT_IN_TIME_WINDOWS, USM_STATS_UNKNOWN_ENGINE_IDS, USM_STATS_UNKNOWN_USER_NAMES,
    USM_STATS_WRONG_DIGESTS,
};
use portreeve_smi::{ClockReading, EngineBoots, EngineId};
use portreeve_snmp_engine::security::usm::UsmRejectReason;
use portreeve_snmp_message::{MsgFlags, V3Message};

use super::{agent::user, *};
use crate::RejectReason;
use SecurityLevel::{AuthNoPriv, AuthPriv, NoAuthNoPriv};

const ENGINE: &[u8] = &[0x80, 0, 0, 0, 5, 1, 2, 3, 4];
const OTHER_ENGINE: &[u8] = &[0x80, 0, 0, 0, 5, 9, 9, 9, 9];

fn session(level: SecurityLevel) -> TestSession {
    TestSession::new(Credentials::V3(user(level)))
}

/// Exchanges messages with a correct agent until the request has arrived.
pub(super) fn until_request_received(session: &mut TestSession, agent: &Agent) -> ReceivedRequest {
    for _ in 0..4 {
        match agent.receive(&session.poll_message().expect("a message")) {
            AgentInput::Request(request, level) => {
                assert!(!request.names.is_empty());
                assert!(matches!(level, NoAuthNoPriv | AuthNoPriv | AuthPriv));
                return request;
            }
            AgentInput::Rejected(msg_id, UsmRejectReason::UnknownEngineId) => {
                session.receive(agent.report(msg_id, NoAuthNoPriv, &USM_STATS_UNKNOWN_ENGINE_IDS));
            }
            AgentInput::Rejected(msg_id, UsmRejectReason::NotInTimeWindow) => {
                session.receive(agent.report(msg_id, AuthNoPriv, &USM_STATS_NOT_IN_TIME_WINDOWS));
            }
            AgentInput::Rejected(_, failure) => panic!("{failure:?}"),
        }
    }
    panic!("the request never arrived");
}

fn msg_id(message: &[u8]) -> i32 {
    V3Message::parse(message).unwrap().header.msg_id
}

//= rfc3412#7.1-1a
//= type=test
//= rfc3412#7.1-4
//= type=test
//= rfc3412#7.1-5
//= type=test
//= rfc3412#7.1-6
//= type=test
//= rfc3412#7.1-9a
//= type=test
//= rfc3412#7.1-9b
//= type=test
//= rfc3412#7.1-9e
//= type=test
//= rfc3412#7.2-1
//= type=test
//= rfc3412#7.2-12c
//= type=test
//= rfc3412#7.2-12d
//= type=test
#[test]
fn request_succeeds_at_every_level_and_next_one_needs_no_discovery() {
    for level in [NoAuthNoPriv, AuthNoPriv, AuthPriv] {
        let (mut session, agent) = (session(level), Agent::new(ENGINE));
        session.request(Operation::Get);
        let request = until_request_received(&mut session, &agent);
        session.receive(agent.respond(request.msg_id, level, &FakeResponse::to(&request)));
        assert!(session.result().unwrap().is_ok(), "{level}");
        // The session retains the engine ID and the clock, so the next request is sent at once.
        session.request(Operation::Get);
        assert!(
            matches!(agent.receive(&session.poll_message().unwrap()), AgentInput::Request(_, found) if found == level)
        );
    }
}

#[test]
fn configured_engine_id_is_not_discovered() {
    let options = SessionOptions {
        security_engine_id: Some(EngineId::new(ENGINE).unwrap()),
        ..SessionOptions::default()
    };
    let mut session = TestSession::with_options(Credentials::V3(user(NoAuthNoPriv)), options);
    session.request(Operation::Get);
    assert!(matches!(Agent::new(ENGINE).receive(&session.poll_message().unwrap()), AgentInput::Request(..)));
}

#[test]
fn time_is_not_synchronized_if_agent_clock_is_configured() {
    let clock = ClockReading { boots: EngineBoots::new(7).unwrap(), time: 1000 };
    let options = SessionOptions {
        security_engine_id: Some(EngineId::new(ENGINE).unwrap()),
        agent_clock: Some(clock),
        ..SessionOptions::default()
    };
    let mut session = TestSession::with_options(Credentials::V3(user(AuthNoPriv)), options);
    session.request(Operation::Get);
    let agent = Agent::new(ENGINE).with_clock(clock);
    assert!(matches!(agent.receive(&session.poll_message().unwrap()), AgentInput::Request(_, AuthNoPriv)));
}

//= rfc3412#7.1-9d
//= type=test
//= rfc3412#7.2-10a
//= type=test
//= rfc3413#3.1-2
//= type=test
#[test]
fn m1_response_with_wrong_msg_id_or_request_id_is_dropped() {
    let (mut session, agent) = (session(AuthPriv), Agent::new(ENGINE));
    session.request(Operation::Get);
    let request = until_request_received(&mut session, &agent);
    session.assert_dropped(
        agent.respond(request.msg_id ^ 1, AuthPriv, &FakeResponse::to(&request)),
        DropReason::UnknownRequest,
    );
    let mut response = FakeResponse::to(&request);
    response.request_id ^= 1;
    session.assert_dropped(agent.respond(request.msg_id, AuthPriv, &response), DropReason::UnknownRequest);
}

//= rfc3412#7.2-12a
//= type=test
//= rfc3413#3.1-1
//= type=test
#[test]
fn m5_response_from_wrong_engine_id_or_context_is_dropped() {
    let (mut session, agent) = (session(AuthNoPriv), Agent::new(ENGINE));
    let other_agent = Agent::new(OTHER_ENGINE);
    session.request(Operation::Get);
    let request = until_request_received(&mut session, &agent);
    let response = FakeResponse::to(&request);
    session
        .assert_dropped(other_agent.respond(request.msg_id, AuthNoPriv, &response), DropReason::WrongEngine);
    session.assert_dropped(
        agent.respond_in_context(request.msg_id, AuthNoPriv, &response, other_agent.engine_id),
        DropReason::WrongContext,
    );
}

//= rfc3412#7.2-11b
//= type=test
#[test]
fn m13_unauthenticated_report_does_not_set_clock() {
    let (mut session, agent) = (session(AuthNoPriv), Agent::new(ENGINE));
    session.request(Operation::Get);
    let request = until_request_received(&mut session, &agent);
    let lying_agent =
        Agent::new(ENGINE).with_clock(ClockReading { boots: EngineBoots::new(4711).unwrap(), time: 9 });
    let report = lying_agent.report(request.msg_id, NoAuthNoPriv, &USM_STATS_NOT_IN_TIME_WINDOWS);
    session.assert_dropped(report, DropReason::LowerSecurityLevel(NoAuthNoPriv));
    session.advance(Duration::from_secs(1));
    assert!(matches!(agent.receive(&session.poll_message().unwrap()), AgentInput::Request(..)));
}

#[test]
fn m13_clock_in_discovery_report_is_not_trusted() {
    let mut session = session(AuthNoPriv);
    let agent = Agent::new(ENGINE);
    session.request(Operation::Get);
    let discovery = session.poll_message().unwrap();
    session.receive(agent.report(msg_id(&discovery), NoAuthNoPriv, &USM_STATS_UNKNOWN_ENGINE_IDS));
    assert!(matches!(
        agent.receive(&session.poll_message().unwrap()),
        AgentInput::Rejected(_, UsmRejectReason::NotInTimeWindow)
    ));
}

#[test]
fn m14_engine_id_is_discovered_at_most_twice_per_request() {
    let mut session = session(AuthNoPriv);
    let agent = Agent::new(ENGINE);
    session.request(Operation::Get);
    let mut discoveries = 0;
    while let Some(message) = session.poll_message() {
        let level = V3Message::parse(&message).unwrap().header.flags.level();
        discoveries += u32::from(level == MsgFlags::new(NoAuthNoPriv, true).level());
        session.receive(agent.report(msg_id(&message), NoAuthNoPriv, &USM_STATS_UNKNOWN_ENGINE_IDS));
        assert!(discoveries < 10);
    }
    assert_eq!(discoveries, 2);
    assert_eq!(session.result().unwrap().unwrap_err(), RequestError::Rejected(RejectReason::UnknownEngineId));
}

#[test]
fn engine_id_of_replaced_agent_is_discovered_again() {
    let (mut session, old, new) = (session(AuthPriv), Agent::new(ENGINE), Agent::new(OTHER_ENGINE));
    session.request(Operation::Get);
    let request = until_request_received(&mut session, &old);
    session.receive(old.respond(request.msg_id, AuthPriv, &FakeResponse::to(&request)));
    assert!(session.result().unwrap().is_ok());
    session.request(Operation::Get);
    let request = until_request_received(&mut session, &new);
    session.receive(new.respond(request.msg_id, AuthPriv, &FakeResponse::to(&request)));
    assert!(session.result().unwrap().is_ok());
    assert_eq!(session.session.engine_id(), Some(new.engine_id));
}

//= rfc3412#7.2-12b
//= type=test
#[test]
fn m15_response_at_lower_security_level_is_dropped() {
    for (requested, answered) in
        [(AuthPriv, AuthNoPriv), (AuthPriv, NoAuthNoPriv), (AuthNoPriv, NoAuthNoPriv)]
    {
        let (mut session, agent) = (session(requested), Agent::new(ENGINE));
        session.request(Operation::Get);
        let request = until_request_received(&mut session, &agent);
        let message = agent.respond(request.msg_id, answered, &FakeResponse::to(&request));
        session.assert_dropped(message, DropReason::LowerSecurityLevel(answered));
    }
}

#[test]
fn m16_engine_id_of_invalid_length_is_not_learned() {
    let mut session = session(NoAuthNoPriv);
    session.request(Operation::Get);
    let discovery = session.poll_message().unwrap();
    let agent = Agent::new(ENGINE);
    let valid = agent.report(msg_id(&discovery), NoAuthNoPriv, &USM_STATS_UNKNOWN_ENGINE_IDS);
    session.assert_dropped(with_short_engine_id(&valid), DropReason::InvalidEngineIdLength);
    assert_eq!(session.session.engine_id(), None);
    session.receive(valid);
    assert_eq!(session.session.engine_id(), Some(agent.engine_id));
}

#[test]
fn m17_request_to_agent_with_latched_engine_boots_times_out() {
    let mut session = session(AuthNoPriv);
    let agent = Agent::new(ENGINE).with_clock(ClockReading { boots: EngineBoots::LATCHED, time: 5 });
    session.request(Operation::Get);
    let discovery = session.poll_message().unwrap();
    session.receive(agent.report(msg_id(&discovery), NoAuthNoPriv, &USM_STATS_UNKNOWN_ENGINE_IDS));
    for _ in 0..6 {
        let request = session.poll_message().unwrap();
        session.receive(agent.report(msg_id(&request), AuthNoPriv, &USM_STATS_NOT_IN_TIME_WINDOWS));
        session.advance(Duration::from_secs(1));
    }
    let expected = RequestError::Timeout(Some(DropReason::NotInTimeWindow));
    assert_eq!(session.result().unwrap().unwrap_err(), expected);
}

#[test]
fn request_fails_at_second_not_in_time_window_report() {
    let (mut session, agent) = (session(AuthNoPriv), Agent::new(ENGINE));
    session.request(Operation::Get);
    let request = until_request_received(&mut session, &agent);
    session.receive(agent.report(request.msg_id, AuthNoPriv, &USM_STATS_NOT_IN_TIME_WINDOWS));
    assert_eq!(session.result().unwrap().unwrap_err(), RequestError::Rejected(RejectReason::NotInTimeWindow));
}

//= rfc3412#7.2-9
//= type=test
//= rfc3412#7.2-11a
//= type=test
//= rfc3412#7.2-11c
//= type=test
//= rfc3412#7.2-11d
//= type=test
//= rfc3412#7.2-11e
//= type=test
#[test]
fn report_of_unknown_user_or_wrong_digest_fails_the_request() {
    let table = [
        (&USM_STATS_UNKNOWN_USER_NAMES, RejectReason::UnknownUserName),
        (&USM_STATS_WRONG_DIGESTS, RejectReason::WrongDigest),
    ];
    for (counter, expected) in table {
        let (mut session, agent) = (session(AuthNoPriv), Agent::new(ENGINE));
        session.request(Operation::Get);
        let request = until_request_received(&mut session, &agent);
        session.receive(agent.report(request.msg_id, NoAuthNoPriv, counter));
        assert_eq!(session.result().unwrap().unwrap_err(), RequestError::Rejected(expected));
    }
}

#[test]
fn c13_response_with_flipped_bit_is_dropped() {
    let (mut session, agent) = (session(AuthPriv), Agent::new(ENGINE));
    session.request(Operation::Get);
    let request = until_request_received(&mut session, &agent);
    let valid = agent.respond(request.msg_id, AuthPriv, &FakeResponse::to(&request));
    for bit in 0..valid.len() * 8 {
        let mut flipped = valid.clone();
        flipped[bit / 8] ^= 1 << (bit % 8);
        session.receive(flipped);
        assert!(session.result().is_none(), "bit {bit}");
    }
    session.receive(valid);
    assert!(session.result().unwrap().is_ok());
}

#[test]
fn lost_discovery_request_is_retransmitted_then_times_out() {
    let mut session = session(AuthPriv);
    session.request(Operation::Get);
    for _ in 0..6 {
        assert!(session.poll_message().is_some());
        session.advance(Duration::from_secs(1));
    }
    assert_eq!(session.poll_message(), None);
    assert_eq!(session.result().unwrap().unwrap_err(), RequestError::Timeout(None));
}

/// Shortens the engine ID of a message to four octets and adjusts all enclosing lengths.
fn with_short_engine_id(message: &[u8]) -> Vec<u8> {
    let at = message.windows(ENGINE.len()).position(|window| window == ENGINE).unwrap();
    let cut = ENGINE.len() - 4;
    let mut short = message.to_vec();
    short.drain(at + 4..at + ENGINE.len());
    // The positions of the lengths of the engine ID, of the parameters' SEQUENCE, of their OCTET
    // STRING, and of the whole message.
    for length in [at - 1, at - 3, at - 5, 1] {
        assert!(usize::from(short[length]) > cut && short[length] < 0x80, "short form at {length}");
        short[length] -= cut as u8;
    }
    short
}

//= rfc3412#7.1-1b
//= type=test
#[test]
fn msg_ids_of_a_session_are_unique() {
    let (mut session, agent) = (session(NoAuthNoPriv), Agent::new(ENGINE));
    let mut used = std::collections::HashSet::new();
    for _ in 0..50 {
        session.request(Operation::Get);
        while let Some(message) = session.session.poll_output(session.now).map(<[u8]>::to_vec) {
            assert!(used.insert(msg_id(&message)));
            if let AgentInput::Rejected(msg_id, _) = agent.receive(&message) {
                session.receive(agent.report(msg_id, NoAuthNoPriv, &USM_STATS_UNKNOWN_ENGINE_IDS));
            }
        }
    }
}
