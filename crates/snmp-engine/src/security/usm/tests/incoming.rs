//! Single messages, each with one reject reason.

use std::sync::Arc;

use portreeve_crypto::{AuthProtocol, PrivProtocol};
use portreeve_smi::{EngineBoots, SecurityLevel};
use portreeve_snmp_message::V3Message;

use super::test_engine::{AGENT, TestEngine, assemble, scoped_pdu};
use crate::security::usm::{NoPeers, UsmIncomingContext, UsmRejectReason, process_incoming_msg};

const ALICE: &[u8] = b"alice";

fn agent() -> TestEngine {
    TestEngine::agent().with_user(ALICE, Some(AuthProtocol::HmacSha256_192), Some(PrivProtocol::Aes128))
}

fn plain(engine_id: &[u8], user: &[u8]) -> Vec<u8> {
    assemble(SecurityLevel::NoAuthNoPriv, (0, 0), [engine_id, user, b"", b""], &scoped_pdu())
}

//= rfc3414#3.2-1
//= type=test
#[test]
fn malformed_usm_parameters_are_rejected_without_report() {
    let message = assemble(SecurityLevel::NoAuthNoPriv, (-1, 0), [AGENT, ALICE, b"", b""], &scoped_pdu());
    assert_eq!(agent().receive(&message), Err(UsmRejectReason::ParseError));
    assert_eq!(agent().report(&message), None);
}

/// Line C3 of the attack list: foreign engine IDs of 0 to 64 octets.
//= rfc3414#3.2-3b
//= type=test
#[test]
fn c3_agent_rejects_foreign_engine_id_of_any_length() {
    for len in 0..=64 {
        let rejected = agent().receive(&plain(&vec![0x80; len], ALICE));
        assert_eq!(rejected, Err(UsmRejectReason::UnknownEngineId), "{len}");
    }
    assert!(agent().report(&plain(b"", ALICE)).is_some());
}

//= rfc3414#3.2-3b
//= type=test
#[test]
fn m16_manager_rejects_engine_id_of_invalid_length() {
    for len in (0..5).chain(33..64) {
        let rejected = TestEngine::manager().receive(&plain(&vec![0x80; len], b""));
        assert_eq!(rejected, Err(UsmRejectReason::UnknownEngineId), "{len}");
    }
    assert!(TestEngine::manager().receive(&plain(&[0x80; 5], b"")).is_ok());
    assert!(TestEngine::manager().receive(&plain(&[0x80; 32], b"")).is_ok());
}

//= rfc3414#3.2-4
//= type=test
#[test]
fn c19_message_of_unknown_user_is_rejected_with_a_report() {
    for name in [b"".as_slice(), b"alic", b"alice\0", b"alicf", b"Alice", &[0xff; 32]] {
        let message = plain(AGENT, name);
        assert_eq!(agent().receive(&message), Err(UsmRejectReason::UnknownUserName), "{name:?}");
        assert!(agent().report(&message).is_some());
    }
}

//= rfc3414#3.2-5
//= type=test
#[test]
fn security_level_is_rejected_when_the_user_lacks_keys_for_it() {
    let sha = Some(AuthProtocol::HmacSha96);
    let des = Some(PrivProtocol::Des);
    let table = [
        (None, None, SecurityLevel::AuthNoPriv),
        (None, None, SecurityLevel::AuthPriv),
        (sha, None, SecurityLevel::AuthPriv),
        (None, des, SecurityLevel::AuthNoPriv),
        (None, des, SecurityLevel::AuthPriv),
    ];
    for (auth, privacy, level) in table {
        let mut agent = TestEngine::agent().with_user(ALICE, auth, privacy);
        let message = assemble(level, (5, 1000), [AGENT, ALICE, &[0; 12], &[0; 8]], &scoped_pdu());
        assert_eq!(agent.receive(&message), Err(UsmRejectReason::UnsupportedSecurityLevel));
        assert!(agent.report(&message).is_some());
    }
}

