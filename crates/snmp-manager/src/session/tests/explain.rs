use portreeve_mib::{
    Object,
    modules::{
        mpd_mib::SNMP_UNKNOWN_PDU_HANDLERS,
        target_mib::{SNMP_UNAVAILABLE_CONTEXTS, SNMP_UNKNOWN_CONTEXTS},
        usm_mib::{
            USM_STATS_DECRYPTION_ERRORS, USM_STATS_NOT_IN_TIME_WINDOWS, USM_STATS_UNKNOWN_ENGINE_IDS,
            USM_STATS_UNKNOWN_USER_NAMES, USM_STATS_UNSUPPORTED_SEC_LEVELS, USM_STATS_WRONG_DIGESTS,
        },
    },
};
use portreeve_secret::Secret;
use portreeve_smi::{ClockReading, EngineBoots, ErrorStatus, Value};

use super::{
    agent::{community_message, user},
    usm::until_request_received,
    *,
};
use crate::explain::{Probe, ProbeReply};
use SecurityLevel::{AuthNoPriv, AuthPriv, NoAuthNoPriv};

const ENGINE: &[u8] = &[0x80, 0, 0, 0, 5, 1, 2, 3, 4];

fn session(level: SecurityLevel) -> TestSession {
    TestSession::new(Credentials::V3(user(level)))
}

fn clock(boots: u32, time: u32) -> ClockReading {
    ClockReading { boots: EngineBoots::new(boots).unwrap(), time }
}

/// Returns the session's explanation for its only request.
fn explanation(session: &mut TestSession) -> String {
    let error = session.result().expect("an end").expect_err("an error");
    session.session.explain(&error).to_string()
}

/// Passes each transmission to `response` until the request times out. Returns the explanation.
fn give_up(session: &mut TestSession, mut response: impl FnMut(&[u8]) -> Option<Vec<u8>>) -> String {
    for _ in 0..8 {
        if let Some(reply) = session.poll_message().and_then(|message| response(&message)) {
            session.receive(reply);
        }
        session.advance(Duration::from_secs(1));
    }
    explanation(session)
}

fn assert_explanation(found: &str, beginning: &str) {
    assert!(found.starts_with(beginning), "{found:?} does not begin with {beginning:?}");
    assert!(found.contains(": "), "{found:?} has no remedy");
}

#[test]
fn report_with_usm_or_context_error_counter_is_explained() {
    let table: [(&Object, SecurityLevel, &str); 8] = [
        (&USM_STATS_WRONG_DIGESTS, NoAuthNoPriv, "wrong authentication pass phrase for user ops"),
        (&USM_STATS_DECRYPTION_ERRORS, NoAuthNoPriv, "wrong privacy pass phrase for user ops"),
        (&USM_STATS_UNKNOWN_USER_NAMES, NoAuthNoPriv, "the agent has no user ops"),
        (&USM_STATS_UNSUPPORTED_SEC_LEVELS, NoAuthNoPriv, "user ops has no privacy key, so authPriv"),
        (
            &USM_STATS_NOT_IN_TIME_WINDOWS,
            AuthNoPriv,
            "the agent rejected the engine time that it had just reported",
        ),
        (&SNMP_UNKNOWN_CONTEXTS, AuthPriv, "the agent has no context \"\""),
        (&SNMP_UNAVAILABLE_CONTEXTS, AuthPriv, "the agent's context \"\" is not available now"),
        (&SNMP_UNKNOWN_PDU_HANDLERS, AuthPriv, "the agent does not have the requested context engineID"),
    ];
    for (counter, level, expected) in table {
        let (mut session, agent) = (session(AuthPriv), Agent::new(ENGINE));
        session.request(Operation::Get);
        let request = until_request_received(&mut session, &agent);
        session.receive(agent.report(request.msg_id, level, counter));
        assert_explanation(&explanation(&mut session), expected);
    }
}

#[test]
fn wrong_configured_engine_id_is_explained() {
    let options =
        SessionOptions { security_engine_id: Some(EngineId::new(ENGINE).unwrap()), ..Default::default() };
    let mut session = TestSession::with_options(Credentials::V3(user(NoAuthNoPriv)), options);
    let agent = Agent::new(ENGINE);
    session.request(Operation::Get);
    let AgentInput::Request(request, _) = agent.receive(&session.poll_message().unwrap()) else {
        panic!("no request")
    };
    session.receive(agent.report(request.msg_id, NoAuthNoPriv, &USM_STATS_UNKNOWN_ENGINE_IDS));
    assert_explanation(&explanation(&mut session), "the agent does not have the configured engineID");
}

/// Returns a session that knows the agent's clock: engineBoots is 7, and engineTime is at least
/// 1000 seconds.
fn synchronized_session() -> TestSession {
    let (mut session, agent) = (session(AuthNoPriv), Agent::new(ENGINE));
    session.request(Operation::Get);
    let request = until_request_received(&mut session, &agent);
    session.receive(agent.respond(request.msg_id, AuthNoPriv, &FakeResponse::to(&request)));
    assert!(session.result().unwrap().is_ok());
    session
}

