//! Exchanges between manager and agent as in RFC 3414 §4: discovery, time synchronization, request,
//! response.

use portreeve_crypto::{AuthProtocol, PrivProtocol};
use portreeve_smi::{EngineBoots, SecurityLevel, Timestamp};

use super::test_engine::{AGENT, Accepted, TestEngine, scoped_pdu};
use crate::security::usm::{PeerClocks, UsmRejectReason};

const ALICE: &[u8] = b"alice";
const SHA256: Option<AuthProtocol> = Some(AuthProtocol::HmacSha256_192);
const AES: Option<PrivProtocol> = Some(PrivProtocol::Aes128);

fn pair(auth: Option<AuthProtocol>, privacy: Option<PrivProtocol>) -> (TestEngine, TestEngine) {
    (
        TestEngine::manager().with_user(ALICE, auth, privacy),
        TestEngine::agent().with_user(ALICE, auth, privacy),
    )
}

fn synchronize(manager: &mut TestEngine, agent: &mut TestEngine) {
    let request = manager.request(ALICE, SecurityLevel::AuthNoPriv).unwrap();
    let report = agent.report(&request).unwrap();
    manager.receive(&report).unwrap();
}

fn accepted(user: &[u8], level: SecurityLevel, authoritative: bool) -> Result<Accepted, UsmRejectReason> {
    Ok(Accepted { user: user.to_vec(), level, authoritative, scoped_pdu: scoped_pdu() })
}

//= rfc3414#3.1-1a
//= type=test
//= rfc3414#3.1-9
//= type=test
//= rfc3414#3.2-6b
//= type=test
//= rfc3414#3.2-10
//= type=test
//= rfc3414#3.2-11
//= type=test
//= rfc3414#3.2-12
//= type=test
#[test]
fn request_and_response_are_accepted_with_every_auth_and_priv_protocol() {
    for auth in AuthProtocol::ALL {
        for privacy in PrivProtocol::ALL {
            let (mut manager, mut agent) = pair(Some(auth), Some(privacy));
            synchronize(&mut manager, &mut agent);
            for level in [SecurityLevel::NoAuthNoPriv, SecurityLevel::AuthNoPriv, SecurityLevel::AuthPriv] {
                let request = manager.request(ALICE, level).unwrap();
                assert_eq!(agent.receive(&request), accepted(ALICE, level, true), "{auth} {privacy} {level}");
                let response = agent.response(ALICE, level).unwrap();
                assert_eq!(
                    manager.receive(&response),
                    accepted(ALICE, level, false),
                    "{auth} {privacy} {level}"
                );
            }
        }
    }
}

//= rfc3414#3.2-3a
//= type=test
//= rfc3414#3.2-3b
//= type=test
//= rfc3414#3.1-5
//= type=test
#[test]
fn discovery_report_contains_agent_engine_id() {
    let (mut manager, mut agent) = pair(SHA256, AES);
    let discovery = manager.discovery();
    assert_eq!(agent.receive(&discovery), Err(UsmRejectReason::UnknownEngineId));
    let report = agent.report(&discovery).unwrap();
    assert!(report.windows(AGENT.len()).any(|window| window == AGENT));
    assert_eq!(manager.receive(&report), accepted(b"", SecurityLevel::NoAuthNoPriv, false));
}

/// Line C1 of the attack list.
#[test]
fn c1_discovery_report_is_at_most_three_times_as_long_as_request() {
    let (manager, mut agent) = pair(SHA256, AES);
    let discovery = manager.discovery();
    assert!(agent.report(&discovery).unwrap().len() <= 3 * discovery.len());
}

