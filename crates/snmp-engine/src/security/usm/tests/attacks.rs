//! Attacks, named after the lines of the attack list.

use portreeve_crypto::{AuthKey, AuthProtocol, PrivKey, PrivProtocol};
use portreeve_smi::SecurityLevel;
use portreeve_snmp_message::V3Message;

use super::test_engine::{AGENT, TestEngine, assemble, scoped_pdu};
use crate::security::usm::{SecurityParameters, UserKeys, UsmRejectReason};

const ALICE: &[u8] = b"alice";

fn agent(auth: AuthProtocol, privacy: PrivProtocol) -> TestEngine {
    TestEngine::agent().with_user(ALICE, Some(auth), Some(privacy))
}

/// Returns a message that the agent accepts. The message is built with the agent's own keys and
/// clock.
fn genuine(agent: &mut TestEngine, level: SecurityLevel) -> Vec<u8> {
    let message = agent.request(ALICE, level).unwrap();
    assert!(agent.receive(&message).is_ok());
    message
}

fn parameters(message: &[u8]) -> SecurityParameters {
    let parsed = V3Message::parse(message).unwrap();
    SecurityParameters::parse(message, parsed.security_parameters).unwrap()
}

/// Builds a message with the fields of `message`, but another level and digest.
fn with_digest(message: &[u8], level: SecurityLevel, digest: &[u8]) -> Vec<u8> {
    let found = parameters(message);
    let clock = (found.clock.boots.get() as i32, found.clock.time as i32);
    let data = &message[V3Message::parse(message).unwrap().security_parameters.end..];
    assemble(level, clock, [AGENT, ALICE, digest, &message[found.privacy]], data)
}

//= rfc3414#3.2-6a
//= type=test
#[test]
fn c4_message_signed_with_wrong_key_is_rejected() {
    for auth in AuthProtocol::ALL {
        let mut agent = agent(auth, PrivProtocol::Aes128);
        let mut attacker = TestEngine::agent();
        let key = AuthKey::new(auth, &vec![0x12; auth.key_len()]).unwrap();
        attacker.users.insert(AGENT, UserKeys::new(ALICE, Some(key), None));
        let message = attacker.request(ALICE, SecurityLevel::AuthNoPriv).unwrap();
        assert_eq!(agent.receive(&message), Err(UsmRejectReason::WrongDigest), "{auth}");
        assert!(agent.report(&message).is_some());
    }
}

//= rfc3414#3.2-6a
//= type=test
#[test]
fn c5_forged_digests_of_0_to_64_octets_are_rejected() {
    for auth in AuthProtocol::ALL {
        let mut agent = agent(auth, PrivProtocol::Aes128);
        let message = genuine(&mut agent, SecurityLevel::AuthNoPriv);
        let correct = message[parameters(&message).authentication].to_vec();
        for len in 0..=64 {
            // A shorter forged digest is a prefix of the correct digest. A longer one is the
            // correct digest followed by zeros. One of the correct length consists only of zeros.
            let mut digest = correct.clone();
            digest.resize(len, 0);
            if len == correct.len() {
                digest.fill(0);
            }
            let forged = with_digest(&message, SecurityLevel::AuthNoPriv, &digest);
            assert_eq!(agent.receive(&forged), Err(UsmRejectReason::WrongDigest), "{auth} {len}");
        }
    }
}

//= rfc3414#3.2-6a
//= type=test
#[test]
fn c5_all_256_one_octet_digests_are_rejected() {
    for auth in AuthProtocol::ALL {
        let mut agent = agent(auth, PrivProtocol::Aes128);
        let message = genuine(&mut agent, SecurityLevel::AuthNoPriv);
        for octet in 0..=255 {
            let forged = with_digest(&message, SecurityLevel::AuthNoPriv, &[octet]);
            assert_eq!(agent.receive(&forged), Err(UsmRejectReason::WrongDigest), "{auth} {octet}");
        }
    }
}

/// The privacy flag without the authentication flag is not a security level. A user who has only a
/// privacy key cannot use privacy.
//= rfc3414#3.2-5
//= type=test
#[test]
fn c8_privacy_without_authentication_is_rejected() {
    let mut agent = TestEngine::agent().with_user(ALICE, None, Some(PrivProtocol::Aes128));
    let mut message =
        assemble(SecurityLevel::AuthPriv, (5, 1000), [AGENT, ALICE, b"", &[0; 8]], &scoped_pdu());
    assert_eq!(agent.receive(&message), Err(UsmRejectReason::UnsupportedSecurityLevel));

    let flags = message.windows(3).position(|window| window == [4, 1, 7]).unwrap() + 2;
    message[flags] = 0b110;
    assert_eq!(V3Message::parse(&message).unwrap().header.flags.level(), None);
}