/// Simulates an agent that rejects every message as outside the time window of this clock.
fn reject_with_clock(reading: ClockReading) -> impl FnMut(&[u8]) -> Option<Vec<u8>> {
    let agent = Agent::new(ENGINE).with_clock(reading);
    move |message| match agent.receive(message) {
        AgentInput::Rejected(msg_id, _) => {
            Some(agent.report(msg_id, AuthNoPriv, &USM_STATS_NOT_IN_TIME_WINDOWS))
        }
        AgentInput::Request(..) => None,
    }
}

#[test]
fn agent_clock_moved_back_is_explained_in_seconds() {
    let mut session = synchronized_session();
    session.advance(Duration::from_secs(12));
    session.request(Operation::Get);
    let explanation_text = give_up(&mut session, reject_with_clock(clock(7, 700)));
    // The seconds are not exactly 312, because the expected clock advanced during the
    // retransmissions.
    assert_explanation(&explanation_text, "the agent's clock moved back 31");
    assert!(explanation_text.contains("the agent does not store its engineBoots"), "{explanation_text}");
}

#[test]
fn engine_boots_moved_back_are_explained() {
    let mut session = synchronized_session();
    session.request(Operation::Get);
    assert_explanation(
        &give_up(&mut session, reject_with_clock(clock(3, 5000))),
        "the agent's engineBoots went back from 7 to 3",
    );
}

#[test]
fn engine_boots_at_maximum_are_explained() {
    let mut session = session(AuthNoPriv);
    let agent = Agent::new(ENGINE);
    session.request(Operation::Get);
    let request = until_request_received(&mut session, &agent);
    let latched = agent.with_clock(ClockReading { boots: EngineBoots::LATCHED, time: 5 });
    session.receive(latched.report(request.msg_id, AuthNoPriv, &USM_STATS_NOT_IN_TIME_WINDOWS));
    assert_explanation(&give_up(&mut session, |_| None), "the agent's engineBoots has reached its maximum");
}

#[test]
fn engine_id_shared_by_two_agents_is_detected_by_their_clocks() {
    let mut session = synchronized_session();
    let (ours, other) = (Agent::new(ENGINE), Agent::new(ENGINE).with_clock(clock(3, 5000)));
    let mut turn = 0;
    session.request(Operation::Get);
    let explanation_text = give_up(&mut session, |message| {
        turn += 1;
        match (turn % 2, ours.receive(message)) {
            // The first agent's response has a wrong msgID, like a late response to another
            // request.
            (1, AgentInput::Request(request, level)) => {
                Some(ours.respond(request.msg_id ^ 0x4000_0000, level, &FakeResponse::to(&request)))
            }
            (0, AgentInput::Request(request, _)) => {
                Some(other.report(request.msg_id, AuthNoPriv, &USM_STATS_NOT_IN_TIME_WINDOWS))
            }
            _ => None,
        }
    });
    assert_eq!(session.session.last_drop_reason(), Some(DropReason::NotInTimeWindow));
    assert_explanation(&explanation_text, "two agents share engineID 0x800000000501020304");
}

#[test]
fn explanation_of_timeout_depends_on_messages_received_before() {
    let mut unanswered = session(AuthPriv);
    unanswered.request(Operation::Get);
    assert_explanation(&give_up(&mut unanswered, |_| None), "no SNMPv3 engine responds at this address");

    for (level, expected) in [
        (AuthNoPriv, "the agent reported its engineID and then stopped responding"),
        (AuthPriv, "wrong privacy pass phrase or protocol for user ops"),
    ] {
        let (mut session, agent) = (session(level), Agent::new(ENGINE));
        session.request(Operation::Get);
        until_request_received(&mut session, &agent);
        assert_explanation(&give_up(&mut session, |_| None), expected);
    }

    let mut synchronized_session = synchronized_session();
    synchronized_session.request(Operation::Get);
    assert_explanation(&give_up(&mut synchronized_session, |_| None), "the agent has stopped responding");

    let mut community = TestSession::new(Credentials::V2c(Secret::from("public")));
    community.request(Operation::Get);
    assert_explanation(
        &give_up(&mut community, |_| None),
        "the community is wrong, or the agent does not accept it",
    );
}

#[test]
fn dropped_responses_are_explained_after_timeout() {
    let mut session = TestSession::new(Credentials::V2c(Secret::from("public")));
    session.request(Operation::Get);
    let explanation_text = give_up(&mut session, |message| {
        let mut response = FakeResponse::to(&ReceivedRequest::of_community(message));
        response.request_id ^= 1;
        Some(community_message(MessageProcessingModel::V2c, "public", &response))
    });
    assert_explanation(&explanation_text, "responses arrived too late");

    let mut session = TestSession::new(Credentials::V2c(Secret::from("public")));
    session.request(Operation::Get);
    let explanation_text = give_up(&mut session, |message| {
        let response = FakeResponse::to(&ReceivedRequest::of_community(message));
        Some(community_message(MessageProcessingModel::V1, "public", &response))
    });
    assert_explanation(
        &explanation_text,
        "the last received message was dropped: the SNMP version differs from that of the request",
    );
}

