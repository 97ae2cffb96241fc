//! Single messages, one failure each.

use std::sync::Arc;

use portreeve_crypto::{AuthProtocol, PrivProtocol};
use portreeve_smi::{EngineBoots, SecurityLevel};
use portreeve_snmp_message::V3Message;

use super::party::{AGENT, Party, assemble, scoped_pdu};
use crate::security::usm::{IncomingContext, NoPeers, UsmFailure, process_incoming_msg};

const ALICE: &[u8] = b"alice";

fn agent() -> Party {
    Party::agent().with_user(ALICE, Some(AuthProtocol::HmacSha256_192), Some(PrivProtocol::Aes128))
}

fn plain(engine_id: &[u8], user: &[u8]) -> Vec<u8> {
    assemble(SecurityLevel::NoAuthNoPriv, (0, 0), [engine_id, user, b"", b""], &scoped_pdu())
}

//= rfc3414#3.2-1
//= type=test
#[test]
fn parameters_that_do_not_parse_are_not_reported() {
    let message = assemble(SecurityLevel::NoAuthNoPriv, (-1, 0), [AGENT, ALICE, b"", b""], &scoped_pdu());
    assert_eq!(agent().receive(&message), Err(UsmFailure::ParseError));
    assert_eq!(agent().report(&message), None);
}

/// Reliability line C3: engine identifiers of every size, none of them ours.
//= rfc3414#3.2-3b
//= type=test
#[test]
fn c3_engines_of_every_size_are_unknown_to_an_agent() {
    for len in 0..=64 {
        let refused = agent().receive(&plain(&vec![0x80; len], ALICE));
        assert_eq!(refused, Err(UsmFailure::UnknownEngineId), "{len}");
    }
    assert!(agent().report(&plain(b"", ALICE)).is_some());
}

//= rfc3414#3.2-3b
//= type=test
#[test]
fn m16_engines_of_impossible_size_are_unknown_to_a_manager_too() {
    for len in (0..5).chain(33..64) {
        let refused = Party::manager().receive(&plain(&vec![0x80; len], b""));
        assert_eq!(refused, Err(UsmFailure::UnknownEngineId), "{len}");
    }
    assert!(Party::manager().receive(&plain(&[0x80; 5], b"")).is_ok());
    assert!(Party::manager().receive(&plain(&[0x80; 32], b"")).is_ok());
}

//= rfc3414#3.2-4
//= type=test
#[test]
fn c19_users_nobody_knows_are_reported() {
    for name in [b"".as_slice(), b"alic", b"alice\0", b"alicf", b"Alice", &[0xff; 32]] {
        let message = plain(AGENT, name);
        assert_eq!(agent().receive(&message), Err(UsmFailure::UnknownUserName), "{name:?}");
        assert!(agent().report(&message).is_some());
    }
}

//= rfc3414#3.2-5
//= type=test
#[test]
fn a_level_without_its_keys_is_not_supported() {
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
        let mut agent = Party::agent().with_user(ALICE, auth, privacy);
        let message = assemble(level, (5, 1000), [AGENT, ALICE, &[0; 12], &[0; 8]], &scoped_pdu());
        assert_eq!(agent.receive(&message), Err(UsmFailure::UnsupportedSecurityLevel));
        assert!(agent.report(&message).is_some());
    }
}

#[test]
fn checks_come_in_the_order_of_the_rfc() {
    // Everything is wrong at once; each repair uncovers the next failure.
    let table = [
        (b"unknown engine".as_slice(), b"bob".as_slice(), UsmFailure::UnknownEngineId),
        (AGENT, b"bob", UsmFailure::UnknownUserName),
        (AGENT, b"carol", UsmFailure::UnsupportedSecurityLevel),
        (AGENT, ALICE, UsmFailure::WrongDigest),
    ];
    let mut agent = agent().with_user(b"carol", None, None);
    for (engine_id, user, failure) in table {
        let fields = [engine_id, user, &[0; 24], b""];
        let message = assemble(SecurityLevel::AuthPriv, (0, 0), fields, &scoped_pdu());
        assert_eq!(agent.receive(&message), Err(failure));
    }
}

//= rfc3414#3.2-7a
//= type=test
#[test]
fn a_latched_agent_authenticates_nothing_and_says_so_authenticated() {
    let mut agent = agent();
    agent.local.clock.boots = EngineBoots::LATCHED;
    let message = agent.request(ALICE, SecurityLevel::AuthNoPriv).unwrap();
    assert_eq!(agent.receive(&message), Err(UsmFailure::NotInTimeWindow));
    let report = agent.report(&message).unwrap();
    let level = V3Message::parse(&report).unwrap().header.flags.level();
    assert_eq!(level, Some(SecurityLevel::AuthNoPriv));
    assert!(agent.receive(&plain(AGENT, ALICE)).is_ok());
}

#[test]
fn every_failure_is_reported_at_the_level_the_rfc_gives() {
    use SecurityLevel::{AuthNoPriv, NoAuthNoPriv};
    let table = [
        (UsmFailure::ParseError, None),
        (UsmFailure::UnknownEngineId, Some(NoAuthNoPriv)),
        (UsmFailure::UnknownUserName, Some(NoAuthNoPriv)),
        (UsmFailure::UnsupportedSecurityLevel, Some(NoAuthNoPriv)),
        (UsmFailure::WrongDigest, Some(NoAuthNoPriv)),
        (UsmFailure::NotInTimeWindow, Some(AuthNoPriv)),
        (UsmFailure::PeerNotInTimeWindow, None),
        (UsmFailure::DecryptionError, Some(NoAuthNoPriv)),
    ];
    for (failure, level) in table {
        assert_eq!(failure.report_level(), level, "{failure:?}");
    }
}

//= rfc3414#3.2-8b
//= type=test
#[test]
fn without_privacy_the_scoped_pdu_is_where_it_was() {
    let accepted = agent().receive(&plain(AGENT, ALICE)).unwrap();
    assert_eq!(accepted.scoped_pdu, scoped_pdu());
    assert_eq!(accepted.level, SecurityLevel::NoAuthNoPriv);

    let encrypted = [b"\x04".as_slice(), &scoped_pdu()[1..]].concat();
    let message = assemble(SecurityLevel::NoAuthNoPriv, (0, 0), [AGENT, ALICE, b"", b""], &encrypted);
    assert_eq!(agent().receive(&message), Err(UsmFailure::ParseError));
}

//= rfc3414#3.2-9
//= type=test
#[test]
fn a_response_of_the_size_allowed_fits_the_senders_buffer() {
    let agent = agent();
    let mut message = plain(AGENT, ALICE);
    let parsed = V3Message::parse(&message).unwrap();
    let mut context =
        IncomingContext { local: agent.local, users: &agent.users, peers: &mut NoPeers, now: agent.now };
    let incoming =
        process_incoming_msg(&mut context, &mut message, &parsed, SecurityLevel::NoAuthNoPriv).ok().unwrap();
    // Fixed parts, engine identifier, user name and digest, as the longest header would have them.
    let longest = 74 + AGENT.len() + ALICE.len() + 24;
    assert_eq!(incoming.max_size_response_scoped_pdu, 1472 - longest);
    assert!(Arc::ptr_eq(
        incoming.user,
        crate::security::usm::UserLookup::user(&agent.users, AGENT, ALICE).unwrap()
    ));
}
