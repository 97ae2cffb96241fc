//! Messages to be sent, and the errors that prevent sending.

use portreeve_crypto::{AuthProtocol, PrivProtocol};
use portreeve_smi::ber::ReverseWriter;
use portreeve_smi::{ClockReading, SecurityLevel};
use portreeve_snmp_message::{ScopedPduData, V3Message};

use super::test_engine::{AGENT, TestEngine, scoped_pdu};
use crate::security::usm::{Outgoing, SecurityParameters, UsmSendError};

const ALICE: &[u8] = b"alice";

fn manager(auth: Option<AuthProtocol>, privacy: Option<PrivProtocol>) -> TestEngine {
    TestEngine::manager().with_user(ALICE, auth, privacy)
}

fn parameters(message: &[u8]) -> SecurityParameters {
    let parsed = V3Message::parse(message).unwrap();
    SecurityParameters::parse(message, parsed.security_parameters).unwrap()
}

//= rfc3414#3.1-1b
//= type=test
#[test]
fn request_fails_for_unknown_user_or_engine() {
    let mut manager = manager(None, None);
    let rejected = manager.request(b"bob", SecurityLevel::NoAuthNoPriv);
    assert_eq!(rejected, Err(UsmSendError::UnknownSecurityName));
    let rejected = manager.request_to(b"other engine", ALICE, SecurityLevel::NoAuthNoPriv);
    assert_eq!(rejected, Err(UsmSendError::UnknownSecurityName));
}

//= rfc3414#3.1-2
//= type=test
//= rfc3414#3.1-3
//= type=test
#[test]
fn request_fails_when_user_lacks_keys_for_level() {
    let sha = Some(AuthProtocol::HmacSha96);
    let des = Some(PrivProtocol::Des);
    let table = [
        (None, None, SecurityLevel::AuthNoPriv),
        (None, des, SecurityLevel::AuthNoPriv),
        (sha, None, SecurityLevel::AuthPriv),
        (None, des, SecurityLevel::AuthPriv),
    ];
    for (auth, privacy, level) in table {
        let rejected = manager(auth, privacy).request(ALICE, level);
        assert_eq!(rejected, Err(UsmSendError::UnsupportedSecurityLevel));
    }
}

#[test]
fn authenticated_response_to_unknown_user_fails() {
    let mut agent = TestEngine::agent();
    let rejected = agent.response(b"bob", SecurityLevel::AuthNoPriv);
    assert_eq!(rejected, Err(UsmSendError::UnknownSecurityName));
    assert!(agent.response(b"bob", SecurityLevel::NoAuthNoPriv).is_ok());
}

//= rfc3414#3.1-4a
//= type=test
//= rfc3414#3.1-8a
//= type=test
#[test]
fn scoped_pdu_is_encrypted_and_padded_with_privacy() {
    for privacy in PrivProtocol::ALL {
        let mut manager = manager(Some(AuthProtocol::HmacSha512_384), Some(privacy));
        let message = manager.request(ALICE, SecurityLevel::AuthPriv).unwrap();
        let found = parameters(&message);
        assert_eq!(found.privacy.len(), PrivProtocol::SALT_LEN);
        assert_eq!(found.authentication.len(), 48);
        assert_ne!(message[found.authentication], [0; 48]);
        let ScopedPduData::Encrypted(data) = V3Message::parse(&message).unwrap().data else {
            panic!("{privacy} did not encrypt the scopedPDU");
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
fn unauthenticated_request_contains_only_engine_id_and_user_name() {
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
fn unauthenticated_response_contains_the_agents_boots_and_time() {
    let mut agent = TestEngine::agent().with_user(ALICE, None, None);
    let message = agent.response(ALICE, SecurityLevel::NoAuthNoPriv).unwrap();
    let found = parameters(&message);
    assert_eq!(found.clock, agent.local.clock);
    assert_eq!(message[found.engine_id], *AGENT);
}

#[test]
fn salts_differ_between_messages() {
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
fn securing_a_message_fails_when_the_buffer_is_too_small() {
    let discovery = Outgoing::discovery();
    for len in 0..20 {
        let mut buffer = vec![0; len];
        let rejected = discovery.secure(0, &mut ReverseWriter::new(&mut buffer)).err();
        let expected = if len < 18 { Some(UsmSendError::BufferFull) } else { None };
        assert_eq!(rejected, expected, "{len}");
    }
}

#[test]
fn every_send_error_has_its_own_text() {
    let errors = [
        UsmSendError::UnknownSecurityName,
        UsmSendError::UnsupportedSecurityLevel,
        UsmSendError::EncryptionError,
        UsmSendError::AuthenticationFailure,
        UsmSendError::BufferFull,
    ];
    let texts: std::collections::BTreeSet<_> = errors.map(|error| error.to_string()).into();
    assert_eq!(texts.len(), errors.len());
    assert!(!texts.contains(""));
}
