//! Forged digests, flags and keys.

use portreeve_crypto::PrivProtocol;
use portreeve_mib::modules::{snmpv2_mib, usm_mib};
use portreeve_smi::{ErrorStatus, SecurityLevel, ber::Tag};
use portreeve_snmp_engine::statistics::Counter;
use portreeve_snmp_message::{PduType, V3Message};

use super::{assert_report, sys_descr};
use crate::support::{
    agent::{Outcome, TestAgent, standard_objects},
    config::{AUTH, PRIVACY, TestConfig},
    manager::TestManager,
    names::{scalar, text},
    response::TestResponse,
    test_pdu::set,
    writable_module::ModuleLog,
};

#[test]
fn c4_altered_message_causes_wrong_digests_report() {
    let (mut agent, _) = TestAgent::standard();
    let mut ops = TestManager::ops().synchronized_with(&mut agent);
    let mut message = ops.message(&sys_descr());
    let last = message.len() - 1;
    message[last] ^= 1;
    let verified = ops.receive(&agent.reply_to(&message)).unwrap();
    assert_report(&verified, &usm_mib::USM_STATS_WRONG_DIGESTS, 1, SecurityLevel::NoAuthNoPriv);
}

#[test]
fn c5_messages_with_forged_digests_of_any_length_are_not_answered() {
    let (mut agent, _) = TestAgent::standard();
    let mut ops =
        TestManager::new("ops", SecurityLevel::AuthNoPriv, Some(AUTH), None).synchronized_with(&mut agent);
    let message = ops.message(&sys_descr());
    let parameters = V3Message::parse(&message).unwrap().security_parameters;
    let mac_len = u8::try_from(AUTH.mac_len()).unwrap();
    let digest = message.windows(2).position(|window| window == [0x04, mac_len]).unwrap();
    let mut digests: Vec<Vec<u8>> = (0..=64).map(|length| vec![0; length]).collect();
    digests.extend((0..=255).map(|octet| vec![octet]));
    for forged in &digests {
        let before = &message[parameters.start + 2..digest];
        let behind = &message[digest + 2 + AUTH.mac_len()..parameters.end];
        let fields = [before, &element(0x04, forged), behind].concat();
        let header_end = parameters.start - 2;
        assert_eq!((message[1] < 0x80, message[header_end]), (true, 0x04));
        let header = &message[2..header_end];
        let rest = &message[parameters.end..];
        let forged = [header, &element(0x04, &element(0x30, &fields)), rest].concat();
        if let Outcome::Reply(reply) = agent.handle(&element(0x30, &forged)) {
            assert_eq!(TestResponse::of(&reply).pdu_type, PduType::Report, "{forged:02x?}");
        }
    }
    assert_eq!(agent.statistics.sum(Counter::UsmStatsWrongDigests), digests.len() as u64);
}

/// Encodes an element with a length in two octets.
fn element(tag: u8, content: &[u8]) -> Vec<u8> {
    let [high, low] = u16::try_from(content.len()).unwrap().to_be_bytes();
    [&[tag, 0x82, high, low], content].concat()
}

//= rfc3412#7.2-5a
//= type=test
//= rfc3412#7.2-5b
//= type=test
//= rfc3412#7.2-5c
//= type=test
//= rfc3412#7.2-5d
//= type=test
#[test]
fn c8_message_flagged_as_encrypted_but_not_authenticated_is_dropped() {
    let (mut agent, _) = TestAgent::standard();
    for level in [SecurityLevel::NoAuthNoPriv, SecurityLevel::AuthNoPriv, SecurityLevel::AuthPriv] {
        let mut ops = TestManager::new("ops", level, Some(AUTH), Some(PRIVACY)).synchronized_with(&mut agent);
        assert_eq!(ops.request(&mut agent, &sys_descr()).level, level);
    }
    let mut guest = TestManager::guest().synchronized_with(&mut agent);
    let message = guest.message(&sys_descr());
    for flags in [0x02, 0x06, 0xfa, 0xfe] {
        agent.assert_drops(&with_flags(&message, flags), Counter::SnmpInvalidMsgs);
    }
}

