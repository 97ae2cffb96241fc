//! Who somebody is over a secure transport, and what comes of it (reliability lines K and B).

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
    CHANGE, Gate, Heard, LOOK, OPS, authority, authority_params, community_message, heard,
    heard_by_community, params, tsm_get,
};

const BY_CERTIFICATE: [Transport; 2] = [Transport::Tls, Transport::Dtls];
const VERSIONS: [MessageProcessingModel; 2] = [MessageProcessingModel::V1, MessageProcessingModel::V2c];
const EVERY: [Transport; 3] = [Transport::Tls, Transport::Dtls, Transport::Ssh];

#[test]
fn k_whoever_has_no_certificate_that_is_good_gets_no_data() {
    let gate = Gate::new("k-refused", "[[tls.name]]\nfingerprint = \"sha256:PINNED\"\nname = \"ops\"\n");
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
        gate.certify(who, params);
    }
    let key = KeyPair::generate().unwrap();
    gate.keep("self-signed", &params("ops").self_signed(&key).unwrap().pem(), &key);
    // Another authority that calls itself the same, and says the same of its user.
    let other = authority("authority");
    let certificate = params("ops").signed_by(&key, &other).unwrap();
    gate.keep("same-name", &certificate.pem(), &key);
    gate.keep("oversize", &long_chain(&gate.authority, &key), &key);
    gate.revoke(7);
    pin(&gate, "self-signed", false);
    let agent = gate.run();
    for who in ["expired", "early", "wrong-usage", "revoked", "self-signed", "same-name", "oversize"] {
        for transport in BY_CERTIFICATE {
            assert_eq!(said(&gate, transport, who), None, "{who} over {transport:?}");
            assert_eq!(said(&gate, transport, "ops"), Some(Heard::Values(1)), "after {who}");
        }
    }
    // What nobody trusts may be pinned, which is a row of its own.
    pin(&gate, "self-signed", true);
    agent.hang_up();
    for transport in BY_CERTIFICATE {
        assert_eq!(said(&gate, transport, "self-signed"), Some(Heard::Values(1)), "{transport:?}");
    }
}

#[test]
fn a_row_that_is_made_over_snmp_pins_at_once_and_drops_nobody() {
    let gate = Gate::new("live-pin", OPS);
    let key = KeyPair::generate().unwrap();
    gate.keep("self-signed", &params("ops").self_signed(&key).unwrap().pem(), &key);
    let _agent = gate.run();
    let mut open: Vec<_> = EVERY.map(|transport| gate.visit(transport, "ops").unwrap()).into();
    for visitor in &mut open {
        assert!(visitor.ask(&tsm_get(SecurityLevel::AuthPriv, 1)).is_some());
    }
    for transport in BY_CERTIFICATE {
        assert_eq!(said(&gate, transport, "self-signed"), None, "{transport:?} before");
    }
    let chain = gate.credentials("self-signed");
    let facts = portreeve_x509::certificate_facts(&chain.chain()[0]).unwrap();
    let fingerprint = facts.fingerprints[2].to_octets();
    let (row, status) = ([7], &SNMP_TLSTM_CERT_TO_TSN_ROW_STATUS);
    gate.home
        .ops()
        .set(&[
            (&SNMP_TLSTM_CERT_TO_TSN_FINGERPRINT, &row, Value::OctetString(&fingerprint)),
            (&SNMP_TLSTM_CERT_TO_TSN_DATA, &row, Value::OctetString(b"ops")),
            (status, &row, Value::Integer(CREATE_AND_GO)),
        ])
        .unwrap();
    for transport in BY_CERTIFICATE {
        assert_eq!(said(&gate, transport, "self-signed"), Some(Heard::Values(1)), "{transport:?}");
    }
    gate.home.ops().set(&[(status, &row, Value::Integer(DESTROY))]).unwrap();
    for transport in BY_CERTIFICATE {
        assert_eq!(said(&gate, transport, "self-signed"), None, "{transport:?} after");
    }
    for visitor in &mut open {
        assert!(
            visitor.ask(&tsm_get(SecurityLevel::AuthPriv, 1)).is_some(),
            "a session that was open was dropped"
        );
    }
}