#[test]
fn invalid_request_is_explained_with_its_remedy() {
    let community = || Secret::from("public");
    let mut v2c = TestSession::new(Credentials::V2c(community()));
    let mut request = Request::new(Operation::Set);
    request.push(&[1, 3, 6, 1], Value::OctetString(&vec![0; 70_000]));
    v2c.session.request(&request);
    assert_eq!(v2c.session.poll_output(v2c.now), None);
    assert_eq!(
        explanation(&mut v2c),
        "the request is too long for one message: request fewer objects at once, or set shorter values"
    );

    let mut v1 = TestSession::new(Credentials::V1(community()));
    v1.request(Operation::GetBulk { non_repeaters: 0, max_repetitions: 10 });
    assert_eq!(explanation(&mut v1), "SNMPv1 has no GetBulk request: use another SNMP version");
}

#[test]
fn access_denial_explanation_names_object_and_user_but_no_community() {
    let session = session(AuthNoPriv).session;
    let host = [1, 3, 6, 1, 2, 1, 25];
    let explanation_text = session.explain_absence(&host).to_string();
    assert_explanation(
        &explanation_text,
        "the agent does not have 1.3.6.1.2.1.25, or no view grants it to ops at authNoPriv",
    );
    let table = [
        (
            ErrorStatus::NoSuchName,
            "the agent does not have 1.3.6.1.2.1.25, or no view grants it to ops at authNoPriv",
        ),
        (ErrorStatus::AuthorizationError, "ops at authNoPriv has no access rights"),
        (ErrorStatus::NoAccess, "no write view grants 1.3.6.1.2.1.25 to ops at authNoPriv"),
        (ErrorStatus::NotWritable, "1.3.6.1.2.1.25 cannot be written"),
    ];
    for (status, expected) in table {
        assert_explanation(&session.explain_status(status, &host).unwrap().to_string(), expected);
    }
    assert_eq!(session.explain_status(ErrorStatus::GenErr, &host), None);
    let community = TestSession::new(Credentials::V1(Secret::from("secret word"))).session;
    let explanation_text = community.explain_absence(&host).to_string();
    assert_explanation(
        &explanation_text,
        "the agent does not have 1.3.6.1.2.1.25, or no view grants it to this community",
    );
    assert!(!explanation_text.contains("secret word"));
}

/// Returns the cause that the probes of a community session find. `response` returns the agent's
/// reply to a probe.
fn probe_cause(response: impl Fn(&[u8]) -> Option<Vec<u8>>) -> Option<String> {
    let session = TestSession::new(Credentials::V2c(Secret::from("public"))).session;
    let mut probes = Probe::all(&session, 4711);
    let now = Timestamp::from_secs(1);
    let sent: Vec<_> = probes.iter_mut().filter_map(|probe| probe.message(now).map(<[u8]>::to_vec)).collect();
    assert_eq!(sent.len(), 3);
    let mut replies = Vec::new();
    for mut reply in sent.iter().filter_map(|message| response(message)) {
        replies.extend(probes.iter_mut().find_map(|probe| probe.handle_input(now, &mut reply)));
    }
    ProbeReply::cause(&replies, &session).map(|cause| cause.to_string())
}

#[test]
fn probes_find_the_snmp_version_that_agent_supports() {
    use portreeve_snmp_message::{Version, peek_version};
    let version = |message: &[u8]| match peek_version(message) {
        Ok(Version::Known(version)) => version,
        _ => panic!("no message of ours"),
    };
    let only = |spoken: MessageProcessingModel| {
        move |message: &[u8]| match version(message) {
            MessageProcessingModel::V3 if spoken == MessageProcessingModel::V3 => {
                let agent = Agent::new(ENGINE);
                let AgentInput::Rejected(msg_id, _) = agent.receive(message) else { panic!("no discovery") };
                Some(agent.report(msg_id, NoAuthNoPriv, &USM_STATS_UNKNOWN_ENGINE_IDS))
            }
            found if found == spoken => Some(community_message(
                spoken,
                "public",
                &FakeResponse::to(&ReceivedRequest::of_community(message)),
            )),
            _ => None,
        }
    };
    assert_eq!(probe_cause(|_| None), None);
    assert_explanation(
        &format!("{}: ", probe_cause(only(MessageProcessingModel::V3)).unwrap()),
        "the agent is up and supports SNMPv3",
    );
    assert_explanation(
        &format!("{}: ", probe_cause(only(MessageProcessingModel::V1)).unwrap()),
        "the agent responds to this community in SNMPv1 only",
    );
    assert_explanation(
        &format!("{}: ", probe_cause(only(MessageProcessingModel::V2c)).unwrap()),
        "the agent responds now",
    );
}