//= rfc3414#3.2-7a
//= type=test
#[test]
fn c9_message_is_rejected_after_150_seconds() {
    for (wait, accepted) in [(0, true), (149, true), (150, true), (151, false), (100_000, false)] {
        let mut agent = agent(AuthProtocol::HmacSha256_192, PrivProtocol::Aes128);
        let message = genuine(&mut agent, SecurityLevel::AuthPriv);
        agent.wait(wait);
        let expected = if accepted { None } else { Some(UsmRejectReason::NotInTimeWindow) };
        assert_eq!(agent.receive(&message).err(), expected, "{wait}");
    }
}

//= rfc3414#3.2-7a
//= type=test
#[test]
fn c10_message_with_other_engine_boots_is_rejected() {
    for boots in [4, 6, 0x7fff_ffff] {
        let mut agent = agent(AuthProtocol::HmacSha256_192, PrivProtocol::Aes128);
        let own_boots = agent.local.clock.boots;
        agent.local.clock.boots = portreeve_smi::EngineBoots::new(boots).unwrap();
        let message = agent.request(ALICE, SecurityLevel::AuthPriv).unwrap();
        agent.local.clock.boots = own_boots;
        assert_eq!(agent.receive(&message), Err(UsmRejectReason::NotInTimeWindow), "{boots}");
    }
}

//= rfc3414#3.2-6a
//= type=test
#[test]
fn c13_authenticated_message_with_flipped_bit_is_rejected() {
    for level in [SecurityLevel::AuthNoPriv, SecurityLevel::AuthPriv] {
        let mut agent = agent(AuthProtocol::HmacSha256_192, PrivProtocol::Aes128);
        let message = genuine(&mut agent, level);
        for bit in 0..message.len() * 8 {
            let mut flipped = message.clone();
            flipped[bit / 8] ^= 1 << (bit % 8);
            // Without the authentication flag, the message is accepted as an unauthenticated
            // message.
            let claimed = agent.receive(&flipped).map(|accepted| accepted.level);
            assert!(!claimed.is_ok_and(SecurityLevel::is_authenticated), "{level} bit {bit}");
        }
    }
}

#[test]
fn c14_message_with_cleared_security_flags_is_unauthenticated_or_rejected() {
    let mut agent = agent(AuthProtocol::HmacSha256_192, PrivProtocol::Aes128);
    let signed = genuine(&mut agent, SecurityLevel::AuthNoPriv);
    let digest = signed[parameters(&signed).authentication].to_vec();
    let stripped = with_digest(&signed, SecurityLevel::NoAuthNoPriv, &digest);
    assert_eq!(agent.receive(&stripped).unwrap().level, SecurityLevel::NoAuthNoPriv);

    let encrypted = genuine(&mut agent, SecurityLevel::AuthPriv);
    let digest = encrypted[parameters(&encrypted).authentication].to_vec();
    let without_privacy = with_digest(&encrypted, SecurityLevel::AuthNoPriv, &digest);
    assert_eq!(agent.receive(&without_privacy), Err(UsmRejectReason::WrongDigest));
    let stripped = with_digest(&encrypted, SecurityLevel::NoAuthNoPriv, &digest);
    assert_eq!(agent.receive(&stripped), Err(UsmRejectReason::ParseError));
}

/// Builds a message that is signed with the correct key.
fn signed(agent: &mut TestEngine, salt: &[u8], data: &[u8]) -> Vec<u8> {
    let auth = AuthProtocol::HmacSha96;
    let mut message = assemble(SecurityLevel::AuthPriv, (5, 1000), [AGENT, ALICE, &[0; 12], salt], data);
    let mac = AuthKey::new(auth, &vec![0x11; auth.key_len()]).unwrap().sign(&[&message]);
    let place = parameters(&message).authentication;
    message[place].copy_from_slice(mac.as_octets());
    assert_ne!(agent.receive(&message), Err(UsmRejectReason::WrongDigest));
    message
}

