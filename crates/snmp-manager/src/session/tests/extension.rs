use std::sync::Arc;

use portreeve_crypto::{AuthProtocol, PrivProtocol};
use portreeve_mib::modules::usm_mib::{
    USM_STATS_DECRYPTION_ERRORS, USM_STATS_NOT_IN_TIME_WINDOWS, USM_STATS_UNKNOWN_ENGINE_IDS,
};
use portreeve_secret::Secret;
use portreeve_snmp_engine::security::usm::UsmFailure;

use super::{
    agent::{AUTH, PRIVACY, USER},
    *,
};
use crate::{KeyCache, Refusal, UsmUser};
use SecurityLevel::{AuthNoPriv, AuthPriv, NoAuthNoPriv};

const ENGINE: &[u8] = &[0x80, 0, 0, 0, 5, 1, 2, 3, 4];
const SIGNING: AuthProtocol = AuthProtocol::HmacSha96;

fn desk(privacy: PrivProtocol, phrase: &str) -> Desk {
    let auth = (SIGNING, &Secret::from(AUTH.1));
    let user = UsmUser::with_privacy(USER, auth, (privacy, &Secret::from(phrase))).unwrap();
    Desk::new(Credentials::V3(user))
}

fn agent(privacy: PrivProtocol) -> Agent {
    Agent::speaking(ENGINE, SIGNING, privacy)
}

/// What the agent makes of the next message that is encrypted; `None` when nothing more is sent.
fn next_encrypted(desk: &mut Desk, agent: &Agent) -> Option<Heard> {
    loop {
        match agent.hear(&desk.sends()?) {
            Heard::Rejected(msg_id, UsmFailure::UnknownEngineId) => {
                desk.hears(agent.report(msg_id, NoAuthNoPriv, &USM_STATS_UNKNOWN_ENGINE_IDS));
            }
            Heard::Rejected(msg_id, UsmFailure::NotInTimeWindow) => {
                desk.hears(agent.report(msg_id, AuthNoPriv, &USM_STATS_NOT_IN_TIME_WINDOWS));
            }
            heard => return Some(heard),
        }
    }
}

fn is_answered(desk: &mut Desk, agent: &Agent, heard: Option<Heard>) {
    let Some(Heard::Question(question, AuthPriv)) = heard else { panic!("no question") };
    desk.hears(agent.say(question.msg_id, AuthPriv, &Answer::to(&question)));
    assert!(desk.ended().unwrap().is_ok());
}

#[test]
fn an_agent_that_cannot_decrypt_is_asked_with_the_other_key_extension_and_it_is_remembered() {
    for asked in [PrivProtocol::Aes192, PrivProtocol::Aes256, PrivProtocol::Aes256Reeder] {
        let spoken = asked.with_other_extension(SIGNING).unwrap();
        let (mut desk, agent) = (desk(asked, PRIVACY.1), agent(spoken));
        desk.ask(Operation::Get);
        let Some(Heard::Rejected(msg_id, UsmFailure::DecryptionError)) = next_encrypted(&mut desk, &agent)
        else {
            panic!("decrypted with another key")
        };
        desk.hears(agent.report(msg_id, NoAuthNoPriv, &USM_STATS_DECRYPTION_ERRORS));
        let heard = next_encrypted(&mut desk, &agent);
        is_answered(&mut desk, &agent, heard);
        desk.ask(Operation::Get);
        let heard = next_encrypted(&mut desk, &agent);
        is_answered(&mut desk, &agent, heard);
    }
}

#[test]
fn an_agent_that_drops_what_it_cannot_decrypt_is_asked_with_the_other_key_extension() {
    let (mut desk, agent) = (desk(PrivProtocol::Aes256, PRIVACY.1), agent(PrivProtocol::Aes256Reeder));
    desk.ask(Operation::Get);
    assert!(matches!(
        next_encrypted(&mut desk, &agent),
        Some(Heard::Rejected(_, UsmFailure::DecryptionError))
    ));
    desk.waits(Duration::from_secs(1));
    let heard = next_encrypted(&mut desk, &agent);
    is_answered(&mut desk, &agent, heard);
}

#[test]
fn a_lost_request_does_not_lead_to_the_wrong_key_extension_for_good() {
    let (mut desk, agent) = (desk(PrivProtocol::Aes256, PRIVACY.1), agent(PrivProtocol::Aes256));
    desk.ask(Operation::Get);
    assert!(matches!(next_encrypted(&mut desk, &agent), Some(Heard::Question(..))));
    desk.waits(Duration::from_secs(1));
    assert!(matches!(
        next_encrypted(&mut desk, &agent),
        Some(Heard::Rejected(_, UsmFailure::DecryptionError))
    ));
    desk.waits(Duration::from_secs(1));
    let heard = next_encrypted(&mut desk, &agent);
    is_answered(&mut desk, &agent, heard);
}

#[test]
fn a_wrong_pass_phrase_costs_two_attempts_and_no_more() {
    let (mut desk, agent) = (desk(PrivProtocol::Aes256, "another phrase"), agent(PrivProtocol::Aes256));
    desk.ask(Operation::Get);
    let mut attempts = 0;
    while let Some(heard) = next_encrypted(&mut desk, &agent) {
        let Heard::Rejected(msg_id, UsmFailure::DecryptionError) = heard else { panic!("decrypted") };
        desk.hears(agent.report(msg_id, NoAuthNoPriv, &USM_STATS_DECRYPTION_ERRORS));
        attempts += 1;
        assert!(attempts < 10);
    }
    assert_eq!(attempts, 2);
    assert_eq!(desk.ended().unwrap().unwrap_err(), RequestError::Refused(Refusal::DecryptionError));
}

#[test]
fn where_no_key_is_extended_there_is_one_attempt() {
    let (mut desk, agent) = (desk(PrivProtocol::Aes128, "another phrase"), agent(PrivProtocol::Aes128));
    desk.ask(Operation::Get);
    let Some(Heard::Rejected(msg_id, _)) = next_encrypted(&mut desk, &agent) else { panic!("decrypted") };
    desk.hears(agent.report(msg_id, NoAuthNoPriv, &USM_STATS_DECRYPTION_ERRORS));
    assert_eq!(desk.ended().unwrap().unwrap_err(), RequestError::Refused(Refusal::DecryptionError));
}

#[test]
fn what_one_session_finds_out_another_begins_with() {
    let folder = std::env::temp_dir().join(format!("portreeve-extension-{}", std::process::id()));
    let cache = Arc::new(KeyCache::open(&folder.join("keys")).unwrap());
    let agent = agent(PrivProtocol::Aes256Reeder);
    for attempts in [2, 1] {
        let auth = (SIGNING, &Secret::from(AUTH.1));
        let privacy = (PrivProtocol::Aes256, &Secret::from(PRIVACY.1));
        let user = UsmUser::with_privacy(USER, auth, privacy).unwrap().with_cache(Arc::clone(&cache));
        let mut desk = Desk::new(Credentials::V3(user));
        desk.ask(Operation::Get);
        let mut heard = next_encrypted(&mut desk, &agent);
        for _ in 1..attempts {
            let Some(Heard::Rejected(msg_id, _)) = heard else { panic!("decrypted") };
            desk.hears(agent.report(msg_id, NoAuthNoPriv, &USM_STATS_DECRYPTION_ERRORS));
            heard = next_encrypted(&mut desk, &agent);
        }
        is_answered(&mut desk, &agent, heard);
    }
}
