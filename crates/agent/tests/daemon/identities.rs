//! Identities over secure transports and their rights (attacks K and B).

use std::fmt::Debug;

use portreeve_broker_protocol::Transport;
use portreeve_mib::modules::{
    snmpv2_mib::{SNMP_IN_BAD_COMMUNITY_NAMES, SYS_NAME},
    tls_tm_mib::{
        SNMP_TLSTM_CERT_TO_TSN_DATA, SNMP_TLSTM_CERT_TO_TSN_FINGERPRINT, SNMP_TLSTM_CERT_TO_TSN_ROW_STATUS,
    },
};
use portreeve_smi::{ErrorStatus, MessageProcessingModel, SecurityLevel, Value};
use portreeve_snmp_message::PduType;
use rcgen::{
    CertificateParams, CertifiedIssuer, DistinguishedName, ExtendedKeyUsagePurpose, KeyPair, SanType,
    SerialNumber, date_time_ymd,
};

use crate::fixture::{
    OPS, READ_COMMUNITY, ResponseKind, SecureAgent, WRITE_COMMUNITY, authority, authority_params,
    community_message, params, parse_community_response, parse_response, tsm_get,
};

const BY_CERTIFICATE: [Transport; 2] = [Transport::Tls, Transport::Dtls];
const VERSIONS: [MessageProcessingModel; 2] = [MessageProcessingModel::V1, MessageProcessingModel::V2c];
const ALL_TRANSPORTS: [Transport; 3] = [Transport::Tls, Transport::Dtls, Transport::Ssh];

#[test]
fn k_client_with_invalid_certificate_does_not_receive_data() {
    let agent_site =
        SecureAgent::new("k-refused", "[[tls.name]]\nfingerprint = \"sha256:PINNED\"\nname = \"ops\"\n");
    let with = |change: fn(&mut CertificateParams)| {
        let mut params = params("ops");
        change(&mut params);
        params
    };
    let expired = with(|params| params.not_after = date_time_ymd(2020, 2, 1));
    let early = with(|params| params.not_before = date_time_ymd(2200, 1, 1));
    let wrong_usage = with(|params| params.extended_key_usages = vec![ExtendedKeyUsagePurpose::ServerAuth]);
    let revoked = with(|params| params.serial_number = Some(SerialNumber::from(7)));
    for (who, params) in
        [("expired", expired), ("early", early), ("wrong-usage", wrong_usage), ("revoked", revoked)]
    {
        agent_site.issue_certificate(who, params);
    }
    let key = KeyPair::generate().unwrap();
    agent_site.store_certificate("self-signed", &params("ops").self_signed(&key).unwrap().pem(), &key);
    // Another authority with the same name, and a certificate for the same user.
    let other = authority("authority");
    let certificate = params("ops").signed_by(&key, &other).unwrap();
    agent_site.store_certificate("same-name", &certificate.pem(), &key);
    agent_site.store_certificate("oversize", &long_chain(&agent_site.authority, &key), &key);
    agent_site.revoke(7);
    pin(&agent_site, "self-signed", false);
    let agent = agent_site.run();
    for who in ["expired", "early", "wrong-usage", "revoked", "self-signed", "same-name", "oversize"] {
        for transport in BY_CERTIFICATE {
            assert_eq!(response_to(&agent_site, transport, who), None, "{who} over {transport:?}");
            assert_eq!(
                response_to(&agent_site, transport, "ops"),
                Some(ResponseKind::Values(1)),
                "after {who}"
            );
        }
    }
    // A self-signed certificate is accepted if a rule contains its fingerprint.
    pin(&agent_site, "self-signed", true);
    agent.reload_and_wait();
    for transport in BY_CERTIFICATE {
        assert_eq!(
            response_to(&agent_site, transport, "self-signed"),
            Some(ResponseKind::Values(1)),
            "{transport:?}"
        );
    }
}