//= rfc3412#7.2-5e
//= type=test
#[test]
fn c8_reserved_flag_bits_are_ignored() {
    let (mut agent, _) = TestAgent::standard();
    let mut guest = TestManager::guest().synchronized_with(&mut agent);
    let message = with_flags(&guest.message(&sys_descr()), 0xfc);
    assert_eq!(guest.receive(&agent.reply_to(&message)).unwrap().response.value(), text("test agent"));
}

fn with_flags(message: &[u8], flags: u8) -> Vec<u8> {
    let mut message = message.to_vec();
    let position = message.windows(3).position(|window| window == [Tag::OCTET_STRING.0, 1, 4]).unwrap();
    message[position + 2] = flags;
    message
}

#[test]
fn c13_authenticated_set_with_any_bit_flipped_has_no_effect() {
    let (mut agent, log) = TestAgent::standard();
    let mut ops = TestManager::new("ops", SecurityLevel::AuthNoPriv, Some(AUTH), Some(PRIVACY))
        .synchronized_with(&mut agent);
    let message = ops.message(&set(&[(scalar(&snmpv2_mib::SYS_CONTACT), text("flipped"))]));
    for bit in 0..8 * message.len() {
        let mut message = message.clone();
        message[bit / 8] ^= 1 << (bit % 8);
        if let Outcome::Reply(reply) = agent.handle(&message) {
            // Without its authentication flag, the request is unauthenticated and denied access.
            let response = TestResponse::of(&reply);
            let rejected =
                response.pdu_type == PduType::Report || response.status == ErrorStatus::AuthorizationError;
            assert!(rejected, "bit {bit}");
        }
    }
    assert_eq!(log.take(), [""; 0]);
    assert_eq!(ops.receive(&agent.reply_to(&message)).unwrap().response.pdu_type, PduType::Response);
}

#[test]
fn c14_request_below_required_or_above_supported_level_is_rejected() {
    let (mut agent, _) = TestAgent::standard();
    let mut ops = TestManager::new("ops", SecurityLevel::NoAuthNoPriv, Some(AUTH), Some(PRIVACY))
        .synchronized_with(&mut agent);
    let response = ops.request(&mut agent, &sys_descr()).response;
    assert_eq!(response.error(), (ErrorStatus::AuthorizationError, 0));
    let mut guest = TestManager::new("guest", SecurityLevel::AuthNoPriv, Some(AUTH), None);
    guest.request(&mut agent, &sys_descr());
    let verified = guest.request(&mut agent, &sys_descr());
    assert_report(&verified, &usm_mib::USM_STATS_UNSUPPORTED_SEC_LEVELS, 1, SecurityLevel::NoAuthNoPriv);
}

/// With a wrong privacy key, a message is authentic but cannot be decrypted. Tested for every
/// cipher.
#[test]
fn c15_request_encrypted_with_wrong_key_causes_decryption_errors_report() {
    for privacy in PrivProtocol::ALL {
        let other = if privacy == PRIVACY { PrivProtocol::Des } else { PRIVACY };
        let config = TestConfig::standard().user("ops", Some(AUTH), Some(privacy));
        let mut agent = standard_objects(&ModuleLog::default()).config(config).build();
        // Synchronize without privacy, because the manager and the agent share only the
        // authentication key.
        let mut ops = TestManager::new("ops", SecurityLevel::AuthNoPriv, Some(AUTH), Some(other))
            .synchronized_with(&mut agent);
        ops.level = SecurityLevel::AuthPriv;
        let before = agent.statistics.counter32(Counter::UsmStatsDecryptionErrors);
        let verified = ops.request(&mut agent, &sys_descr());
        assert_report(
            &verified,
            &usm_mib::USM_STATS_DECRYPTION_ERRORS,
            before + 1,
            SecurityLevel::NoAuthNoPriv,
        );
    }
}