//= rfc3414#3.1-6a
//= type=test
//= rfc3414#3.2-7b1
//= type=test
#[test]
fn authenticated_report_synchronizes_manager_clock() {
    let (mut manager, mut agent) = pair(SHA256, AES);
    let first = manager.request(ALICE, SecurityLevel::AuthPriv).unwrap();
    assert_eq!(agent.receive(&first), Err(UsmRejectReason::NotInTimeWindow));
    let report = agent.report(&first).unwrap();
    assert_eq!(manager.receive(&report).unwrap().level, SecurityLevel::AuthNoPriv);
    assert_eq!(manager.peers.get(AGENT).unwrap().reading(manager.now), agent.local.clock);

    let second = manager.request(ALICE, SecurityLevel::AuthPriv).unwrap();
    assert_eq!(agent.receive(&second), accepted(ALICE, SecurityLevel::AuthPriv, true));
}

//= rfc3414#3.2-7b1
//= type=test
#[test]
fn m13_unauthenticated_report_does_not_set_clock() {
    let (mut manager, mut agent) = pair(SHA256, AES);
    let report = agent.report(&manager.discovery()).unwrap();
    manager.receive(&report).unwrap();
    assert!(manager.peers.clocks.is_empty());
    assert!(!manager.peers.get(AGENT).unwrap().is_synchronized());
}

#[test]
fn clocks_remain_synchronized_during_long_pauses() {
    let (mut manager, mut agent) = pair(SHA256, AES);
    synchronize(&mut manager, &mut agent);
    for pause in [1, 149, 151, 86_400, 10_000_000] {
        manager.wait(pause);
        agent.wait(pause);
        let request = manager.request(ALICE, SecurityLevel::AuthPriv).unwrap();
        assert!(agent.receive(&request).is_ok(), "{pause}");
    }
}

#[test]
fn manager_resynchronizes_after_agent_restart() {
    let (mut manager, mut agent) = pair(SHA256, AES);
    synchronize(&mut manager, &mut agent);
    agent.local.clock.boots = agent.local.clock.boots.next();
    agent.local.clock.time = 0;
    let request = manager.request(ALICE, SecurityLevel::AuthPriv).unwrap();
    assert_eq!(agent.receive(&request), Err(UsmRejectReason::NotInTimeWindow));
    let report = agent.report(&request).unwrap();
    assert!(manager.receive(&report).is_ok());
    let again = manager.request(ALICE, SecurityLevel::AuthPriv).unwrap();
    assert!(agent.receive(&again).is_ok());
}

//= rfc3414#3.2-7b2
//= type=test
#[test]
fn replayed_response_is_rejected_without_report() {
    let (mut manager, mut agent) = pair(SHA256, AES);
    synchronize(&mut manager, &mut agent);
    let recorded = agent.response(ALICE, SecurityLevel::AuthPriv).unwrap();
    assert!(manager.receive(&recorded).is_ok());
    manager.now = Timestamp::from_secs(manager.now.as_secs() + 151);
    assert_eq!(manager.receive(&recorded), Err(UsmRejectReason::PeerNotInTimeWindow));
    assert_eq!(manager.report(&recorded), None);
}

#[test]
fn report_with_latched_engine_boots_is_rejected() {
    let (mut manager, mut agent) = pair(SHA256, AES);
    agent.local.clock.boots = EngineBoots::LATCHED;
    let request = manager.request(ALICE, SecurityLevel::AuthNoPriv).unwrap();
    let report = agent.report(&request).unwrap();
    assert_eq!(manager.receive(&report), Err(UsmRejectReason::PeerNotInTimeWindow));
    let again = manager.request(ALICE, SecurityLevel::AuthNoPriv).unwrap();
    assert_eq!(agent.receive(&again), Err(UsmRejectReason::NotInTimeWindow));
}

/// The sender of a trap is authoritative: it signs with its own clock and the keys of its own
/// engine.
#[test]
fn trap_is_accepted_and_sets_clock_of_its_sender() {
    let (mut manager, mut agent) = pair(SHA256, AES);
    let trap = agent.request(ALICE, SecurityLevel::AuthPriv).unwrap();
    assert_eq!(manager.receive(&trap), accepted(ALICE, SecurityLevel::AuthPriv, false));
    assert_eq!(manager.peers.get(AGENT).unwrap().reading(manager.now), agent.local.clock);
}