#[test]
fn k_a_nul_in_a_common_name_makes_nobody_else_of_its_holder() {
    let gate = Gate::new("k-nul", "");
    for (who, common_name) in [
        ("nul", "ops\0.attacker.example"),
        ("nul-at-end", "ops\0"),
        ("longer", "ops2"),
        ("upper", "OPS"),
        ("space", "ops "),
    ] {
        gate.certify(who, params(common_name));
    }
    let mut nameless = params("");
    nameless.distinguished_name = DistinguishedName::new();
    gate.certify("nameless", nameless);
    let _agent = gate.run();
    for transport in BY_CERTIFICATE {
        for who in ["nul", "nul-at-end", "nameless", "longer", "upper", "space"] {
            not_ops(said(&gate, transport, who), (who, transport));
        }
        assert_eq!(said(&gate, transport, "ops"), Some(Heard::Values(1)));
    }
}

#[test]
fn k_the_row_says_which_name_counts_and_no_other_stands_in_for_it() {
    let alternative = |common_name: &str, names: &[&str]| {
        let mut params = params(common_name);
        params.subject_alt_names =
            names.iter().map(|name| SanType::DnsName((*name).try_into().unwrap())).collect();
        params
    };
    for (map, by_common_name) in [("common-name", true), ("san-dns", false), ("san-any", false)] {
        let gate = Gate::naming(&format!("k-{map}"), map, "");
        for (who, params) in [
            ("common", alternative("ops", &["mallory"])),
            ("alternative", alternative("mallory", &["ops"])),
            ("first", alternative("mallory", &["ops", "mallory"])),
            ("second", alternative("mallory", &["mallory", "ops"])),
        ] {
            gate.certify(who, params);
        }
        let _agent = gate.run();
        for transport in BY_CERTIFICATE {
            for (who, is_ops) in [
                ("common", by_common_name),
                ("alternative", !by_common_name),
                ("first", !by_common_name),
                ("second", false),
            ] {
                let said = said(&gate, transport, who);
                if is_ops {
                    assert_eq!(said, Some(Heard::Values(1)), "{who} by {map} over {transport:?}");
                } else {
                    not_ops(said, (who, map, transport));
                }
            }
        }
    }
}

#[test]
fn b_somebody_in_a_session_and_a_usm_user_of_the_same_name_share_nothing() {
    let gate = Gate::new("b-same-name", OPS);
    let _agent = gate.run();
    let mut by_usm = gate.home.ops();
    by_usm.set_text(&SYS_NAME, "by usm").unwrap();
    for transport in EVERY {
        // They may read, the other may write.
        assert_eq!(said(&gate, transport, "ops"), Some(Heard::Values(1)), "{transport:?}");
    }
    // Without rights of their own the name does not help them.
    let more = "[[user]]\nname = \"guest\"\nauth-pass = \"signs for guest\"\npriv-pass = \"hides for guest\"\n\
                access = \"write\"\nview = \"all\"\n";
    let gate = Gate::new("b-no-rights", more);
    gate.certify("guest", params("guest"));
    let _agent = gate.run();
    for transport in BY_CERTIFICATE {
        let said = said(&gate, transport, "guest");
        assert_eq!(said, Some(Heard::Error(ErrorStatus::AuthorizationError)), "{transport:?}");
    }
}

#[test]
fn b_communities_in_a_session_are_dropped_and_counted_unless_they_are_switched_on() {
    let gate = Gate::new("b-communities", OPS);
    let _agent = gate.run();
    let mut counters = gate.home.ops();
    for transport in EVERY {
        let mut visitor = gate.visit(transport, "ops").unwrap();
        let before = counters.number(&SNMP_IN_BAD_COMMUNITY_NAMES);
        // Both are good where there are no sessions.
        for (model, kind) in VERSIONS.into_iter().zip([PduType::GetRequest, PduType::SetRequest]) {
            for community in [LOOK, CHANGE] {
                visitor.send(&community_message(model, community, kind)).unwrap();
            }
        }
        // The first answer is the one to what is asked properly.
        let answer = visitor.ask(&tsm_get(SecurityLevel::AuthPriv, 1)).unwrap();
        assert_eq!(heard(&answer), Heard::Values(1), "{transport:?}");
        assert_eq!(counters.number(&SNMP_IN_BAD_COMMUNITY_NAMES), before + 4, "{transport:?}");
    }
    assert_ne!(counters.text(&SYS_NAME), "changed in a session");
}

