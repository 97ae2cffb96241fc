//! Messages of our own, and what keeps them from being sent.

use portreeve_crypto::{AuthProtocol, PrivProtocol};
use portreeve_smi::ber::ReverseWriter;
use portreeve_smi::{ClockReading, SecurityLevel};
use portreeve_snmp_message::{ScopedPduData, V3Message};

use super::party::{AGENT, Party, scoped_pdu};
use crate::security::usm::{Outgoing, SecurityParameters, SendFailure};

const ALICE: &[u8] = b"alice";

fn manager(auth: Option<AuthProtocol>, privacy: Option<PrivProtocol>) -> Party {
    Party::manager().with_user(ALICE, auth, privacy)
}

fn parameters(message: &[u8]) -> SecurityParameters {
    let parsed = V3Message::parse(message).unwrap();
    SecurityParameters::parse(message, parsed.security_parameters).unwrap()
}

//= rfc3414#3.1-1b
//= type=test
#[test]
fn a_user_nobody_knows_cannot_send() {
    let mut manager = manager(None, None);
    let refused = manager.request(b"bob", SecurityLevel::NoAuthNoPriv);
    assert_eq!(refused, Err(SendFailure::UnknownSecurityName));
    let refused = manager.request_to(b"other engine", ALICE, SecurityLevel::NoAuthNoPriv);
    assert_eq!(refused, Err(SendFailure::UnknownSecurityName));
}

//= rfc3414#3.1-2
//= type=test
//= rfc3414#3.1-3
//= type=test
#[test]
fn a_level_without_its_keys_cannot_be_sent_at() {
    let sha = Some(AuthProtocol::HmacSha96);
    let des = Some(PrivProtocol::Des);
    let table = [
        (None, None, SecurityLevel::AuthNoPriv),
        (None, des, SecurityLevel::AuthNoPriv),
        (sha, None, SecurityLevel::AuthPriv),
        (None, des, SecurityLevel::AuthPriv),
    ];
    for (auth, privacy, level) in table {
        let refused = manager(auth, privacy).request(ALICE, level);
        assert_eq!(refused, Err(SendFailure::UnsupportedSecurityLevel));
    }
}

#[test]
fn an_authenticated_response_needs_a_user() {
    let mut agent = Party::agent();
    let refused = agent.response(b"bob", SecurityLevel::AuthNoPriv);
    assert_eq!(refused, Err(SendFailure::UnknownSecurityName));
    assert!(agent.response(b"bob", SecurityLevel::NoAuthNoPriv).is_ok());
}

//= rfc3414#3.1-4a
//= type=test
//= rfc3414#3.1-8a
//= type=test
#[test]
fn with_privacy_the_scoped_pdu_is_hidden_and_padded_to_blocks() {
    for privacy in PrivProtocol::ALL {
        let mut manager = manager(Some(AuthProtocol::HmacSha512_384), Some(privacy));
        let message = manager.request(ALICE, SecurityLevel::AuthPriv).unwrap();
        let found = parameters(&message);
        assert_eq!(found.privacy.len(), PrivProtocol::SALT_LEN);
        assert_eq!(found.authentication.len(), 48);
        assert_ne!(message[found.authentication], [0; 48]);
        let ScopedPduData::Encrypted(data) = V3Message::parse(&message).unwrap().data else {
            panic!("{privacy} left the scopedPDU in clear");
        };
        assert_eq!(data.len(), privacy.padded_len(scoped_pdu().len()));
        assert!(!message.windows(5).any(|window| window == b"hello"));
    }
}

//= rfc3414#3.1-4b
//= type=test
//= rfc3414#3.1-5
//= type=test
//= rfc3414#3.1-6c
//= type=test
//= rfc3414#3.1-7
//= type=test
//= rfc3414#3.1-8b
//= type=test
#[test]
fn without_protection_the_parameters_hold_names_only() {
    let message = manager(None, None).request(ALICE, SecurityLevel::NoAuthNoPriv).unwrap();
    let found = parameters(&message);
    assert_eq!(message[found.engine_id], *AGENT);
    assert_eq!(message[found.user_name], *ALICE);
    assert_eq!(found.clock, ClockReading::default());
    assert!(found.authentication.is_empty() && found.privacy.is_empty());
    assert!(message.ends_with(&scoped_pdu()));
}

//= rfc3414#3.1-6b
//= type=test
#[test]
fn an_unauthenticated_response_carries_the_local_clock() {
    let mut agent = Party::agent().with_user(ALICE, None, None);
    let message = agent.response(ALICE, SecurityLevel::NoAuthNoPriv).unwrap();
    let found = parameters(&message);
    assert_eq!(found.clock, agent.local.clock);
    assert_eq!(message[found.engine_id], *AGENT);
}

#[test]
fn no_two_messages_have_the_same_salt() {
    for privacy in PrivProtocol::ALL {
        let mut manager = manager(Some(AuthProtocol::HmacSha96), Some(privacy));
        let mut salt = || {
            let message = manager.request(ALICE, SecurityLevel::AuthPriv).unwrap();
            message[parameters(&message).privacy].to_vec()
        };
        assert_ne!(salt(), salt(), "{privacy}");
    }
}

#[test]
fn a_buffer_without_room_is_refused() {
    let discovery = Outgoing::discovery();
    for len in 0..20 {
        let mut buffer = vec![0; len];
        let refused = discovery.secure(0, &mut ReverseWriter::new(&mut buffer)).err();
        let expected = if len < 18 { Some(SendFailure::BufferFull) } else { None };
        assert_eq!(refused, expected, "{len}");
    }
}
