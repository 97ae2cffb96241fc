use std::sync::Arc;

use portreeve_crypto::{AuthProtocol, PrivProtocol};
use portreeve_mib::modules::usm_mib::{
    USM_STATS_DECRYPTION_ERRORS, USM_STATS_NOT_IN_TIME_WINDOWS, USM_STATS_UNKNOWN_ENGINE_IDS,
};
use portreeve_secret::Secret;
use portreeve_snmp_engine::security::usm::UsmRejectReason;

use super::{
    agent::{AUTH, PRIVACY, USER},
    *,
};
use crate::{KeyCache, RejectReason, UsmUser};
use SecurityLevel::{AuthNoPriv, AuthPriv, NoAuthNoPriv};

const ENGINE: &[u8] = &[0x80, 0, 0, 0, 5, 1, 2, 3, 4];
const SIGNING: AuthProtocol = AuthProtocol::HmacSha96;

fn session(privacy: PrivProtocol, phrase: &str) -> TestSession {
    let auth = (SIGNING, &Secret::from(AUTH.1));
    let user = UsmUser::with_privacy(USER, auth, (privacy, &Secret::from(phrase))).unwrap();
    TestSession::new(Credentials::V3(user))
}

fn agent(privacy: PrivProtocol) -> Agent {
    Agent::with_protocols(ENGINE, SIGNING, privacy)
}

/// Passes messages to the agent until it has processed an encrypted one, and returns the result;
/// `None` if the session sends no more messages.
fn next_encrypted(session: &mut TestSession, agent: &Agent) -> Option<AgentInput> {
    loop {
        match agent.receive(&session.poll_message()?) {
            AgentInput::Rejected(msg_id, UsmRejectReason::UnknownEngineId) => {
                session.receive(agent.report(msg_id, NoAuthNoPriv, &USM_STATS_UNKNOWN_ENGINE_IDS));
            }
            AgentInput::Rejected(msg_id, UsmRejectReason::NotInTimeWindow) => {
                session.receive(agent.report(msg_id, AuthNoPriv, &USM_STATS_NOT_IN_TIME_WINDOWS));
            }
            input => return Some(input),
        }
    }
}

fn on_response(session: &mut TestSession, agent: &Agent, input: Option<AgentInput>) {
    let Some(AgentInput::Request(request, AuthPriv)) = input else { panic!("no request") };
    session.receive(agent.respond(request.msg_id, AuthPriv, &FakeResponse::to(&request)));
    assert!(session.result().unwrap().is_ok());
}

#[test]
fn decryption_error_report_switches_key_extension_for_whole_session() {
    for requested in [PrivProtocol::Aes192, PrivProtocol::Aes256, PrivProtocol::Aes256Reeder] {
        let spoken = requested.with_other_extension(SIGNING).unwrap();
        let (mut session, agent) = (session(requested, PRIVACY.1), agent(spoken));
        session.request(Operation::Get);
        let Some(AgentInput::Rejected(msg_id, UsmRejectReason::DecryptionError)) =
            next_encrypted(&mut session, &agent)
        else {
            panic!("decrypted with another key")
        };
        session.receive(agent.report(msg_id, NoAuthNoPriv, &USM_STATS_DECRYPTION_ERRORS));
        let input = next_encrypted(&mut session, &agent);
        on_response(&mut session, &agent, input);
        session.request(Operation::Get);
        let input = next_encrypted(&mut session, &agent);
        on_response(&mut session, &agent, input);
    }
}

#[test]
fn silence_after_encrypted_request_switches_key_extension() {
    let (mut session, agent) = (session(PrivProtocol::Aes256, PRIVACY.1), agent(PrivProtocol::Aes256Reeder));
    session.request(Operation::Get);
    assert!(matches!(
        next_encrypted(&mut session, &agent),
        Some(AgentInput::Rejected(_, UsmRejectReason::DecryptionError))
    ));
    session.advance(Duration::from_secs(1));
    let input = next_encrypted(&mut session, &agent);
    on_response(&mut session, &agent, input);
}

#[test]
fn key_extension_alternates_until_response_arrives() {
    let (mut session, agent) = (session(PrivProtocol::Aes256, PRIVACY.1), agent(PrivProtocol::Aes256));
    session.request(Operation::Get);
    assert!(matches!(next_encrypted(&mut session, &agent), Some(AgentInput::Request(..))));
    session.advance(Duration::from_secs(1));
    assert!(matches!(
        next_encrypted(&mut session, &agent),
        Some(AgentInput::Rejected(_, UsmRejectReason::DecryptionError))
    ));
    session.advance(Duration::from_secs(1));
    let input = next_encrypted(&mut session, &agent);
    on_response(&mut session, &agent, input);
}

#[test]
fn wrong_pass_phrase_is_tried_with_both_key_extensions() {
    let (mut session, agent) = (session(PrivProtocol::Aes256, "another phrase"), agent(PrivProtocol::Aes256));
    session.request(Operation::Get);
    let mut attempts = 0;
    while let Some(input) = next_encrypted(&mut session, &agent) {
        let AgentInput::Rejected(msg_id, UsmRejectReason::DecryptionError) = input else {
            panic!("decrypted")
        };
        session.receive(agent.report(msg_id, NoAuthNoPriv, &USM_STATS_DECRYPTION_ERRORS));
        attempts += 1;
        assert!(attempts < 10);
    }
    assert_eq!(attempts, 2);
    assert_eq!(session.result().unwrap().unwrap_err(), RequestError::Rejected(RejectReason::DecryptionError));
}

#[test]
fn decryption_error_with_key_that_needs_no_extension_ends_request() {
    let (mut session, agent) = (session(PrivProtocol::Aes128, "another phrase"), agent(PrivProtocol::Aes128));
    session.request(Operation::Get);
    let Some(AgentInput::Rejected(msg_id, _)) = next_encrypted(&mut session, &agent) else {
        panic!("decrypted")
    };
    session.receive(agent.report(msg_id, NoAuthNoPriv, &USM_STATS_DECRYPTION_ERRORS));
    assert_eq!(session.result().unwrap().unwrap_err(), RequestError::Rejected(RejectReason::DecryptionError));
}

#[test]
fn key_extension_is_cached_across_sessions() {
    let folder = std::env::temp_dir().join(format!("portreeve-extension-{}", std::process::id()));
    let cache = Arc::new(KeyCache::open(&folder.join("keys")).unwrap());
    let agent = agent(PrivProtocol::Aes256Reeder);
    for attempts in [2, 1] {
        let auth = (SIGNING, &Secret::from(AUTH.1));
        let privacy = (PrivProtocol::Aes256, &Secret::from(PRIVACY.1));
        let user = UsmUser::with_privacy(USER, auth, privacy).unwrap().with_cache(Arc::clone(&cache));
        let mut session = TestSession::new(Credentials::V3(user));
        session.request(Operation::Get);
        let mut input = next_encrypted(&mut session, &agent);
        for _ in 1..attempts {
            let Some(AgentInput::Rejected(msg_id, _)) = input else { panic!("decrypted") };
            session.receive(agent.report(msg_id, NoAuthNoPriv, &USM_STATS_DECRYPTION_ERRORS));
            input = next_encrypted(&mut session, &agent);
        }
        on_response(&mut session, &agent, input);
    }
}