#[test]
fn b_communities_in_a_session_give_nobody_more_than_the_session_s_own_rights() {
    let gate = Gate::new("b-communities-on", "[sessions]\ncommunities = true\n");
    gate.certify("guest", params("guest"));
    let _agent = gate.run();
    for transport in EVERY {
        let mut visitor = gate.visit(transport, "ops").unwrap();
        for (model, refusal) in VERSIONS.into_iter().zip([ErrorStatus::NoSuchName, ErrorStatus::NoAccess]) {
            for community in [LOOK, CHANGE, "nobody's"] {
                let mut ask = |kind| {
                    heard_by_community(&visitor.ask(&community_message(model, community, kind)).unwrap())
                };
                assert_eq!(ask(PduType::GetRequest), Heard::Values(1), "{transport:?} {model:?}");
                assert_eq!(ask(PduType::SetRequest), Heard::Error(refusal), "{transport:?} {model:?}");
            }
        }
    }
    // Who has no rights has none by a community that has.
    for transport in BY_CERTIFICATE {
        let mut visitor = gate.visit(transport, "guest").unwrap();
        let message = community_message(MessageProcessingModel::V2c, CHANGE, PduType::GetRequest);
        let answer = heard_by_community(&visitor.ask(&message).unwrap());
        assert_eq!(answer, Heard::Error(ErrorStatus::AuthorizationError), "{transport:?}");
    }
}

//= rfc5592#5.3-7
//= rfc6353#5.3.1-6
//= type=test
#[test]
fn b_below_authpriv_a_session_shows_the_engine_id_and_nothing_else() {
    let gate = Gate::new("b-levels", "");
    let _agent = gate.run();
    for transport in EVERY {
        let mut visitor = gate.visit(transport, "ops").unwrap();
        for level in [SecurityLevel::NoAuthNoPriv, SecurityLevel::AuthNoPriv] {
            // sysUpTime is asked for: there is no such object in that view.
            let answer = visitor.ask(&tsm_get(level, 1)).unwrap();
            assert_eq!(heard(&answer), Heard::Values(1));
            assert!(answer.ends_with(&[0x80, 0]), "noSuchObject wanted: {answer:?}");
        }
    }
}

#[test]
fn k_an_ssh_key_that_is_not_listed_gets_no_data() {
    let gate = Gate::new("k-ssh", "");
    let _agent = gate.run();
    assert_eq!(said(&gate, Transport::Ssh, "stranger"), None);
    assert_eq!(said(&gate, Transport::Ssh, "ops"), Some(Heard::Values(1)));
}

/// What the agent answers to a GET of this visitor; `None` where it answers nothing.
fn said(gate: &Gate, transport: Transport, who: &str) -> Option<Heard> {
    let mut visitor = gate.visit(transport, who).ok()?;
    visitor.ask(&tsm_get(SecurityLevel::AuthPriv, 1)).map(|answer| heard(&answer))
}

/// Cut, or called something that nobody has given rights.
fn not_ops(said: Option<Heard>, who: impl Debug) {
    assert!(matches!(said, None | Some(Heard::Error(ErrorStatus::AuthorizationError))), "{who:?}: {said:?}");
}

/// A leaf below ten authorities, of which each vouches for the next.
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

/// Writes the fingerprint of this one, or of nobody, where the configuration says PINNED.
fn pin(gate: &Gate, who: &str, is_pinned: bool) {
    let text = std::fs::read_to_string(gate.home.config()).unwrap();
    let chain = gate.credentials(who);
    let facts = portreeve_x509::certificate_facts(&chain.chain()[0]).unwrap();
    let (nobody, pinned) = (format!("sha256:{}", ["00"; 32].join(":")), facts.fingerprints[2].to_string());
    let written = if is_pinned { pinned } else { nobody.clone() };
    gate.home.write(&text.replace("sha256:PINNED", &nobody).replace(&nobody, &written));
}

/// Of RowStatus.
const CREATE_AND_GO: i32 = 4;
const DESTROY: i32 = 6;