//= rfc3414#3.2-8a
//= type=test
#[test]
fn c15_message_encrypted_with_wrong_key_is_rejected() {
    for privacy in PrivProtocol::ALL {
        let mut agent = agent(AuthProtocol::HmacSha96, privacy);
        let mut attacker = TestEngine::agent();
        let auth = AuthKey::new(AuthProtocol::HmacSha96, &[0x11; 20]).unwrap();
        let key = PrivKey::new(privacy, &vec![0x23; privacy.key_len()]).unwrap();
        attacker.users.insert(AGENT, UserKeys::new(ALICE, Some(auth), Some(key)));
        let message = attacker.request(ALICE, SecurityLevel::AuthPriv).unwrap();
        assert_eq!(agent.receive(&message), Err(UsmRejectReason::DecryptionError), "{privacy}");
        assert!(agent.report(&message).is_some());
    }
}

//= rfc3414#3.2-8a
//= type=test
#[test]
fn c16_salt_of_wrong_length_is_rejected() {
    for privacy in PrivProtocol::ALL {
        let mut agent = agent(AuthProtocol::HmacSha96, privacy);
        for len in (0..8).chain(9..32) {
            let message = signed(&mut agent, &vec![1; len], b"\x04\x10aaaaaaaabbbbbbbb");
            assert_eq!(agent.receive(&message), Err(UsmRejectReason::DecryptionError), "{privacy} {len}");
        }
    }
}

//= rfc3414#3.2-8a
//= type=test
#[test]
fn c17_plaintext_with_privacy_flag_is_rejected() {
    let mut agent = agent(AuthProtocol::HmacSha96, PrivProtocol::Aes128);
    let message = signed(&mut agent, &[1; 8], &scoped_pdu());
    assert_eq!(agent.receive(&message), Err(UsmRejectReason::DecryptionError));
}

//= rfc3414#3.2-8a
//= type=test
#[test]
fn c17_truncated_ciphertext_is_rejected() {
    for privacy in PrivProtocol::ALL {
        let mut agent = agent(AuthProtocol::HmacSha96, privacy);
        let scoped_pdu = scoped_pdu();
        let mut ciphertext = scoped_pdu.clone();
        ciphertext.resize(privacy.padded_len(scoped_pdu.len()), 0);
        let key = PrivKey::new(privacy, &vec![0x22; privacy.key_len()]).unwrap();
        let salt = key.encrypt_in_place(5, 1000, 7, &mut ciphertext).unwrap();
        for len in 0..=ciphertext.len() {
            let data = [&[4, len as u8], &ciphertext[..len]].concat();
            let message = signed(&mut agent, &salt, &data);
            let whole = len >= scoped_pdu.len() && privacy.padded_len(len) == len;
            let expected = if whole { None } else { Some(UsmRejectReason::DecryptionError) };
            assert_eq!(agent.receive(&message).err(), expected, "{privacy} {len}");
        }
    }
}

#[test]
fn truncated_message_is_rejected() {
    let mut agent = agent(AuthProtocol::HmacSha256_192, PrivProtocol::Aes128);
    let message = genuine(&mut agent, SecurityLevel::AuthPriv);
    for len in 0..message.len() {
        assert!(agent.receive(&message[..len]).is_err(), "{len}");
    }
}

#[test]
fn d3_engine_times_in_unauthenticated_messages_are_not_stored() {
    let mut manager = TestEngine::manager().with_user(ALICE, Some(AuthProtocol::HmacSha96), None);
    for number in 0..20_000_u32 {
        let engine_id = [b"\x80\0\0\0\x05".as_slice(), &number.to_be_bytes()].concat();
        let plain = assemble(SecurityLevel::NoAuthNoPriv, (1, 1), [&engine_id, b"", b"", b""], &scoped_pdu());
        assert!(manager.receive(&plain).is_ok());
        let forged =
            assemble(SecurityLevel::AuthNoPriv, (9, 9), [&engine_id, ALICE, &[0; 12], b""], &scoped_pdu());
        assert!(manager.receive(&forged).is_err());
    }
    let forged = assemble(SecurityLevel::AuthNoPriv, (9, 9), [AGENT, ALICE, &[0; 12], b""], &scoped_pdu());
    assert_eq!(manager.receive(&forged), Err(UsmRejectReason::WrongDigest));
    assert!(manager.peers.clocks.is_empty());
}
