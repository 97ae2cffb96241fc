//! Users whose keys are known for some engines only.

use portreeve_crypto::password_to_key;
use portreeve_mib::modules::usm_mib::USM_STATS_UNKNOWN_ENGINE_IDS;
use portreeve_secret::Secret;
use portreeve_smi::EngineId;
use portreeve_snmp_engine::security::usm::UsmRejectReason;

use super::{
    agent::{AUTH, USER},
    usm::until_request_received,
    *,
};
use crate::{KeyMaterial, LocalizedUsers, UsmUser};
use SecurityLevel::{AuthNoPriv, AuthPriv, NoAuthNoPriv};

const ENGINE: &[u8] = &[0x80, 0, 0, 0, 5, 1, 2, 3, 4];
const OTHER_ENGINE: &[u8] = &[0x80, 0, 0, 0, 5, 9, 9, 9, 9];

/// Returns the user of the fake agents with its keys for these engines.
fn localized_user(level: SecurityLevel, engines: &[&[u8]]) -> LocalizedUsers {
    let mut users = LocalizedUsers::new(USER, level);
    for id in engines {
        let auth = password_to_key(AUTH.0, &Secret::from(AUTH.1)).unwrap().localize(id);
        let key = Secret::from(auth.expose());
        let material = (AUTH.0, KeyMaterial::Localized(&key));
        users.insert(EngineId::new(id).unwrap(), UsmUser::with_keys(USER, material, None).unwrap());
    }
    users
}

//= rfc3414#3.1-1b
//= type=test
#[test]
fn localized_keys_are_those_for_the_discovered_engine() {
    for id in [ENGINE, OTHER_ENGINE] {
        let users = localized_user(AuthNoPriv, &[ENGINE, OTHER_ENGINE]);
        let session = Session::with_localized_users(users, &SessionOptions::default(), 7);
        let mut session = TestSession { session, now: Timestamp::from_secs(1) };
        session.request(Operation::Get);
        // The agent verifies the digest with the key for its own engine.
        let request = until_request_received(&mut session, &Agent::new(id));
        session.receive(Agent::new(id).respond(request.msg_id, AuthNoPriv, &FakeResponse::to(&request)));
        assert!(session.result().unwrap().is_ok());
    }
}

#[test]
fn request_fails_without_keys_for_the_discovered_engine_or_the_level() {
    let engine = EngineId::new(ENGINE).unwrap();
    for (level, engines) in [(AuthNoPriv, &[OTHER_ENGINE][..]), (AuthPriv, &[ENGINE])] {
        let users = localized_user(level, engines);
        let session = Session::with_localized_users(users, &SessionOptions::default(), 7);
        let mut session = TestSession { session, now: Timestamp::from_secs(1) };
        // The second request repeats the discovery.
        for _ in 0..2 {
            session.request(Operation::Get);
            let AgentInput::Rejected(msg_id, UsmRejectReason::UnknownEngineId) =
                Agent::new(ENGINE).receive(&session.poll_message().unwrap())
            else {
                panic!("not a discovery")
            };
            session.receive(Agent::new(ENGINE).report(msg_id, NoAuthNoPriv, &USM_STATS_UNKNOWN_ENGINE_IDS));
            assert_eq!(session.result().unwrap().unwrap_err(), RequestError::NoKeys(engine));
            assert!(session.poll_message().is_none(), "nothing is sent without keys");
        }
    }
}