#[test]
fn usm_checks_run_in_the_order_of_rfc_3414() {
    // The first message fails every check. Each of the following messages passes one more check.
    let table = [
        (b"unknown engine".as_slice(), b"bob".as_slice(), UsmRejectReason::UnknownEngineId),
        (AGENT, b"bob", UsmRejectReason::UnknownUserName),
        (AGENT, b"carol", UsmRejectReason::UnsupportedSecurityLevel),
        (AGENT, ALICE, UsmRejectReason::WrongDigest),
    ];
    let mut agent = agent().with_user(b"carol", None, None);
    for (engine_id, user, reason) in table {
        let fields = [engine_id, user, &[0; 24], b""];
        let message = assemble(SecurityLevel::AuthPriv, (0, 0), fields, &scoped_pdu());
        assert_eq!(agent.receive(&message), Err(reason));
    }
}

//= rfc3414#3.2-7a
//= type=test
#[test]
fn agent_with_latched_engine_boots_sends_an_authenticated_report() {
    let mut agent = agent();
    agent.local.clock.boots = EngineBoots::LATCHED;
    let message = agent.request(ALICE, SecurityLevel::AuthNoPriv).unwrap();
    assert_eq!(agent.receive(&message), Err(UsmRejectReason::NotInTimeWindow));
    let report = agent.report(&message).unwrap();
    let level = V3Message::parse(&report).unwrap().header.flags.level();
    assert_eq!(level, Some(SecurityLevel::AuthNoPriv));
    assert!(agent.receive(&plain(AGENT, ALICE)).is_ok());
}

#[test]
fn report_for_every_reject_reason_has_the_security_level_of_rfc_3414() {
    use SecurityLevel::{AuthNoPriv, NoAuthNoPriv};
    let table = [
        (UsmRejectReason::ParseError, None),
        (UsmRejectReason::UnknownEngineId, Some(NoAuthNoPriv)),
        (UsmRejectReason::UnknownUserName, Some(NoAuthNoPriv)),
        (UsmRejectReason::UnsupportedSecurityLevel, Some(NoAuthNoPriv)),
        (UsmRejectReason::WrongDigest, Some(NoAuthNoPriv)),
        (UsmRejectReason::NotInTimeWindow, Some(AuthNoPriv)),
        (UsmRejectReason::PeerNotInTimeWindow, None),
        (UsmRejectReason::DecryptionError, Some(NoAuthNoPriv)),
    ];
    for (reason, level) in table {
        assert_eq!(reason.report_level(), level, "{reason:?}");
    }
}

//= rfc3414#3.2-8b
//= type=test
#[test]
fn encrypted_scoped_pdu_is_rejected_in_a_message_without_privacy() {
    let accepted = agent().receive(&plain(AGENT, ALICE)).unwrap();
    assert_eq!(accepted.scoped_pdu, scoped_pdu());
    assert_eq!(accepted.level, SecurityLevel::NoAuthNoPriv);

    let encrypted = [b"\x04".as_slice(), &scoped_pdu()[1..]].concat();
    let message = assemble(SecurityLevel::NoAuthNoPriv, (0, 0), [AGENT, ALICE, b"", b""], &encrypted);
    assert_eq!(agent().receive(&message), Err(UsmRejectReason::ParseError));
}

//= rfc3414#3.2-9
//= type=test
#[test]
fn response_size_limit_follows_the_senders_max_message_size() {
    let agent = agent();
    let mut message = plain(AGENT, ALICE);
    let parsed = V3Message::parse(&message).unwrap();
    let mut context =
        UsmIncomingContext { local: agent.local, users: &agent.users, peers: &mut NoPeers, now: agent.now };
    let incoming =
        process_incoming_msg(&mut context, &mut message, &parsed, SecurityLevel::NoAuthNoPriv).ok().unwrap();
    // The length of the longest header: fixed fields, engine ID, user name and digest.
    let longest = 74 + AGENT.len() + ALICE.len() + 24;
    assert_eq!(incoming.max_size_response_scoped_pdu, 1472 - longest);
    assert!(Arc::ptr_eq(
        incoming.user,
        crate::security::usm::UserLookup::user(&agent.users, AGENT, ALICE).unwrap()
    ));
}