#[test]
fn certificate_pinned_by_set_is_accepted_at_once_and_sessions_stay_open() {
    let agent_site = SecureAgent::new("live-pin", OPS);
    let key = KeyPair::generate().unwrap();
    agent_site.store_certificate("self-signed", &params("ops").self_signed(&key).unwrap().pem(), &key);
    let _agent = agent_site.run();
    let mut open: Vec<_> =
        ALL_TRANSPORTS.map(|transport| agent_site.open_session(transport, "ops").unwrap()).into();
    for session in &mut open {
        assert!(session.ask(&tsm_get(SecurityLevel::AuthPriv, 1)).is_some());
    }
    for transport in BY_CERTIFICATE {
        assert_eq!(response_to(&agent_site, transport, "self-signed"), None, "{transport:?} before");
    }
    let chain = agent_site.credentials("self-signed");
    let facts = portreeve_x509::certificate_facts(&chain.chain()[0]).unwrap();
    let fingerprint = facts.fingerprints[2].to_octets();
    let (row, status) = ([7], &SNMP_TLSTM_CERT_TO_TSN_ROW_STATUS);
    agent_site
        .home
        .ops()
        .set(&[
            (&SNMP_TLSTM_CERT_TO_TSN_FINGERPRINT, &row, Value::OctetString(&fingerprint)),
            (&SNMP_TLSTM_CERT_TO_TSN_DATA, &row, Value::OctetString(b"ops")),
            (status, &row, Value::Integer(CREATE_AND_GO)),
        ])
        .unwrap();
    for transport in BY_CERTIFICATE {
        assert_eq!(
            response_to(&agent_site, transport, "self-signed"),
            Some(ResponseKind::Values(1)),
            "{transport:?}"
        );
    }
    agent_site.home.ops().set(&[(status, &row, Value::Integer(DESTROY))]).unwrap();
    for transport in BY_CERTIFICATE {
        assert_eq!(response_to(&agent_site, transport, "self-signed"), None, "{transport:?} after");
    }
    for session in &mut open {
        assert!(session.ask(&tsm_get(SecurityLevel::AuthPriv, 1)).is_some(), "an open session was closed");
    }
}

#[test]
fn k_certificate_with_similar_common_name_does_not_map_to_user() {
    let agent_site = SecureAgent::new("k-nul", "");
    for (who, common_name) in [
        ("nul", "ops\0.attacker.example"),
        ("nul-at-end", "ops\0"),
        ("longer", "ops2"),
        ("upper", "OPS"),
        ("space", "ops "),
    ] {
        agent_site.issue_certificate(who, params(common_name));
    }
    let mut nameless = params("");
    nameless.distinguished_name = DistinguishedName::new();
    agent_site.issue_certificate("nameless", nameless);
    let _agent = agent_site.run();
    for transport in BY_CERTIFICATE {
        for who in ["nul", "nul-at-end", "nameless", "longer", "upper", "space"] {
            not_ops(response_to(&agent_site, transport, who), (who, transport));
        }
        assert_eq!(response_to(&agent_site, transport, "ops"), Some(ResponseKind::Values(1)));
    }
}

#[test]
fn k_user_name_is_taken_only_from_certificate_field_chosen_by_map() {
    let alternative = |common_name: &str, names: &[&str]| {
        let mut params = params(common_name);
        params.subject_alt_names =
            names.iter().map(|name| SanType::DnsName((*name).try_into().unwrap())).collect();
        params
    };
    for (map, by_common_name) in [("common-name", true), ("san-dns", false), ("san-any", false)] {
        let agent_site = SecureAgent::naming(&format!("k-{map}"), map, "");
        for (who, params) in [
            ("common", alternative("ops", &["mallory"])),
            ("alternative", alternative("mallory", &["ops"])),
            ("first", alternative("mallory", &["ops", "mallory"])),
            ("second", alternative("mallory", &["mallory", "ops"])),
        ] {
            agent_site.issue_certificate(who, params);
        }
        let _agent = agent_site.run();
        for transport in BY_CERTIFICATE {
            for (who, is_ops) in [
                ("common", by_common_name),
                ("alternative", !by_common_name),
                ("first", !by_common_name),
                ("second", false),
            ] {
                let response = response_to(&agent_site, transport, who);
                if is_ops {
                    assert_eq!(response, Some(ResponseKind::Values(1)), "{who} by {map} over {transport:?}");
                } else {
                    not_ops(response, (who, map, transport));
                }
            }
        }
    }
}

#[test]
fn b_session_user_and_usm_user_of_same_name_do_not_share_rights() {
    let agent_site = SecureAgent::new("b-same-name", OPS);
    let _agent = agent_site.run();
    let mut by_usm = agent_site.home.ops();
    by_usm.set_text(&SYS_NAME, "by usm").unwrap();
    for transport in ALL_TRANSPORTS {
        // The session user may read, the USM user may write.
        assert_eq!(
            response_to(&agent_site, transport, "ops"),
            Some(ResponseKind::Values(1)),
            "{transport:?}"
        );
    }
    // A session user without rights does not get the rights of the USM user of the same name.
    let more = "[[user]]\nname = \"guest\"\nauth-pass = \"signs for guest\"\npriv-pass = \"hides for guest\"\n\
                access = \"write\"\nview = \"all\"\n";
    let agent_site = SecureAgent::new("b-no-rights", more);
    agent_site.issue_certificate("guest", params("guest"));
    let _agent = agent_site.run();
    for transport in BY_CERTIFICATE {
        let response = response_to(&agent_site, transport, "guest");
        assert_eq!(response, Some(ResponseKind::Error(ErrorStatus::AuthorizationError)), "{transport:?}");
    }
}

#[test]
fn b_community_messages_in_sessions_are_dropped_by_default() {
    let agent_site = SecureAgent::new("b-communities", OPS);
    let _agent = agent_site.run();
    let mut counters = agent_site.home.ops();
    for transport in ALL_TRANSPORTS {
        let mut session = agent_site.open_session(transport, "ops").unwrap();
        let before = counters.number(&SNMP_IN_BAD_COMMUNITY_NAMES);
        // Both communities are valid outside of sessions.
        for (model, kind) in VERSIONS.into_iter().zip([PduType::GetRequest, PduType::SetRequest]) {
            for community in [READ_COMMUNITY, WRITE_COMMUNITY] {
                session.send(&community_message(model, community, kind)).unwrap();
            }
        }
        // The first response is that to the valid request, so the agent did not answer the
        // communities.
        let answer = session.ask(&tsm_get(SecurityLevel::AuthPriv, 1)).unwrap();
        assert_eq!(parse_response(&answer), ResponseKind::Values(1), "{transport:?}");
        assert_eq!(counters.number(&SNMP_IN_BAD_COMMUNITY_NAMES), before + 4, "{transport:?}");
    }
    assert_ne!(counters.text(&SYS_NAME), "changed in a session");
}

#[test]
fn b_community_in_session_does_not_extend_rights_of_session_user() {
    let agent_site = SecureAgent::new("b-communities-on", "[sessions]\ncommunities = true\n");
    agent_site.issue_certificate("guest", params("guest"));
    let _agent = agent_site.run();
    for transport in ALL_TRANSPORTS {
        let mut session = agent_site.open_session(transport, "ops").unwrap();
        for (model, refusal) in VERSIONS.into_iter().zip([ErrorStatus::NoSuchName, ErrorStatus::NoAccess]) {
            for community in [READ_COMMUNITY, WRITE_COMMUNITY, "unknown"] {
                let mut ask = |kind| {
                    parse_community_response(
                        &session.ask(&community_message(model, community, kind)).unwrap(),
                    )
                };
                assert_eq!(ask(PduType::GetRequest), ResponseKind::Values(1), "{transport:?} {model:?}");
                assert_eq!(ask(PduType::SetRequest), ResponseKind::Error(refusal), "{transport:?} {model:?}");
            }
        }
    }
    // A community with rights does not give rights to a session user without rights.
    for transport in BY_CERTIFICATE {
        let mut session = agent_site.open_session(transport, "guest").unwrap();
        let message = community_message(MessageProcessingModel::V2c, WRITE_COMMUNITY, PduType::GetRequest);
        let answer = parse_community_response(&session.ask(&message).unwrap());
        assert_eq!(answer, ResponseKind::Error(ErrorStatus::AuthorizationError), "{transport:?}");
    }
}

//= rfc5592#5.3-7
//= rfc6353#5.3.1-6
//= type=test
#[test]
fn b_session_request_below_authpriv_can_read_engine_id_only() {
    let agent_site = SecureAgent::new("b-levels", "");
    let _agent = agent_site.run();
    for transport in ALL_TRANSPORTS {
        let mut session = agent_site.open_session(transport, "ops").unwrap();
        for level in [SecurityLevel::NoAuthNoPriv, SecurityLevel::AuthNoPriv] {
            // The request is for sysUpTime, which may not be read at these levels.
            let answer = session.ask(&tsm_get(level, 1)).unwrap();
            assert_eq!(parse_response(&answer), ResponseKind::Values(1));
            assert!(answer.ends_with(&[0x80, 0]), "expected noSuchObject: {answer:?}");
        }
    }
}

#[test]
fn k_ssh_client_with_unlisted_key_does_not_receive_data() {
    let agent_site = SecureAgent::new("k-ssh", "");
    let _agent = agent_site.run();
    assert_eq!(response_to(&agent_site, Transport::Ssh, "unlisted"), None);
    assert_eq!(response_to(&agent_site, Transport::Ssh, "ops"), Some(ResponseKind::Values(1)));
}

/// Returns the response to a GET of this client; `None` if there is no session or response.
fn response_to(agent_site: &SecureAgent, transport: Transport, who: &str) -> Option<ResponseKind> {
    let mut session = agent_site.open_session(transport, who).ok()?;
    session.ask(&tsm_get(SecurityLevel::AuthPriv, 1)).map(|answer| parse_response(&answer))
}

/// Checks that there was no response, or that the response is an authorizationError because the
/// session's name has no rights.
fn not_ops(response: Option<ResponseKind>, who: impl Debug) {
    assert!(
        matches!(response, None | Some(ResponseKind::Error(ErrorStatus::AuthorizationError))),
        "{who:?}: {response:?}"
    );
}

/// Returns a leaf certificate below a chain of ten authorities.
fn long_chain(root: &CertifiedIssuer<'static, KeyPair>, leaf: &KeyPair) -> String {
    let mut chain: Vec<CertifiedIssuer<'static, KeyPair>> = Vec::new();
    for number in 0..10 {
        let (params, key) = (authority_params(&format!("below {number}")), KeyPair::generate().unwrap());
        let above = chain.last().unwrap_or(root);
        let next = CertifiedIssuer::signed_by(params, key, above).unwrap();
        chain.push(next);
    }
    let leaf = params("ops").signed_by(leaf, chain.last().unwrap()).unwrap();
    chain.iter().rev().fold(leaf.pem(), |pem, authority| pem + &authority.pem())
}

/// Replaces PINNED in the configuration with the fingerprint of this client, or with one that
/// matches none.
fn pin(agent_site: &SecureAgent, who: &str, is_pinned: bool) {
    let text = std::fs::read_to_string(agent_site.home.config()).unwrap();
    let chain = agent_site.credentials(who);
    let facts = portreeve_x509::certificate_facts(&chain.chain()[0]).unwrap();
    let (placeholder, pinned) =
        (format!("sha256:{}", ["00"; 32].join(":")), facts.fingerprints[2].to_string());
    let written = if is_pinned { pinned } else { placeholder.clone() };
    agent_site.home.write(&text.replace("sha256:PINNED", &placeholder).replace(&placeholder, &written));
}

/// The value createAndGo of RowStatus.
const CREATE_AND_GO: i32 = 4;
const DESTROY: i32 = 6;
